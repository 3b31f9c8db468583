/// The activities of this device that other devices ended, while it is not known whether a device took them over.
///
/// A device that takes an activity over writes two things in one transaction: first where the activity went, then its
/// end. But a snapshot brings records in the order of their keys, and the store passes them on before the snapshot is
/// complete. So the end may arrive before the record that says where the activity went.
///
/// A claim covers whole transactions. So if the end is claimed and no such record is here, nobody took the activity
/// over.
struct UnexplainedEnds: Sendable {
    private struct End {
        let name: ActivityName
        /// The time at which the ended activity began.
        let started: WallTime
    }

    /// The part that is left of a deleted record.
    private struct Remains {
        /// The deletion; nil if a snapshot removed the record, because its deletion had been garbage-collected.
        let deletion: Dot?
    }

    /// The unexplained ends, by the record of each activity.
    private var ends: [RecordIdentity: End] = [:]
    /// The deleted records whose deletions are not claimed yet.
    private var unclaimed: [RecordIdentity: Remains] = [:]

    /// Notes the present state of the record of an activity of this device.
    mutating func recordExplanation(_ record: Record) {
        unclaimed[record.identity] = record.isThere ? nil : Remains(deletion: record.tombstone?.dot)
    }

    /// Notes that everything up to these claims is here and that no snapshot is under way.
    mutating func recordClaims(_ complete: VersionVector) {
        guard !unclaimed.isEmpty else { return }
        unclaimed = unclaimed.filter { _, remains in remains.deletion.map { !complete.covers($0) } ?? false }
    }

    /// Notes that another device ended an activity; `started` is the time at which the activity began.
    mutating func add(_ name: ActivityName, started: WallTime) {
        ends[name.identity] = End(name: name, started: started)
    }

    /// Removes an activity, because its app has also ended it, has started another one, or because the activity goes
    /// on.
    mutating func remove(_ name: ActivityName) { ends[name.identity] = nil }

    /// Whether another device ended the activity and it is not known how the activity ended.
    func contains(_ identity: RecordIdentity) -> Bool { ends[identity] != nil }

    /// Removes the ends that have been explained, and returns them in the order of their records.
    mutating func takeExplained(by taken: TakenActivities) -> [(ActivityName, CurrentActivities.Ending)] {
        guard !ends.isEmpty else { return [] }
        var explained: [(ActivityName, CurrentActivities.Ending)] = []
        for (identity, end) in ends.sorted(by: { $0.key < $1.key }) {
            guard let ending = ending(of: end, by: taken.end(of: identity)) else { continue }
            explained.append((end.name, ending))
            ends[identity] = nil
        }
        return explained
    }

    /// Returns how an activity ended; nil if this is not known yet.
    ///
    /// `last` is the last known end of an activity with the same record.
    private func ending(of end: End, by last: Activity.End?) -> CurrentActivities.Ending? {
        if let last, let taker = last.taker, last.time >= end.started {
            return .takenOver(by: taker, at: last.time)
        }
        // This device finished the activity itself, and has lost that state. If the end has the very time at which this
        // activity began, it is the end of an earlier activity.
        if let last, last.time > end.started { return .finished }
        return unclaimed[end.name.identity] == nil ? .forgotten : nil
    }
}
