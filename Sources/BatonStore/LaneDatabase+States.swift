import BatonCore

/// Client states: what they cover, and which are shown.
extension LaneDatabase {
    /// Writes the client states that a batch ends with, once it is claimed.
    func end(
        _ states: [EndingState], of transaction: StoreTransaction, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> [Write] {
        guard !states.isEmpty else { return [] }
        let writes = states.map {
            $0.write(after: progress.complete, completing: transaction.completing, progress.lineage)
        }
        for write in writes { try merge(write, changed: &changed) }
        return writes
    }

    /// Judges the client states that a commit may have concerned; answers with the names whose shown one is another
    /// now.
    func judgeStates(
        after transaction: StoreTransaction, since standing: LaneProgress,
        _ changed: [RecordIdentity: Record]
    ) throws(StoreFailure) -> [ClientStateName] {
        guard lane == .index else { return [] }
        var concerned: Set<RecordIdentity> = []
        // At the beginning of a snapshot all that is shown goes.
        let concernsAll = transaction.range != nil && standing.isWhole && !progress.isWhole
        for (identity, record) in changed {
            if identity.kind == .clientState {
                concerned.insert(identity)
            } else if let clear = record.clear {
                concerned.formUnion(try shownIdentities(within: clear.scope))
            }
        }
        if concernsAll {
            concerned.formUnion(try stateIdentities())
        } else if !progress.held.isEmpty {
            concerned.formUnion(progress.held.released(by: progress.complete.beyond(standing.complete)))
        }
        var names: [ClientStateName] = []
        for identity in concerned.sorted() {
            if let name = try judge(identity, changed[identity]) { names.append(name) }
        }
        return names
    }

    /// Judges one client state; answers with its name if another is shown now.
    private func judge(
        _ identity: RecordIdentity, _ known: Record?
    ) throws(StoreFailure) -> ClientStateName? {
        var record = known ?? Record(identity)
        if known == nil, let stored = try storedRecord(identity) { record = stored.record }
        let shown = try shownState(identity)
        let name = shown?.name ?? ShownState(newestOf: record)?.name
        var clears: [Dot] = []
        for identity in name?.clears ?? [] {
            if let dot = try storedRecord(identity)?.record.clearDot { clears.append(dot) }
        }
        let rule = StateRule(
            complete: progress.complete, dropped: progress.dropped, lineage: progress.lineage)
        let verdict = rule.verdict(on: record, shown: shown, clears: clears)
        progress.held.file(identity, under: verdict.missing)
        guard verdict.shown != shown else { return nil }
        if let state = verdict.shown {
            try show(state, identity)
        } else {
            try connection.run("DELETE FROM shown_states WHERE hash = ?", .blob(identity.hash.bytes))
        }
        return name
    }

    /// Judges all client states as the store is opened: which of them wait is remembered in memory only.
    func loadStates() throws(StoreFailure) {
        guard lane == .index else { return }
        guard try !stateIdentities().isEmpty else { return }
        // The states shown were judged when they were written, so a read-only store finds nothing to change.
        guard !isReadOnly else { return try judgeAllStates() }
        try begin()
        do {
            try judgeAllStates()
            try finish()
        } catch {
            abandon()
            throw error
        }
    }

    /// Judges all client states, whatever was known of those that wait.
    func judgeAllStates() throws(StoreFailure) {
        progress.held = HeldStates()
        guard lane == .index else { return }
        for identity in try stateIdentities() { _ = try judge(identity, nil) }
    }

    // MARK: Rows

    /// The client state that is shown of a record.
    func shownState(_ identity: RecordIdentity) throws(StoreFailure) -> ShownState? {
        let query = """
            SELECT name, life, sequence, place, time, time_life, fields FROM shown_states WHERE hash = ?
            """
        return try connection.statement(query).first([.blob(identity.hash.bytes)]) {
            (row) throws(StoreFailure) in
            let dot = Dot(
                origin: Origin(life: try life(row.integer(1)), lane: lane), sequence: row.unsigned(2),
                place: UInt32(truncatingIfNeeded: row.integer(3)))
            let stamp = Stamp(
                time: HybridTime(value: row.unsigned(4)), life: try life(row.integer(5)))
            let name = row.blob(0)
            return try read(row.blob(6)) { (reader) throws(CBORError) in
                ShownState(
                    try ClientStateName(RecordKey(kind: .clientState, name: name)), dot: dot, stamp: stamp,
                    state: try ClientState(try Fields(from: &reader)))
            }
        }
    }

    private func show(_ shown: ShownState, _ identity: RecordIdentity) throws(StoreFailure) {
        try connection.run(
            """
            INSERT OR REPLACE INTO shown_states
                (hash, name, scope, life, sequence, place, time, time_life, fields)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .blob(identity.hash.bytes), .blob(shown.name.key.name),
            .blob(Scope.items(app: shown.name.app, index: shown.name.index).encoded),
            .integer(try number(of: shown.dot.origin.life)), .integer(shown.dot.sequence),
            .integer(Int64(shown.dot.place)), .integer(shown.stamp.time.value),
            .integer(try number(of: shown.stamp.life)), .blob(shown.state.fields.encoded))
    }

    /// The client states that are shown of a scope.
    private func shownIdentities(within scope: Scope) throws(StoreFailure) -> [RecordIdentity] {
        // As for writes, the first byte that no text begins with ends the range.
        try stateIdentities(
            "SELECT hash FROM shown_states WHERE scope >= ? AND scope < ?",
            [.blob(scope.encoded), .blob(scope.encoded + [0xff])])
    }

    /// All client states of which something is left.
    private func stateIdentities() throws(StoreFailure) -> [RecordIdentity] {
        try stateIdentities(
            "SELECT hash FROM records WHERE kind = ?", [.integer(RecordKind.clientState.rawValue)])
    }

    private func stateIdentities(
        _ query: String, _ values: [SQLiteValue]
    ) throws(StoreFailure) -> [RecordIdentity] {
        var identities: [RecordIdentity] = []
        try connection.statement(query).rows(values) { (row) throws(StoreFailure) in
            guard let hash = KeyHash(bytes: row.blob(0)) else { throw damaged(.outOfRange) }
            identities.append(RecordIdentity(kind: .clientState, hash: hash))
            return true
        }
        return identities
    }

    // MARK: Letting go

    /// Clears that some client state has not seen.
    func unseenClears(among clears: [Record]) throws(StoreFailure) -> Set<RecordIdentity> {
        guard lane == .index, !clears.isEmpty else { return [] }
        var (dots, unseen): ([RecordIdentity: Dot], Set<RecordIdentity>) = ([:], [])
        for clear in clears { dots[clear.identity] = clear.clearDot }
        for state in try records(of: .clientState) {
            unseen.formUnion(state.unseenClears(progress.lineage) { dots[$0] })
        }
        return unseen
    }
}

extension LaneProgress {
    /// Whether nothing was let go that this store never had, as it is in the middle of a snapshot.
    fileprivate var isWhole: Bool { dropped.isWithin(complete) }
}
