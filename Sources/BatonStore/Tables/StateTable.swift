import BatonCore

/// The rows of the table `shown_states`, which has the client states that are shown to apps on this device.
struct StateTable {
    let rows: LaneRows

    /// Returns the client state that is shown for a record; nil if none is shown.
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

    /// Returns the records whose client state is shown and belongs to an index within a scope.
    func identities(within scope: Scope) throws(StoreFailure) -> [RecordIdentity] {
        try rows.stateIdentities(
            "SELECT hash FROM shown_states WHERE scope >= ? AND scope < ?",
            [.blob(scope.encoded), .blob(WriteTable.end(of: scope))])
    }
}

extension LaneRows {
    /// Returns the identities of the client states whose hashes are in the first column of a query.
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
