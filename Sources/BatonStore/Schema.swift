import BatonCore

/// Brings a database up to the schema of this version, one numbered step after the other.
enum Schema {
    /// The steps, in order.
    ///
    /// One that was released is never changed.
    private static let steps: [[UInt8]] = [
        PackageResources.m0001_lane_sql, PackageResources.m0002_states_sql, PackageResources.m0003_search_sql,
        PackageResources.m0004_batches_sql,
    ]

    /// Marks a file as one of ours: `batn`.
    private static let application: Int64 = 0x6261_746e

    /// Checks whose file it is, then takes the steps that it lacks, each whole or not at all.
    static func prepare(_ connection: Connection, path: String) throws(StoreFailure) {
        let version = try pragma("user_version", connection)
        let application = try pragma("application_id", connection)
        guard version >= 0, application == Self.application || (application == 0 && version == 0) else {
            throw StoreFailure(.damaged, "\(path) is not a database of Baton")
        }
        guard version <= steps.count else {
            throw StoreFailure(
                .newer,
                "\(path) was written by a newer version of Baton; this one knows schema \(steps.count)")
        }
        for number in Int(version)..<steps.count {
            try connection.script("BEGIN IMMEDIATE")
            do {
                try connection.script(String(decoding: steps[number], as: UTF8.self))
                try connection.script(
                    "PRAGMA application_id = \(Self.application); PRAGMA user_version = \(number + 1)")
                try connection.script("COMMIT")
            } catch {
                if connection.isInTransaction { try connection.script("ROLLBACK") }
                throw error
            }
        }
    }

    private static func pragma(_ name: String, _ connection: Connection) throws(StoreFailure) -> Int64 {
        try connection.statement("PRAGMA \(name)").first([]) { (row) throws(StoreFailure) in row.integer(0) }
            ?? 0
    }
}
