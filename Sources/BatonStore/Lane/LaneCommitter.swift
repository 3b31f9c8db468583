import BatonCore

/// Commits the transactions of a lane: merges their writes, and claims what the transactions complete.
final class LaneCommitter {
    private let tables: LaneTables
    private let transaction: LaneTransaction
    private let records: RecordReader
    private let merger: RecordMerger
    private let claims: LaneClaims
    private let quarantine: LaneQuarantine
    private let states: StateJudge
    private let batches: BatchMerger
    private let search: SearchIndex
    private let usage: UsageCounter
    private let checks: LocalChecks
    private let snapshots: SnapshotReceiver

    init(
        _ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader,
        merger: RecordMerger, claims: LaneClaims, quarantine: LaneQuarantine, states: StateJudge,
        batches: BatchMerger, search: SearchIndex, usage: UsageCounter, checks: LocalChecks,
        snapshots: SnapshotReceiver
    ) {
        (self.tables, self.transaction, self.records) = (tables, transaction, records)
        (self.merger, self.claims, self.quarantine) = (merger, claims, quarantine)
        self.states = states
        self.batches = batches
        self.search = search
        self.usage = usage
        (self.checks, self.snapshots) = (checks, snapshots)
    }

    // MARK: Committing

    /// Stores the notes of a transaction, merges its writes, and claims what they complete.
    ///
    /// Either all of this is done, or nothing.
    ///
    /// If the condition of the transaction does not hold, nothing is merged, and only the dot of the transaction is
    /// used up.
    func commit(_ arriving: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        let dropped = transaction.state.tombstones.dropped
        let isPeerSetBack = arriving.sender.map { !dropped.isWithin($0) } ?? false
        try arriving.demandSound(isPeerSetBack: isPeerSetBack)
        return try transaction.atomically { () throws(StoreFailure) in
            for note in arriving.notes {
                try tables.notes.keep(note)
                if note.space == .keptActivity, transaction.state.searching.hasVectors {
                    try tables.vectors.remove(VectorTable.number(ofKept: note.name))
                }
            }
            var settled: StoreCommit?
            // Drafts are merged first. The range may remove a clear that ended a draft, and if the draft were merged
            // after that, it would reappear.
            if arriving.range != nil { try settle(while: \.isMerging, &settled) }
            let refusal = try checks.refusal(of: arriving) { () throws(StoreFailure) in
                try settle(while: \.isUnsettled, &settled)
            }
            if refusal != nil, let batch = arriving.batch { batches.discard(batch.identifier) }
            if refusal == nil { for note in try checks.notes(of: arriving) { try tables.notes.keep(note) } }
            var commit = try merge(
                refusal == nil ? arriving : arriving.emptied, isPeerSetBack: isPeerSetBack)
            commit.refusal = refusal
            return settled.map(commit.after) ?? commit
        }
    }

    private func merge(
        _ arriving: StoreTransaction, isPeerSetBack: Bool
    ) throws(StoreFailure) -> StoreCommit {
        let standing = transaction.state
        var commit = StoreCommit(head: .none, clock: .zero, changed: [])
        var changed: [RecordIdentity: Record] = [:]
        let ending = arriving.states.filter { !standing.claims.complete.covers($0.dot) }
        commit.outranked = try checks.outranked(by: arriving)
        let (doubtful, arrived) = try mergeWrites(
            arriving, isPeerSetBack: isPeerSetBack, &commit, changed: &changed)
        if let batch = arriving.batch { commit.passedOver += try batches.end(batch, changed: &changed) }
        try quarantine.quarantine(arriving, &commit)
        try quarantine.releaseOverwritten(in: Array(changed.values), &commit)
        try claim(arriving, &commit, changed: &changed)
        commit.additions += try end(ending, of: arriving, changed: &changed)
        try claims.follow(arriving)
        try snapshots.renew(arriving, arrived, doubtful: doubtful, changed: &changed)
        try keepPlace(arriving, &commit)
        try claims.notePromises(of: arriving)
        try claims.noteStream(arriving)
        commit.shown = try states.judge(after: arriving, since: standing, changed)
        if transaction.state.isWhole { commit.complete = transaction.state.claims.complete }
        return ended(commit, changed)
    }

