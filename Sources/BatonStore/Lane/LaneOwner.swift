import BatonCore

/// The account, device and lane to which a database belongs.
struct LaneOwner: Equatable {
    let account: AccountIdentifier
    /// The device to which the database belongs; nil if the caller or the database does not know the device.
    var device: DeviceIdentifier?
    let lane: Lane

    /// Reads the owner of a database, and the tag that must match the owner.
    ///
    /// Returns nil if the database has no owner yet. If the database names no lane, the owner has `lane`, and
    /// `isComplete` is false.
    static func read(
        _ connection: Connection, else lane: Lane
    ) throws(StoreFailure) -> (owner: LaneOwner, isComplete: Bool, tag: [UInt8]?)? {
        let tag = try connection.statement("SELECT owner FROM progress").first([]) {
            (row) throws(StoreFailure) in row.isNull(0) ? nil : row.blob(0)
        }
        return try connection.statement("SELECT identifier, lane, device FROM account").first([]) {
            (row) throws(StoreFailure) in
            guard let account = AccountIdentifier(bytes: row.blob(0)[...]) else {
                throw StoreFailure(.damaged, "the database does not say to which account it belongs")
            }
            let known = row.isNull(1) ? nil : Lane(rawValue: UInt8(truncatingIfNeeded: row.integer(1)))
            let device = row.isNull(2) ? nil : DeviceIdentifier(bytes: row.blob(2)[...])
            let owner = LaneOwner(account: account, device: device, lane: known ?? lane)
            return (owner, known != nil, tag ?? nil)
        }
    }

    /// A short hash of the owner, which every transaction writes.
    var tag: [UInt8] {
        Array(SHA256.digest(account.bytes + [lane.rawValue] + (device?.bytes ?? [])).prefix(16))
    }

    /// Throws if this owner of the database at `path` is not the expected owner.
    func demand(_ expected: LaneOwner, at path: String) throws(StoreFailure) {
        guard account == expected.account else {
            throw StoreFailure(
                .foreign,
                """
                \(path) belongs to another account (\(account.short)), and the identity in this home to \
                \(expected.account.short): the database or the folder `identity` was put here from elsewhere
                """)
        }
        if let device, let own = expected.device, device != own {
            throw StoreFailure(
                .foreign,
                """
                \(path) belongs to another device of this account (\(device.short)), and the identity in this home is \
                that of \(own.short): the database or the folder `identity` was put here from elsewhere
                """)
        }
        guard lane == expected.lane else {
            throw StoreFailure(
                .foreign,
                """
                \(path) holds \(lane == .index ? "the index" : "activities"), and should hold \
                \(lane == .index ? "activities" : "the index"): the files activities.sqlite and index.sqlite have \
                probably been exchanged, so give each the other's name
                """)
        }
    }

    /// Makes this owner the owner of a database that has none.
    ///
    /// Throws if the database belongs to another owner, or if its journal belongs to another database.
    func claim(_ connection: Connection, at path: String) throws(StoreFailure) {
        guard let found = try Self.read(connection, else: lane) else {
            return try write(
                to: connection, "INSERT INTO account (only, identifier, lane, device) VALUES (1, ?, ?, ?)")
        }
        if let tag = found.tag, tag != found.owner.tag { throw Self.foreignJournal(path) }
        try found.owner.demand(self, at: path)
        guard !found.isComplete || (found.owner.device == nil && device != nil) else { return }
        var owner = self
        owner.device = device ?? found.owner.device
        try owner.write(to: connection, "UPDATE account SET identifier = ?, lane = ?, device = ?")
    }

    /// Returns the failure for a database whose journal belongs to another database.
    static func foreignJournal(_ path: String) -> StoreFailure {
        StoreFailure(.damaged, "the journal \(path)-wal belongs to another database")
    }

    private func write(to connection: Connection, _ statement: String) throws(StoreFailure) {
        try connection.atomically { () throws(StoreFailure) in
            try connection.run(
                statement, .blob(account.bytes), .integer(Int64(lane.rawValue)),
                device.map { .blob($0.bytes) } ?? .null)
            try connection.run("UPDATE progress SET owner = ?", .blob(tag))
        }
    }
}
