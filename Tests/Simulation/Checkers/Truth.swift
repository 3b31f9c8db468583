import BatonCore
import Support

/// The result of everything that is known in a world, for checkers at rest.
struct Truth {
    /// The writes that some node claims or holds.
    let known: [Ledger.Entry]
    /// The known writes, and what clears left of them.
    ///
    /// A write that nobody claims is in it only if some node holds it; otherwise it is lost.
    let writes: [Write]
    /// The clears that are known, or were garbage-collected.
    let clears: ClearsMade
    let model: Model
    private let swept: Swept
    /// The vector that every node should claim.
    let complete: VersionVector
    /// A vector that covers all tombstones that some node collected.
    let dropped: VersionVector
    /// The latest stamp that some node garbage-collected in each lane.
    let horizons: [Lane: HybridTime]

    init(_ world: World) {
        var (complete, dropped) = (VersionVector(), VersionVector())
        var (held, tombstones): ([Dot: [Write]], [Dot: Write]) = ([:], [:])
        for node in world.nodes {
            let summary = node.contents
            complete.join(summary.complete)
            dropped.join(summary.dropped)
            for write in node.contents.survivingWrites {
                held[write.dot, default: []].append(write)
                if write.action == .deletion { tombstones[write.dot] = write }
            }
        }
        swept = world.swept
        // A backup may bring back a client state that was given up.
        known = world.ledger.entries.filter { entry in
            held[entry.write.dot] != nil || !entry.isWaived && complete.covers(entry.write.dot)
        }
        // A garbage-collected clear may be forgotten by every device that collected it; what it left stays all the
        // same.
        let clears = ClearsMade(
            world.ledger.entries.lazy.map(\.write).filter { write in
                write.identity.kind.isClear
                    && (complete.covers(write.dot) || held[write.dot] != nil
                        || world.everDropped.covers(write.dot))
            })
        self.clears = clears
        // The tombstone that a clear left stays, also if the clear was garbage-collected since.
        let cleared = tombstones.values.filter { tombstone in
            world.ledger[tombstone.dot].map { $0.write.isFull && clears.cover($0.write) } ?? false
        }
        writes =
            known.flatMap { complete.covers($0.write.dot) ? [$0.write] : held[$0.write.dot] ?? [] }
            + cleared.sorted { $0.dot < $1.dot }
        model = Model(writes, world.swept)
        (self.complete, self.dropped) = (complete, dropped)
        var horizons: [Lane: HybridTime] = [:]
        for lane in Lane.allCases { horizons[lane] = world.nodes.map { $0.contents.horizon(of: lane) }.max() }
        self.horizons = horizons
    }

    /// Returns whether a write would show if it were known, too.
    ///
    /// Only its record and clears decide that.
    func shows(also write: Write) -> Bool {
        let others = writes.filter { $0.identity == write.identity || $0.identity.kind.isClear }
        return Model(others + [write], swept).shows(write)
    }
}

/// Clears that someone made, each of which may have left tombstones.
struct ClearsMade {
    private var clears: [Lane: [Clear]] = [:]

    init(_ writes: some Sequence<Write>) {
        for write in writes {
            if let clear = Record(write).clear { clears[write.identity.kind.lane, default: []].append(clear) }
        }
    }

    /// Returns whether one of them ended a full write.
    func cover(_ write: Write) -> Bool {
        guard !write.identity.kind.isPermanent, case .full(let content) = write.action else { return false }
        return (clears[write.identity.kind.lane] ?? []).contains { $0.covers(content.scope, write.stamp) }
    }
}

extension SimulatedNode {
    /// The visible state: the fields of all records that are there.
    var visible: [RecordIdentity: [FieldName: [UInt8]]] {
        var visible: [RecordIdentity: [FieldName: [UInt8]]] = [:]
        for record in contents.allRecords.map(world.swept.rest(of:))
        where record.isThere && !record.identity.kind.isClear {
            visible[record.identity] = Dictionary(
                uniqueKeysWithValues: (record.fields ?? Fields()).map { ($0.name, Array($0.value)) })
        }
        return visible
    }

    /// Returns the writes that are not reflected in the store: not there, not overwritten, not deleted.
    func unreflected(_ entries: some Sequence<Ledger.Entry>) -> [Ledger.Entry] {
        let clears = [Lane.activities: contents.clears(of: .activities), .index: contents.clears(of: .index)]
        let dropped = contents.dropped
        return entries.filter { entry in
            let write = entry.write
            guard let arriving = clears[write.dot.origin.lane]?.remains(of: write) else { return false }
            var record = contents.record(write.identity) ?? Record(write.identity)
            return record.merge(arriving) && !(write.isTombstone && isCollected(write, by: dropped))
        }
    }

    /// Returns whether a tombstone was collected, perhaps under the name that another device gave it when it adopted
    /// the same write.
    private func isCollected(_ tombstone: Write, by dropped: VersionVector) -> Bool {
        dropped.covers(tombstone.dot)
            || world.ledger.entries.contains { entry in
                entry.write.identity == tombstone.identity && entry.write.stamp == tombstone.stamp
                    && dropped.covers(entry.write.dot)
            }
    }
}
