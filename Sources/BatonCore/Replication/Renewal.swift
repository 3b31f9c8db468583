/// Names writes of this device once more, later than all that a peer ever saw.
///
/// A device that came from a backup may have written, before it met anyone, what is older than deletions that all
/// others have let go: some would take such a write and some would not. So what no one else has is written anew. The
/// writes of one range are one transaction of a life of their own.
package struct Renewal {
    private let life: Life
    private let lane: Lane
    private var hybrid: HybridClock
    private var places: UInt32 = 0

    /// Names writes with a life that nobody had before.
    package init(life: Life, lane: Lane, clock: HybridTime) {
        (self.life, self.lane, hybrid) = (life, lane, HybridClock(latest: clock))
    }

    /// The largest hybrid time by now.
    package var clock: HybridTime { hybrid.latest }

    /// What is claimed by it.
    package var claims: VersionVector {
        places == 0 ? VersionVector() : VersionVector([(Origin(life: life, lane: lane), 1 as UInt64)])
    }

    /// The writes that take the place of what this device wrote to a record and the peer does not know.
    package mutating func renew(
        _ record: Record, known: VersionVector, sent: [Write], own: Set<Life>
    ) -> [Write] {
        guard !record.identity.kind.isPermanent else { return [] }
        let isNews = { (write: Write) in !known.covers(write.dot) && own.contains(write.dot.origin.life) }
        let surviving = record.survivingWrites
        var writes: [Write] = []
        if let opening = surviving.first(where: { $0.isOpening && isNews($0) }) {
            writes.append(renewed(opening, with: record))
        }
        for write in surviving where isNews(write) {
            guard case .count(let begun, let content) = write.action, let key = write.key,
                !sent.contains(where: { $0.counts(from: begun) })
            else { continue }
            let stamp = nextStamp()
            writes.append(named(key, stamp, .count(begun: stamp, content)))
        }
        return writes
    }

    private mutating func renewed(_ opening: Write, with record: Record) -> Write {
        let stamp = nextStamp()
        guard case .full(let content) = opening.action, let key = opening.key else {
            return Write(deleting: record.identity, dot: nextDot(), stamp: stamp)
        }
        var fields = content.fields
        for case .partial(_, let changes) in record.survivingWrites.map(\.action) {
            fields = changes.completed(by: fields)
        }
        let whole = Write.Action.full(Write.Content(scope: content.scope, fields: fields))
        // Together they may be more than a write can say; then what began it stays, at least.
        return named(key, stamp, Journal.Draft(whole, key).isWithinLimits ? whole : opening.action)
    }

    private mutating func named(_ key: RecordKey, _ stamp: Stamp, _ action: Write.Action) -> Write {
        Write(dot: nextDot(), key: key, stamp: stamp, action: action)
    }

    private mutating func nextStamp() -> Stamp {
        Stamp(time: hybrid.next(at: WallTime(milliseconds: 0)), life: life)
    }

    private mutating func nextDot() -> Dot {
        defer { places += 1 }
        return Dot(origin: Origin(life: life, lane: lane), sequence: 1, place: places)
    }
}

extension Write {
    /// Whether it is a count that was begun then.
    fileprivate func counts(from stamp: Stamp) -> Bool {
        if case .count(let begun, _) = action { begun == stamp } else { false }
    }
}
