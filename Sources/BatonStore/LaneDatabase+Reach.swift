import BatonCore

/// Writes with times that no wall clock shows: own writes with earlier stamps do not count beside them.
///
/// Nothing is looked up until such a write comes, which is the rule.
extension LaneDatabase {
    /// Reads whether such a write ever came.
    func loadReach() throws(StoreFailure) {
        progress.hasUnreachable = try !notes(in: .outOfReach).isEmpty
    }

    /// Lets the clock follow a transaction, and notes the first write with such a time.
    ///
    /// The write is noted even if the clock follows its time: own writes may be under way with earlier stamps.
    func follow(_ transaction: StoreTransaction) throws(StoreFailure) {
        let clock = progress.clock
        progress.clock =
            transaction.isNamedHere ? max(clock, transaction.clock) : clock.following(transaction.clock)
        guard !progress.hasUnreachable, transaction.writes.contains(where: \.hasUnbelievedTime) else {
            return
        }
        progress.hasUnreachable = true
        try keep(LocalNote(space: .outOfReach, name: [1], value: [1]))
    }

    /// The records in which writes of a transaction of this device do not count.
    func outranked(by transaction: StoreTransaction) throws(StoreFailure) -> [RecordIdentity] {
        guard progress.hasUnreachable, transaction.isNamedHere else { return [] }
        var found: [RecordIdentity] = []
        for write in transaction.newWrites where try isOutranked(write) { found.append(write.identity) }
        guard let batch = transaction.batch, let open = progress.staging[batch.identifier] else {
            return found
        }
        // A store that puts everything off does nothing at once.
        let most = recordsAtOnce + 1
        for start in stride(from: 0, to: open.count, by: most) {
            let places = start..<min(start + most, open.count)
            for (place, draft) in try stagedDrafts(StagedNumber.range(open.number, places)) {
                guard let write = batch.newWrite(draft, at: place), try isOutranked(write) else { continue }
                found.append(write.identity)
            }
        }
        return found
    }

    private func isOutranked(_ write: NewWrite) throws(StoreFailure) -> Bool {
        if case .clear(let clear) = write.effect { return try leavesSurvivors(write, in: clear.scope) }
        return write.isOutranked(by: try storedRecord(write.identity)?.record, progress.clears)
    }

    /// Whether a clear leaves something that is there in its scope.
    private func leavesSurvivors(_ clear: NewWrite, in scope: Scope) throws(StoreFailure) -> Bool {
        // Full writes and counts alone have a scope, and counts alone a base.
        let query = """
            SELECT scope, coalesce(base, time) AS begun, coalesce(base_life, time_life) FROM writes
            WHERE scope >= ? AND scope < ? AND begun > ?
            """
        let values: [SQLiteValue] = [
            .blob(scope.encoded), .blob(scope.encoded + [0xff]),
            .integer(HybridTime.largestBelieved.value),
        ]
        var hasSurvivors = false
        try connection.statement(query).rows(values) { (row) throws(StoreFailure) in
            let (place, begun) = (try self.scope(row.blob(0)), try self.stamp(row, from: 1))
            hasSurvivors =
                clear.isSurvived(by: place, begun: begun) && !progress.unswept.covers(place, begun)
            return !hasSurvivors
        }
        return hasSurvivors
    }
}
