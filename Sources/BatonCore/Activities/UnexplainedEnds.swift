/// Activities of this device that others ended, as long as it is not known whether a device took them over.
///
/// A device that takes an activity over writes where it went and then its end, in one transaction. But a snapshot brings
/// records in the order of their keys, and its records are passed on meanwhile: so the end may be here before it is
/// known where the activity went. It is certain that nobody took it over once the end is claimed, because a claim is of
/// whole transactions.
struct UnexplainedEnds: Sendable {
    private struct End {
        let name: ActivityName
        /// When what ended had begun.
        let started: WallTime
    }

    /// What is left of a record that is gone.
    private struct Remains {
        /// The deletion; nothing where a snapshot took the record, and what ended it was let go.
        let deletion: Dot?
    }

    /// By the record that each was.
    private var ends: [RecordIdentity: End] = [:]
    /// What is gone and not claimed yet.
    private var unclaimed: [RecordIdentity: Remains] = [:]

    /// The record of an activity of this device is now so.
    mutating func note(_ record: Record) {
        unclaimed[record.identity] = record.isThere ? nil : Remains(deletion: record.trace?.dot)
    }

    /// All of that is here by now, and no snapshot is on its way.
    mutating func note(complete: VersionVector) {
        guard !unclaimed.isEmpty else { return }
        unclaimed = unclaimed.filter { _, remains in remains.deletion.map { !complete.covers($0) } ?? false }
    }

    /// Others ended what had begun then.
    mutating func add(_ name: ActivityName, started: WallTime) {
        ends[name.identity] = End(name: name, started: started)
    }

    /// Its app has ended it as well, or begun anew, or it goes on: nobody asks any more.
    mutating func remove(_ name: ActivityName) { ends[name.identity] = nil }

    /// Whether it has ended, and how is not known.
    func contains(_ identity: RecordIdentity) -> Bool { ends[identity] != nil }

    /// Takes those of which it is known how they ended, in the order of their records.
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

    /// How it ended, if that is known; `last` is how its instance ended something last.
    private func ending(of end: End, by last: Activity.End?) -> CurrentActivities.Ending? {
        if let last, let taker = last.taker, last.time >= end.started {
            return .takenOver(by: taker, at: last.time)
        }
        // This device finished it itself and has lost that. What it did in the moment in which this began was before.
        if let last, last.time > end.started { return .finished }
        return unclaimed[end.name.identity] == nil ? .forgotten : nil
    }
}
