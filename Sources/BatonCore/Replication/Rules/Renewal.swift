/// Renews writes, which means that they get new dots and new stamps.
///
/// The new stamps are later than everything that was garbage-collected.
///
/// A device that is new, or was restored from a backup, may have made writes that are older than garbage-collected
/// deletions. Some devices would accept such a write. A device that still has the deletion would not, so the states of
/// the devices would differ. The renewed writes get a life of their own, of which they are the only transaction.
///
/// The mark of a current activity covers its stamp (`ActivityMark`). So the device makes new marks for its own records.
/// It must not mark other records, because another member may have forged them.
package struct Renewal {
    private let life: Life
    private let lane: Lane
    private var hybrid: HybridClock
    private var places: UInt32 = 0
    /// Makes new marks for the activities of this device; nil if activities are not marked.
    private let signer: (any DeviceSigner)?

    /// Creates a renewal that names writes with a life that was never used before.
    package init(life: Life, lane: Lane, clock: HybridTime, signer: (any DeviceSigner)?) {
        (self.life, self.lane, hybrid) = (life, lane, HybridClock(latest: clock))
        self.signer = signer
    }

    /// The largest hybrid time that a renewed write has so far.
    package var clock: HybridTime { hybrid.latest }

    /// The claim of the renewed writes; empty if there are none.
    package var claims: VersionVector {
        places == 0 ? VersionVector() : VersionVector([(Origin(life: life, lane: lane), 1 as UInt64)])
    }

    /// Returns the writes that replace a record's writes in doubt.
    ///
    /// A full write ends the counters that began before it. So it gets its new stamp first, and the record's counters
    /// begin again after it, even if only the full write is in doubt. A counter that is in several scopes shows the
    /// value that began last. So counters begin again in their old order. If one counter is in doubt, the later
    /// counters of the same field begin again, too.
    ///
    /// A checkpoint is deleted and not renewed. It may cover items that were cleared here, and a renewed checkpoint
    /// would not bring these items back. Without a checkpoint, the indexing job starts over.
    package mutating func renew(_ record: Record, where isInDoubt: (Write) -> Bool) -> [Write] {
        let identity = record.identity
        guard !identity.kind.isPermanent else { return [] }
        let standing = record.survivingWrites
        if identity.kind.isCheckpoint {
            return standing.contains(where: isInDoubt)
                ? [Write(deleting: identity, dot: nextDot(), stamp: nextStamp())] : []
        }
        var writes: [Write] = []
        // A deletion has no key, and is never in doubt.
        for write in standing {
            guard case .full(let content) = write.action, let key = write.key, isInDoubt(write) else {
                continue
            }
            let stamp = nextStamp()
            let whole = whole(content, of: record, key)
            writes.append(named(key, stamp, marked(whole, of: record, key, at: stamp)))
        }
        let isBegunAnew = !writes.isEmpty
        var fieldsAnew: Set<FieldName> = []
        for (write, key, _, content) in Self.counters(standing) {
            let fields = content.fields.map(\.name)
            guard isBegunAnew || isInDoubt(write) || !fieldsAnew.isDisjoint(with: fields) else { continue }
            fieldsAnew.formUnion(fields)
            let stamp = nextStamp()
            writes.append(named(key, stamp, .count(begun: stamp, content)))
        }
        return writes
    }

    /// Returns those of the writes that are counters, in the order in which the counters began.
    private static func counters(
        _ writes: [Write]
    ) -> [(write: Write, key: RecordKey, begun: Stamp, content: Write.Content)] {
        writes.compactMap { write in
            guard case .count(let begun, let content) = write.action, let key = write.key else { return nil }
            return (write, key, begun, content)
        }.sorted { ($0.begun, $0.write.stamp, $0.write.dot) < ($1.begun, $1.write.stamp, $1.write.dot) }
    }

    /// Returns a full write that includes the record's updates.
    ///
    /// If the full write and the updates together are too large for a write, only the original full write is returned.
    private func whole(_ content: Write.Content, of record: Record, _ key: RecordKey) -> Write.Action {
        var fields = content.fields
        for case .partial(_, let changes) in record.survivingWrites.map(\.action) {
            fields = changes.completed(by: fields)
        }
        let whole = Write.Action.full(Write.Content(scope: content.scope, fields: fields))
        return Journal.Draft(whole, key).isWithinLimits ? whole : .full(content)
    }

    /// Returns a full write with this device's mark for the new stamp.
    ///
    /// If the record did not have a valid mark before, the write is returned unchanged.
    private func marked(
        _ whole: Write.Action, of record: Record, _ key: RecordKey, at stamp: Stamp
    ) -> Write.Action {
        guard key.kind == .currentActivity, case .full(let content) = whole, let signer,
            signer.hasMarked(record)
        else { return whole }
        let fields = signer.mark(content.fields, of: key, at: stamp)
        return .full(Write.Content(scope: content.scope, fields: fields))
    }

    private mutating func named(_ key: RecordKey, _ stamp: Stamp, _ action: Write.Action) -> Write {
        Write(dot: nextDot(), key: key, stamp: stamp, action: action)
    }

    private mutating func nextDot() -> Dot {
        defer { places += 1 }
        return Dot(origin: Origin(life: life, lane: lane), sequence: 1, place: places)
    }

    private mutating func nextStamp() -> Stamp {
        Stamp(time: hybrid.next(at: WallTime(milliseconds: 0)), life: life)
    }
}

extension StoreTransaction {
    /// Creates a renewal for this transaction; nil if the transaction may not renew anything.
    ///
    /// The new stamps are later than `clock`.
    package func renewal(after clock: HybridTime) -> Renewal? {
        renewingLife.map { Renewal(life: $0, lane: lane, clock: clock, signer: renewingSigner?.signer) }
    }
}
