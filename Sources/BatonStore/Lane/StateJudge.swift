import BatonCore

/// Decides which client states are shown to apps.
///
/// A state is shown if this store claims everything that the state covers.
final class StateJudge: LanePart {
    /// Only the index has client states.
    private var hasStates: Bool { tables.rows.lane == .index }

    /// Judges the client states that a commit may affect, and returns the names of those whose shown state has changed.
    func judge(
        after arriving: StoreTransaction? = nil, since standing: LaneState,
        _ changed: [RecordIdentity: Record]
    ) throws(StoreFailure) -> [ClientStateName] {
        guard hasStates else { return [] }
        var concerned: Set<RecordIdentity> = []
        // No client state is shown while a snapshot is incomplete.
        let concernsAll = arriving?.range != nil && standing.isWhole && !transaction.state.isWhole
        for (identity, record) in changed {
            if identity.kind == .clientState {
                concerned.insert(identity)
            } else if let clear = record.clear {
                concerned.formUnion(try tables.states.identities(within: clear.scope))
            }
        }
        if concernsAll {
            concerned.formUnion(try tables.records.stateIdentities())
        } else if !transaction.state.states.isEmpty {
            let claims = transaction.state.claims.complete.beyond(standing.claims.complete)
            concerned.formUnion(transaction.state.states.released(by: claims))
        }
        var names: [ClientStateName] = []
        for identity in concerned.sorted() {
            if let name = try judge(identity, changed[identity]) { names.append(name) }
        }
        return names
    }

    /// Judges all client states.
    func judgeAll() throws(StoreFailure) {
        transaction.state.states = HeldStates()
        guard hasStates else { return }
        for identity in try tables.records.stateIdentities() { _ = try judge(identity, nil) }
    }

    /// Whether there is anything to judge.
    func isNeeded() throws(StoreFailure) -> Bool {
        guard hasStates else { return false }
        return try !tables.records.stateIdentities().isEmpty
    }

    /// Judges one client state, and returns its name if the shown state has changed.
    private func judge(
        _ identity: RecordIdentity, _ known: Record?
    ) throws(StoreFailure) -> ClientStateName? {
        var record = known ?? Record(identity)
        if known == nil, let stored = try records.stored(identity) { record = stored.record }
        let shown = try shownState(identity)
        let name = shown?.name ?? ShownState(newestOf: record)?.name
        var clears: [Dot] = []
        for identity in name?.clears ?? [] {
            if let dot = try records.stored(identity)?.record.clearDot { clears.append(dot) }
        }
        let rule = StateRule(
            complete: transaction.state.claims.complete, dropped: transaction.state.tombstones.dropped,
            lineage: transaction.state.claims.lineage)
        let verdict = rule.verdict(on: record, shown: shown, clears: clears)
        transaction.state.states.file(identity, under: verdict.missing)
        guard verdict.shown != shown else { return nil }
        if let state = verdict.shown {
            try tables.states.show(state, of: identity)
        } else {
            try tables.states.hide(identity)
        }
        return name
    }

    // MARK: Queries

    /// Returns the client state that is shown for a record.
    func shownState(_ identity: RecordIdentity) throws(StoreFailure) -> ShownState? {
        try tables.states.shown(identity)
    }

    /// Returns the clears that at least one client state does not cover yet.
    func unseenClears() throws(StoreFailure) -> Set<RecordIdentity> {
        guard hasStates, transaction.state.lastClear > .none else { return [] }
        var unseen: Set<RecordIdentity> = []
        for identity in try tables.records.stateIdentities() {
            guard let state = try records.stored(identity)?.record else { continue }
            unseen.formUnion(
                try state.unseenClears(transaction.state.claims.lineage) { (clear) throws(StoreFailure) in
                    try records.stored(clear)?.record.clearDot
                })
        }
        return unseen
    }
}
