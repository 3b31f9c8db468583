import BatonCore

/// Writes whose time is out of reach of clocks: they stand for good, and what this device writes there does not count.
///
/// As long as none came, which is the rule, nothing is looked for.
extension LaneDatabase {
    /// Reads whether such a write ever came.
    func loadReach() throws(StoreFailure) {
        progress.isOutranked = try !notes(in: .outOfReach).isEmpty
    }

    /// Lets the clock follow a transaction, and takes note of writes that it does not follow.
    func follow(_ transaction: StoreTransaction) throws(StoreFailure) {
        let clock = progress.clock
        progress.clock =
            transaction.isNamedHere ? max(clock, transaction.clock) : clock.following(transaction.clock)
        guard !progress.isOutranked,
            transaction.writes.contains(where: { $0.isOutOfReach(of: progress.clock) })
        else { return }
        progress.isOutranked = true
        try keep(LocalNote(space: .outOfReach, name: [1], value: [1]))
    }

    /// The records in which writes of a transaction of this device do not count.
    func outranked(by transaction: StoreTransaction) throws(StoreFailure) -> [RecordIdentity] {
        guard progress.isOutranked, transaction.isNamedHere else { return [] }
        let clock = max(progress.clock, transaction.clock)
        var found: [RecordIdentity] = []
        for write in transaction.writes where write.dot.origin.life == write.stamp.life {
            if let clear = Record(write).clear {
                if try hasSurvivors(of: clear, at: clock) { found.append(write.identity) }
            } else if try isOutranked(write.identity, in: write.scope, at: clock, write.isOutranked) {
                found.append(write.identity)
            }
        }
        for late in transaction.late {
            let identity = late.action.key.identity
            if try isOutranked(identity, in: nil, at: clock, late.isOutranked) { found.append(identity) }
        }
        for state in transaction.states {
            let identity = state.name.key.identity
            let scope = Scope.items(app: state.name.app, index: state.name.index)
            let isLost = try isOutranked(identity, in: scope, at: clock) {
                $0.outranks(deletion: false, at: $1)
            }
            if isLost { found.append(identity) }
        }
        if let batch = transaction.batch, let open = progress.staging[batch.identifier] {
            found += try outranked(in: open, at: clock)
        }
        return found
    }

    private func outranked(
        in batch: OpenBatch, at clock: HybridTime
    ) throws(StoreFailure) -> [RecordIdentity] {
        var drafts: [Journal.Draft] = []
        var found: [RecordIdentity] = []
        var staged = StagedNumber.range(batch.number, 0..<batch.count)
        repeat {
            drafts = []
            let last = try stagedDrafts(staged, most: recordsAtOnce) { drafts.append($0) }
            for draft in drafts where !draft.key.kind.isClear {
                let identity = draft.key.identity
                if try isOutranked(identity, in: draft.scope, at: clock, draft.isOutranked) {
                    found.append(identity)
                }
            }
            if let last { staged = min(last + 1, staged.upperBound)..<staged.upperBound }
        } while !drafts.isEmpty
        return found
    }

    private func isOutranked(
        _ identity: RecordIdentity, in scope: Scope?, at clock: HybridTime,
        _ judge: (Record, HybridTime) -> Bool
    ) throws(StoreFailure) -> Bool {
        // What is permanent says the same, whoever writes it.
        guard !identity.kind.isPermanent else { return false }
        if let scope, progress.clears.outrank(scope, at: clock) { return true }
        return try storedRecord(identity).map { judge($0.record, clock) } ?? false
    }

    /// Whether something in the scope of a clear is there that no clear ends.
    private func hasSurvivors(of clear: Clear, at clock: HybridTime) throws(StoreFailure) -> Bool {
        let query = """
            SELECT 1 FROM writes WHERE scope >= ? AND scope < ? AND action = 0 AND time > ? LIMIT 1
            """
        let values: [SQLiteValue] = [
            .blob(clear.scope.encoded), .blob(clear.scope.encoded + [0xff]), .integer(clock.value),
        ]
        return try connection.statement(query).first(values) { (row) throws(StoreFailure) in row.integer(0) }
            != nil
    }
}

extension StoreTransaction {
    /// Whether the stamps of its writes were given by a clock here, rather than read.
    fileprivate var isNamedHere: Bool { isOwn && !completing.isEmpty }
}
