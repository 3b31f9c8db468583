/// Activities of this device that others ended, as long as it is not known whether a device took them over.
///
/// A device that takes an activity over writes where it went and then its end, in one transaction. But a snapshot
/// brings records in the order of their keys, and they are passed on before it is complete: so the end may arrive
/// before the record that says where the activity went. Once the end is claimed and no such record is here, nobody took
/// the activity over, because a claim covers whole transactions.
struct UnexplainedEnds: Sendable {
    private struct End {
        let name: ActivityName
        /// When the ended activity had begun.
        let started: WallTime
    }

    /// The remains of a deleted record.
    private struct Remains {
        /// The deletion; nil if a snapshot removed the record because its deletion was garbage-collected.
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

    /// Notes that everything up to these claims is here, and no snapshot is on its way.
    mutating func recordClaims(_ complete: VersionVector) {
        guard !unclaimed.isEmpty else { return }
        unclaimed = unclaimed.filter { _, remains in remains.deletion.map { !complete.covers($0) } ?? false }
    }

    /// Notes that others ended the activity that had begun at `started`.
    mutating func add(_ name: ActivityName, started: WallTime) {
        ends[name.identity] = End(name: name, started: started)
    }

    /// Removes an activity because its app has ended it, too, or has started another one, or because it continues.
    mutating func remove(_ name: ActivityName) { ends[name.identity] = nil }

    /// Whether others ended the activity, and it is not known how.
    func contains(_ identity: RecordIdentity) -> Bool { ends[identity] != nil }

    /// Removes and returns the ends that have been explained, in the order of their records.
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

    /// Returns how an activity ended, or nil if that is not known yet; `last` is the last known end in the same record.
    private func ending(of end: End, by last: Activity.End?) -> CurrentActivities.Ending? {
        if let last, let taker = last.taker, last.time >= end.started {
            return .takenOver(by: taker, at: last.time)
        }
        // This device finished the activity itself, and has lost that state. An end at the very moment at which this
        // activity began belongs to an earlier activity.
        if let last, last.time > end.started { return .finished }
        return unclaimed[end.name.identity] == nil ? .forgotten : nil
    }
}
