import BatonCore

/// Brings a database up to the schema of this version, one numbered step after the other.
package enum Schema {
    /// The steps, in order.
    ///
    /// One that was released is never changed.
    private static let steps: [[UInt8]] = [
        PackageResources.m0001_lane_sql, PackageResources.m0002_states_sql, PackageResources.m0003_search_sql,
        PackageResources.m0004_batches_sql, PackageResources.m0005_expiry_sql,
        PackageResources.m0006_activities_sql, PackageResources.m0007_owner_sql,
    ]

    /// How many steps there are: the number of the newest schema.
    package static var newest: Int { steps.count }

    /// What a step does, by its number from 1 on.
    package static func text(of step: Int) -> String { String(decoding: steps[step - 1], as: UTF8.self) }

    /// Marks a file as one of ours: `batn`.
    private static let application: Int64 = 0x6261_746e

    /// The schema that a database has.
    static func version(of connection: Connection) throws(StoreFailure) -> Int {
        Int(try connection.setting("user_version"))
    }

    /// Refuses a file that is not one of ours, or has a schema that this version does not know; nothing is changed.
    static func demandKnown(_ connection: Connection, path: String) throws(StoreFailure) {
        let version = try connection.setting("user_version")
        let application = try connection.setting("application_id")
        guard version >= 0, application == Self.application || (application == 0 && version == 0) else {
            throw StoreFailure(.damaged, "\(path) is not a database of Baton")
        }
        guard version <= steps.count else {
            throw StoreFailure(
                .newer,
                "\(path) was written by a newer version of Baton; this one knows schema \(steps.count)")
        }
    }

    /// Refuses a database of another schema than this version's, which would have to be changed before it is used.
    static func demandNewest(_ connection: Connection, path: String) throws(StoreFailure) {
        try demandKnown(connection, path: path)
        guard try version(of: connection) == newest else {
            throw StoreFailure(
                .readOnly, "\(path) must be changed for this version of Baton before it is read")
        }
    }

    /// Checks whose file it is, then takes the steps that it lacks, each whole or not at all, up to that schema.
    static func prepare(
        _ connection: Connection, path: String, upTo last: Int = newest
    ) throws(StoreFailure) {
        try demandKnown(connection, path: path)
        let version = try version(of: connection)
        for number in version..<max(version, last) {
            try connection.atomically { () throws(StoreFailure) in
                try connection.script(text(of: number + 1))
                try connection.script(
                    "PRAGMA application_id = \(Self.application); PRAGMA user_version = \(number + 1)")
            }
        }
    }
}
