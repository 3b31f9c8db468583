import BatonCore

extension StoreConformance {
    /// Devices that index, clear and exchange whole and partial batches in any order.
    static let stateHistories: [StoreCheck] = [
        StoreCheck("a shown client state covers only items that are there, whatever happened") {
            home, seed in
            var history = StateHistory(seed: seed, tested: try home.open())
            for _ in 0..<150 {
                try history.step(home)
                try history.judge()
            }
            try history.finish()
        }
    ]
}

/// Three devices that work on one index, one of them with the store under test beside one in memory.
private struct StateHistory {
    private var generator: SeededGenerator
    private let devices: [IndexingDevice]
    /// Whether tombstones are collected even if some device does not have them.
    private let forgets: Bool
    private var state: UInt8 = 0

    init(seed: UInt64, tested: any AccountStore) {
        generator = SeededGenerator(seed: seed)
        let place = UInt64(generator.number(0...2))
        devices = (0...2).map { IndexingDevice($0, $0 == place ? tested : nil) }
        forgets = generator.chance(50)
    }

    // MARK: Events

    mutating func step(_ home: StoreHome) throws {
        let (device, other) = (generator.pick(devices), generator.pick(devices))
        switch generator.number(0...9) {
        case 0...3: try device.write(drafts(), state: ending())
        case 4, 5, 6:
            guard device !== other else { return }
            try device.send(to: other, bytes: generator.number(1...600), parts: generator.number(1...4))
        case 7: if device !== other { try device.send(to: other) }
        case 8:
            let others = devices.filter { $0 !== device }
            try device.collect(forgets && generator.chance(50) ? [] : others)
        default:
            try device.reopen(home)
            if generator.chance(50) { try device.lose(drafts(), state: ending()) }
        }
    }

    private mutating func ending() -> UInt8? {
        guard generator.chance(60) else { return nil }
        state &+= 1
        return state
    }

    private mutating func drafts() -> [Journal.Draft] {
        let count = generator.number(0...3)
        return (0..<count).map { _ in
            let number = UInt64(generator.number(1...4))
            switch generator.number(0...19) {
            case 0: return IndexingDevice.clear(IndexingDevice.scope)
            case 1: return IndexingDevice.clear(.app("a"))
            case 2: return IndexingDevice.clear(.items(app: "a", index: "i", domain: "d"))
            case 3: return Journal.Draft(.deletion, IndexingDevice.name.key)
            case 4...6: return IndexingDevice.deletion(number)
            default:
                return IndexingDevice.item(
                    number, domain: generator.chance(50) ? "d" : nil, says: UInt64(generator.number(0...9)))
            }
        }
    }

    // MARK: Invariants

    func judge() throws {
        for device in devices {
            guard let shown = try device.shown() else { continue }
            let summary = try device.store.summary()
            try StoreConformance.require(
                shown.covers.isWithin(summary.complete), "what is shown covers what is not claimed")
            let covers = try device.lineage().expanded(shown.covers)
            for clear in try clears(of: device) {
                try StoreConformance.require(
                    covers.covers(clear), "what is shown lacks the delete-all \(clear)")
            }
            try judge(device, covers: covers, dropped: summary.dropped)
        }
    }

    /// Checks that every covered write is there, or was ended by a write that is there or was collected.
    private func judge(_ device: IndexingDevice, covers: VersionVector, dropped: VersionVector) throws {
        let store = device.model ?? device.store as? InMemoryStore
        guard let store else { throw StoreViolation(description: "a device without a store in memory") }
        let written = devices.flatMap(\.written)
        let missing = written.filter { covers.covers($0.dot) && !store.reflects($0) }
        guard !missing.isEmpty else { return }
        let truth = InMemoryStore()
        let claimed = store.summary().complete
        for write in written where claimed.covers(write.dot) {
            _ = try truth.commit(StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
        }
        for write in missing where truth.survivingWrites.contains(write) {
            let isTombstone = write.action == .deletion || write.identity.kind.isClear
            try StoreConformance.require(
                isTombstone && dropped.covers(write.dot),
                "\(write) is covered by what is shown, and not there")
        }
    }

    /// Returns the dots of the clears of the whole index that a device knows.
    private func clears(of device: IndexingDevice) throws -> [Dot] {
        try device.store.records(of: .indexClear).filter {
            $0.clear.map { IndexingDevice.scope.isWithin($0.scope) } ?? false
        }.compactMap(\.tombstone?.dot)
    }

    /// Checks that once all have everything, the newest state is shown everywhere, if its writer knew every delete-all.
    mutating func finish() throws {
        for _ in 0..<3 {
            for device in devices {
                for other in devices where other !== device { try device.send(to: other) }
            }
        }
        try judge()
        let clears = try devices.flatMap(clears)
        for device in devices {
            guard let newest = try device.newest(), clears.allSatisfy(newest.covers.covers) else { continue }
            let complete = try device.store.summary().complete
            let record = try device.store.record(IndexingDevice.name.key.identity)
            guard let dot = record?.survivingWrites.first?.dot, newest.covers.covers(dot),
                newest.covers.isWithin(complete)
            else { continue }
            try StoreConformance.require(try device.shown(), is: newest, "the shown state in the end")
        }
    }
}
