import BatonCore

extension StoreConformance {
    /// Writes that only a faulty device of the account makes: they must do no harm beyond its own records.
    static let faulty: [StoreCheck] = [
        StoreCheck("writes under one dot make the same record in any order, and stay readable") { home, _ in
            let key = RecordKey.told()
            // More fields than one write can have, and more bytes.
            for fields in [
                [wide(0..<1024), wide(1024..<2048)], [wide(0..<1, 300_000), wide(1..<2, 300_000)],
            ] {
                let full = Write.told(key, at: 1, .full())
                let parts = fields.map { Write.told(key, at: 2, .partial(of: .told(1), $0)) }
                var expected: Record?
                for order in [[full] + parts, parts.reversed() + [full]] {
                    let store = try home.open()
                    try keep(order + [.told(key, at: 3, by: 3, .deletion)], in: store)
                    try keep(order.map { $0.again(after: 10) }, in: store)
                    let record = try require(store.record(key.identity), "the record")
                    expected = expected ?? record
                    try require(record, is: expected ?? record, "the record, in another order")
                    let read = try read(store, .index).writes
                    try require(Record(merging: read), is: record, "what a peer makes of it")
                    for write in read { try requireReadable(write) }
                    try require(try home.open().record(key.identity), is: record, "the record once more")
                }
                try keep([.told(key, at: 900, by: 3, .deletion)], in: try home.open())
            }
        },
        StoreCheck("of changes without end the last are kept, whatever came first") { home, _ in
            let key = RecordKey.told()
            let changes = (0..<5).map { number in
                Write.told(
                    key, at: UInt64(2 + number),
                    .partial(of: .told(1), wide(number * 600..<(number + 1) * 600)))
            }
            let store = try home.open()
            try keep([.told(key, at: 1, .full())] + changes, in: store)
            let record = try require(store.record(key.identity), "the record")
            try require(record.fields?.count, is: 1 + Record.updatesMost, "fields")
            let kept = record.fields?.filter { if case .custom = $0 { true } else { false } }
            // All fields of the last change, and those with the largest names of the one before.
            try require(kept == wide(1976..<3000), "the changes that are kept are not the last ones")
            try require(
                record, is: Record(merging: changes.reversed() + [.told(key, at: 1, .full())]),
                "another order")
            try require(Record(merging: record.survivingWrites), is: record, "what is passed on")
        },
    ]

    /// Fields with names of six digits.
    private static func wide(_ names: Range<Int>, _ bytes: Int = 1) -> Fields {
        Fields { fields in
            for name in names {
                let digits = Array("\(name)".utf8)
                let text = [UInt8](repeating: UInt8(ascii: "0"), count: 6 - digits.count) + digits
                fields.field(.custom(text)) { $0.data([UInt8](repeating: 7, count: bytes)) }
            }
        }
    }

    private static func keep(_ writes: [Write], in store: any AccountStore) throws(StoreFailure) {
        _ = try store.commit(StoreTransaction(lane: .index, writes: writes, completing: VersionVector()))
    }

    private static func require<Value>(
        _ value: Value?, _ what: String
    ) throws(StoreViolation) -> Value {
        guard let value else { throw StoreViolation(description: "\(what) is not there") }
        return value
    }

    /// Checks that a write comes out of a batch as it went in.
    private static func requireReadable(_ write: Write) throws {
        let batch = PeerMessage.batch(Batch(number: 1, lane: .index, writes: [write], complete: nil))
        try require(try PeerMessage(batch.frame), is: batch, "what a peer reads")
    }
}

extension Write {
    /// The same write, some time later.
    fileprivate func again(after time: UInt64) -> Write {
        let later = Stamp(time: HybridTime(value: stamp.time.value + time), life: stamp.life)
        let dot = Dot(origin: dot.origin, sequence: dot.sequence + time)
        guard let key else { return Write(deleting: identity, dot: dot, stamp: later) }
        guard case .partial(let base, let fields) = action else {
            return Write(dot: dot, key: key, stamp: later, action: action)
        }
        let begun = Stamp(time: HybridTime(value: base.time.value + time), life: base.life)
        return Write(dot: dot, key: key, stamp: later, action: .partial(of: begun, fields))
    }
}
