/// Activities of this device that others ended, as long as it is not known whether a device took them over.
///
/// A device that takes an activity over writes where it went and then its end, in one transaction. But a snapshot
/// brings records in the order of their keys, and its records are passed on meanwhile: so the end may be here before it
/// is known where the activity went. It is certain that nobody took it over once the end is claimed, because a claim is
/// of whole transactions.
struct UnexplainedEnds: Sendable {
    private struct End {
        let name: ActivityName
        /// When the ended activity had begun.
        let started: WallTime
    }

    /// The remains of a record that is gone.
    private struct Remains {
        /// The deletion; nil where a snapshot removed the record, and its deletion was garbage-collected.
        let deletion: Dot?
    }

    /// The ends, by the record that each activity was.
    private var ends: [RecordIdentity: End] = [:]
    /// The records that are gone and whose end is not claimed yet.
    private var unclaimed: [RecordIdentity: Remains] = [:]

    /// Notes the record of an activity of this device as it is now.
    mutating func recordExplanation(_ record: Record) {
        unclaimed[record.identity] = record.isThere ? nil : Remains(deletion: record.tombstone?.dot)
    }

    /// Notes that everything up to these claims is here, and no snapshot is on its way.
    mutating func recordClaims(_ complete: VersionVector) {
        guard !unclaimed.isEmpty else { return }
        unclaimed = unclaimed.filter { _, remains in remains.deletion.map { !complete.covers($0) } ?? false }
    }

    /// Notes that others ended the activity that had begun then.
    mutating func add(_ name: ActivityName, started: WallTime) {
        ends[name.identity] = End(name: name, started: started)
    }

    /// Removes an activity because its app has ended it as well, or begun anew, or because it goes on.
    mutating func remove(_ name: ActivityName) { ends[name.identity] = nil }

    /// Whether it has ended, and how is not known.
    func contains(_ identity: RecordIdentity) -> Bool { ends[identity] != nil }

    /// Removes and returns the ends that are explained by now, in the order of their records.
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

    /// Returns how it ended, if that is known; `last` is how its instance ended something last.
    private func ending(of end: End, by last: Activity.End?) -> CurrentActivities.Ending? {
        if let last, let taker = last.taker, last.time >= end.started {
            return .takenOver(by: taker, at: last.time)
        }
        // This device finished it itself and has lost that. An end in the same moment in which this activity began is
        // that of an earlier one.
        if let last, last.time > end.started { return .finished }
        return unclaimed[end.name.identity] == nil ? .forgotten : nil
    }
}
