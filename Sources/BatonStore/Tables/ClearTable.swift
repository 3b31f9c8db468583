import BatonCore

/// The rows of the table `sweeps`, which has the clears whose sweeps have not finished.
struct ClearTable {
    let rows: LaneRows

    /// Reads the sweeps that have not finished.
    func sweeps() throws(StoreFailure) -> [Sweep] {
        var sweeps: [Sweep] = []
        let query = "SELECT scope, time, time_life, after_scope, after_record FROM sweeps"
        try rows.statement(query).rows([]) { (row) throws(StoreFailure) in
            let stamp = try rows.stamp(row, from: 1)
            let clear = Clear(scope: try rows.scope(row.blob(0)), stamp: stamp)
            sweeps.append(Sweep(clear: clear, after: (row.blob(3), row.integer(4))))
            return true
        }
        return sweeps
    }

    /// Stores how far a sweep has come.
    func keep(_ sweep: Sweep) throws(StoreFailure) {
        try rows.run(
            """
            INSERT OR REPLACE INTO sweeps (scope, time, time_life, after_scope, after_record)
            VALUES (?, ?, ?, ?, ?)
            """,
            .blob(sweep.clear.scope.encoded), .integer(sweep.clear.stamp.time.value),
            .integer(try rows.number(of: sweep.clear.stamp.life)), .blob(sweep.after.scope),
            .integer(sweep.after.record))
    }

    /// Removes the sweep of a scope.
    func remove(_ scope: Scope) throws(StoreFailure) {
        try rows.run("DELETE FROM sweeps WHERE scope = ?", .blob(scope.encoded))
    }
}

/// The unfinished sweep of a clear.
struct Sweep: Equatable {
    let clear: Clear
    /// The place of the last record that was swept; the sweep continues after this place.
    var after: WriteTable.ScopePlace

    static func == (left: Self, right: Self) -> Bool {
        left.clear == right.clear && left.after == right.after
    }
}
