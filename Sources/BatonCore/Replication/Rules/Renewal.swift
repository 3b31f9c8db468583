/// Renews writes: gives them new dots, and stamps later than everything that was garbage-collected.
///
/// A device that is new, or was restored from a backup, may have made writes that are older than garbage-collected
/// deletions. Some devices would accept such a write, and a device that still has the deletion would not, so their
/// states would differ. The renewed writes are the only transaction of a life of their own.
///
/// The mark of a current activity covers its stamp (`ActivityMark`). So the device marks its own records again, and no
/// others: a record that another member forged must not get a valid mark.
package struct Renewal {
    private let life: Life
    private let lane: Lane
    private var hybrid: HybridClock
    private var places: UInt32 = 0
    /// Marks the activities of this device again; nil if activities are not marked.
    private let signer: (any DeviceSigner)?

    /// Begins to name writes, with a life that was never used before.
    package init(life: Life, lane: Lane, clock: HybridTime, signer: (any DeviceSigner)?) {
        (self.life, self.lane, hybrid) = (life, lane, HybridClock(latest: clock))
        self.signer = signer
    }

    /// The largest hybrid time so far.
    package var clock: HybridTime { hybrid.latest }

    /// The claims that come with the renewed writes.
    package var claims: VersionVector {
        places == 0 ? VersionVector() : VersionVector([(Origin(life: life, lane: lane), 1 as UInt64)])
    }

    /// Returns the writes that replace a record's writes in doubt.
    ///
    /// A full write ends the counters that began before it. So it is named first, and the counters beside it begin
    /// again after it, even if only the full write is in doubt. A counter that stands in several scopes shows the value
    /// that began last. So counters begin again in their order, and with a counter in doubt, the later counters of its
    /// field begin again, too.
    ///
    /// A checkpoint is deleted instead. It may cover items that were cleared here, and these would not come back with
    /// it; without a checkpoint its job starts over.
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

    /// Returns the counters among the writes, in the order in which they began.
    private static func counters(
        _ writes: [Write]
    ) -> [(write: Write, key: RecordKey, begun: Stamp, content: Write.Content)] {
        writes.compactMap { write in
            guard case .count(let begun, let content) = write.action, let key = write.key else { return nil }
            return (write, key, begun, content)
        }.sorted { ($0.begun, $0.write.stamp, $0.write.dot) < ($1.begun, $1.write.stamp, $1.write.dot) }
    }

    /// Returns a full write together with its updates.
    ///
    /// Together they may be too large for a write; then at least the original full write stays.
    private func whole(_ content: Write.Content, of record: Record, _ key: RecordKey) -> Write.Action {
        var fields = content.fields
        for case .partial(_, let changes) in record.survivingWrites.map(\.action) {
            fields = changes.completed(by: fields)
        }
        let whole = Write.Action.full(Write.Content(scope: content.scope, fields: fields))
        return Journal.Draft(whole, key).isWithinLimits ? whole : .full(content)
    }

    /// Returns a full write with this device's mark for its stamp, if the record had the mark for its own.
    private func marked(
        _ whole: Write.Action, of record: Record, _ key: RecordKey, at stamp: Stamp
    ) -> Write.Action {
        guard key.kind == .currentActivity, case .full(let content) = whole, let signer,
            signer.hasMarked(record), let fields = signer.mark(content.fields, of: key, at: stamp)
        else { return whole }
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
    /// Creates a renewal for this transaction, with stamps later than `clock`; nil if the transaction may renew
    /// nothing.
    package func renewal(after clock: HybridTime) -> Renewal? {
        renewingLife.map { Renewal(life: $0, lane: lane, clock: clock, signer: renewingSigner?.signer) }
    }
}