    /// Merges the writes in the order of their places.
    ///
    /// `doubtful` has the records in which something may be older than what was garbage-collected. `arrived` has the
    /// merged writes if the peer lacks something that was garbage-collected here, and is empty otherwise.
    private func mergeWrites(
        _ arriving: StoreTransaction, isPeerSetBack: Bool, _ commit: inout StoreCommit,
        changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> (doubtful: Set<RecordIdentity>, arrived: [Write]) {
        var (removed, doubtful): (Set<RecordIdentity>, Set<RecordIdentity>) = ([], [])
        var isAllKnown = false
        if let range = arriving.range {
            isAllKnown = range.knowsAll(try claims.answered())
            (removed, doubtful) = try snapshots.remove(
                range, arriving, isAllKnown: isAllKnown, changed: &changed)
        }
        transaction.state.claims.renamed.subtract(arriving.writes.map(\.dot.origin.life))
        var arrived: [Write] = []
        try arriving.visitWrites { (write, late) throws(StoreFailure) in
            if let late { try merge(late, &commit, changed: &changed) }
            guard let write, !write.isEmpty,
                try isNews(write, of: arriving)
                    || write.takesPlace(ofRemoved: removed, isAllKnown: isAllKnown)
            else { return }
            try batches.mergeMoves(before: write, changed: &changed)
            try merger.merge(write, changed: &changed)
            if isPeerSetBack { arrived.append(write) }
        }
        return (doubtful, arrived)
    }

    /// Makes a late write of this device and merges it.
    ///
    /// The content of a late write depends on the stored record.
    private func merge(
        _ late: LateWrite, _ commit: inout StoreCommit, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        if let item = late.action.item {
            try batches.mergePending(of: item.key.identity, changed: &changed)
        }
        let made = try late.write { (identity) throws(StoreFailure) in
            try records.stored(identity)?.record
        }
        guard let made else {
            commit.passedOver += 1
            return
        }
        commit.additions.append(made)
        try merger.merge(made, changed: &changed)
    }

    /// Whether an arriving write is to be merged.
    ///
    /// All writes of a repair are merged. Other writes are merged if they are not claimed.
    ///
    /// In a snapshot, a claimed write that is stored here is merged, too: the snapshot may have only the part of the
    /// write that a clear left, and the clear itself may have been garbage-collected.
    private func isNews(_ write: Write, of arriving: StoreTransaction) throws(StoreFailure) -> Bool {
        if arriving.isRepair || !transaction.state.claims.complete.covers(write.dot) { return true }
        guard arriving.range != nil, let stored = try records.stored(write.identity) else { return false }
        return stored.writes.contains { $0.write.isSame(as: write) }
    }

    /// Claims what the transaction completes.
    ///
    /// If the transaction is the first of this device's life, the succession of that life is written, too.
    private func claim(
        _ arriving: StoreTransaction, _ commit: inout StoreCommit, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        let standing = transaction.state.claims
        if let succession = arriving.succession(after: standing.complete, standing.lineage) {
            try merger.merge(succession, changed: &changed)
            commit.additions.append(succession)
        }
        for record in changed.values { claims.recordSuccession(Succession(record)) }
        commit.isWithheld = try claims.claim(arriving.completing(unlessOf: standing.abandoned))
    }

    /// Writes the client states at the end of a batch, once the batch is claimed.
    private func end(
        _ states: [EndingState], of arriving: StoreTransaction, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> [Write] {
        guard !states.isEmpty else { return [] }
        let claims = transaction.state.claims
        let writes = states.map {
            $0.write(after: claims.complete, completing: arriving.completing, claims.lineage)
        }
        for write in writes { try merger.merge(write, changed: &changed) }
        return writes
    }

    /// Stores the place from which the sender of the transaction will resume.
    private func keepPlace(
        _ arriving: StoreTransaction, _ commit: inout StoreCommit
    ) throws(StoreFailure) {
        if let range = arriving.range {
            if try snapshots.keepProgress(range, arriving.resume) { commit.isWithheld = true }
        } else if let resume = arriving.resume {
            try tables.peers.keep(resume)
            if !arriving.completing.isEmpty { try snapshots.end(of: resume.peer) }
        }
    }

    private func ended(_ commit: StoreCommit, _ changed: [RecordIdentity: Record]) -> StoreCommit {
        var commit = commit
        commit.changed = changed.values.sorted { $0.identity < $1.identity }
        commit.head = transaction.state.head
        return commit
    }

    // MARK: Settling

    /// Does the next step of the remaining work of batches and clears, for about `most` records.
    func settle(most: Int) throws(StoreFailure) -> StoreCommit {
        let standing = transaction.state
        var commit = StoreCommit(head: .none, clock: .zero, changed: [])
        var changed: [RecordIdentity: Record] = [:]
        if standing.usage.counted != nil {
            try usage.count(most: most)
        } else if standing.isCountingWords {
            try search.countWords(most: most)
        } else if !standing.batches.pending.isEmpty {
            transaction.isMergingStep = true
            defer { transaction.isMergingStep = false }
            commit.passedOver = try batches.mergePending(most: most, changed: &changed)
        } else if !standing.clears.sweeps.isEmpty {
            try merger.goOnSweeping(most: most, changed: &changed)
        } else {
            try batches.removeDiscarded(most: most)
        }
        try quarantine.releaseOverwritten(in: Array(changed.values), &commit)
        commit.shown = try states.judge(since: standing, changed)
        return ended(commit, changed)
    }

    /// Repeats steps of settling in the open transaction while the condition holds, and adds their changes to
    /// `settled`.
    private func settle(
        while isNeeded: (LaneState) -> Bool, _ settled: inout StoreCommit?
    ) throws(StoreFailure) {
        while isNeeded(transaction.state) {
            let step = try settle(most: transaction.recordsAtOnce + 1)
            settled = settled.map(step.after) ?? step
        }
    }

    /// Returns how much work of batches and clears is left to settle.
    func unsettled() throws(StoreFailure) -> Unsettled {
        let state = transaction.state
        var left = Unsettled(toMerge: state.batches.pending.reduce(0) { $0 + $1.batch.count - $1.merged })
        for sweep in state.clears.sweeps {
            left.toClear += try tables.writes.count(
                in: sweep.clear.scope, after: sweep.after, most: Unsettled.countMost - left.toClear)
        }
        return left
    }
}
