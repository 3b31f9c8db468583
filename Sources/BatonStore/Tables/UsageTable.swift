import BatonCore

/// The rows of the table `usage`, which say how much each app has in its indexes.
struct UsageTable {
    let rows: LaneRows

    /// Adds an amount to the row of an app.
    ///
    /// The row is removed if the app then has no items and no clears.
    func add(_ amount: AppUsage.Amount, to app: [UInt8]) throws(StoreFailure) {
        try rows.run(
            """
            INSERT INTO usage (app, items, bytes, clears) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes,
                clears = clears + excluded.clears
            """, .blob(app), .integer(Int64(amount.items)), .integer(Int64(amount.bytes)),
            .integer(Int64(amount.clears)))
        try rows.run("DELETE FROM usage WHERE app = ? AND items = 0 AND clears = 0", .blob(app))
    }

    /// Returns how much an app has.
    ///
    /// `app` is the encoded first part of the app's scopes.
    func amount(of app: [UInt8]) throws(StoreFailure) -> AppUsage.Amount {
        try rows.statement("SELECT items, bytes, clears FROM usage WHERE app = ?").first([.blob(app)]) {
            (row) throws(StoreFailure) in
            AppUsage.Amount(
                items: Int(row.integer(0)), bytes: Int(row.integer(1)), clears: Int(row.integer(2)))
        } ?? AppUsage.Amount()
    }

    /// Returns the number of items that all apps except `apps` have together.
    func itemCount(without apps: Set<String> = []) throws(StoreFailure) -> Int {
        let all =
            try rows.statement("SELECT total(items) FROM usage").first([]) { (row) in Int(row.integer(0)) }
        var count = all ?? 0
        for app in apps { count -= try amount(of: Scope.app(app).encoded).items }
        return max(count, 0)
    }

    /// Returns the encoded first part of the scopes of each app that has a row.
    func apps() throws(StoreFailure) -> Set<[UInt8]> {
        var apps: Set<[UInt8]> = []
        try rows.statement("SELECT app FROM usage").rows([]) { (row) in
            apps.insert(row.blob(0))
            return true
        }
        return apps
    }

    /// Reads the number of the last record that is counted; nil if all records are counted.
    func counted() throws(StoreFailure) -> Int64? {
        let through = try rows.statement("SELECT through FROM usage_progress").first([]) {
            (row) throws(StoreFailure) -> Int64? in row.isNull(0) ? nil : row.integer(0)
        }
        return through ?? 0
    }

    /// Stores the number of the last record that is counted; nil if all records are counted.
    func keepCounted(_ through: Int64?) throws(StoreFailure) {
        try rows.run("UPDATE usage_progress SET through = ?", through.map { .integer($0) } ?? .null)
    }
}
