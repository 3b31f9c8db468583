import BatonCore

/// The schema of a lane's database.
///
/// It consists of numbered steps of SQL, which are run in their order.
package struct Schema: Sendable {
    /// The steps, in order.
    ///
    /// Once a step was released, it is never changed.
    private let steps: [String]

    /// The schema of this version.
    package static let lane = Schema(steps: [
        String(decoding: PackageResources.m0001_lane_sql, as: UTF8.self)
    ])

    /// Returns a schema with one more step, as a later version may have.
    package func followed(by step: String) -> Schema { Schema(steps: steps + [step]) }

    /// The number of steps, which is the number of the newest schema.
    package var newest: Int { steps.count }

    /// Returns the SQL of a step, by its number from 1 on.
    package func text(of step: Int) -> String { steps[step - 1] }

    /// The application identifier that marks a file as a database of Baton: `batn` in ASCII.
    private static let application: Int64 = 0x6261_746e

    /// Returns the number of the schema that a database has.
    static func version(of connection: Connection) throws(StoreFailure) -> Int {
        Int(try connection.setting("user_version"))
    }

    /// Throws if a file is no database of Baton, or has a schema that this version does not know.
    ///
    /// The file is not changed.
    func demandKnown(_ connection: Connection, path: String) throws(StoreFailure) {
        let version = try connection.setting("user_version")
        let application = try connection.setting("application_id")
        guard version >= 0, application == Self.application || (application == 0 && version == 0) else {
            throw StoreFailure(.damaged, "\(path) is not a database of Baton")
        }
        guard version <= newest else {
            throw StoreFailure(
                .newer, "\(path) was written by a newer version of Baton; this one knows schema \(newest)")
        }
    }

    /// Throws if a database does not have the newest schema.
    func demandNewest(_ connection: Connection, path: String) throws(StoreFailure) {
        try demandKnown(connection, path: path)
        guard try Self.version(of: connection) == newest else {
            throw StoreFailure(
                .readOnly, "\(path) must be changed for this version of Baton before it is read")
        }
    }

    /// Runs the steps that a database lacks, up to the step `last` or the newest step.
    ///
    /// Each step is run completely or not at all.
    func prepare(
        _ connection: Connection, path: String, upTo last: Int? = nil
    ) throws(StoreFailure) {
        try demandKnown(connection, path: path)
        let version = try Self.version(of: connection)
        for number in version..<max(version, last ?? newest) {
            try connection.atomically { () throws(StoreFailure) in
                try connection.script(text(of: number + 1))
                try connection.script(
                    "PRAGMA application_id = \(Self.application); PRAGMA user_version = \(number + 1)")
            }
        }
    }
}
