import BatonCore

/// The rows of `shown_states`: the client states from which indexing jobs may go on here.
struct StateTable {
    let rows: LaneRows

    /// Returns the client state that is shown for a record.
    func shown(_ identity: RecordIdentity) throws(StoreFailure) -> ShownState? {
        let query = """
            SELECT name, life, sequence, place, time, time_life, fields FROM shown_states WHERE hash = ?
            """
        return try rows.statement(query).first([.blob(identity.hash.bytes)]) {
            (row) throws(StoreFailure) in
            let (dot, stamp) = (try rows.dot(row, from: 1), try rows.stamp(row, from: 4))
            let name = row.blob(0)
            return try rows.decode(row.blob(6)) { (reader) throws(CBORError) in
                ShownState(
                    try ClientStateName(RecordKey(kind: .clientState, name: name)), dot: dot, stamp: stamp,
                    state: try ClientState(try Fields(from: &reader)))
            }
        }
    }

    /// Replaces the client state that is shown for a record.
    func show(
        _ shown: ShownState, of identity: RecordIdentity
    ) throws(StoreFailure) {
        try rows.run(
            """
            INSERT OR REPLACE INTO shown_states
                (hash, name, scope, life, sequence, place, time, time_life, fields)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .blob(identity.hash.bytes), .blob(shown.name.key.name),
            .blob(Scope.items(app: shown.name.app, index: shown.name.index).encoded),
            .integer(try rows.number(of: shown.dot.origin.life)), .integer(shown.dot.sequence),
            .integer(Int64(shown.dot.place)), .integer(shown.stamp.time.value),
            .integer(try rows.number(of: shown.stamp.life)), .blob(shown.state.fields.encoded))
    }

    /// Stops showing a client state for a record.
    func hide(_ identity: RecordIdentity) throws(StoreFailure) {
        try rows.run("DELETE FROM shown_states WHERE hash = ?", .blob(identity.hash.bytes))
    }

    /// Returns the records with a shown client state whose indexes are within a scope.
    func identities(within scope: Scope) throws(StoreFailure) -> [RecordIdentity] {
        try rows.stateIdentities(
            "SELECT hash FROM shown_states WHERE scope >= ? AND scope < ?",
            [.blob(scope.encoded), .blob(WriteTable.end(of: scope))])
    }
}

extension LaneRows {
    /// Returns the identities of client states whose hashes a query finds.
    func stateIdentities(
        _ query: String, _ values: [SQLiteValue]
    ) throws(StoreFailure) -> [RecordIdentity] {
        var identities: [RecordIdentity] = []
        try statement(query).rows(values) { (row) throws(StoreFailure) in
            guard let hash = KeyHash(bytes: row.blob(0)) else { throw damaged(.outOfRange) }
            identities.append(RecordIdentity(kind: .clientState, hash: hash))
            return true
        }
        return identities
    }
}
