package import BatonCore

extension SQLiteStore {
    /// Opens the store in a folder; what is damaged is set aside under a name with the day, and rescued.
    ///
    /// Lanes that are known to be damaged are not looked at first. Whatever else is wrong with a database, such as that a
    /// newer version wrote it or another program holds it, is thrown, and nothing is changed.
    package static func open(
        _ folder: StoreFolder, account: AccountIdentifier, day: String, damaged: [Lane: StoreFailure] = [:]
    ) throws(StoreFailure) -> (store: SQLiteStore, rescues: [LaneRescue]) {
        var rescues: [LaneRescue] = []
        var databases: [LaneDatabase] = []
        for lane in [Lane.activities, .index] {
            let files = LaneFiles(lane: lane, folder: folder)
            // Cut off when all was read, and before it had its name.
            try files.takeSuccessor(on: day)
            let (database, rescue) = try open(files, account: account, day: day, damage: damaged[lane])
            databases.append(database)
            if let rescue { rescues.append(rescue) }
        }
        return (SQLiteStore(activities: databases[0], index: databases[1]), rescues)
    }

    private static func open(
        _ files: LaneFiles, account: AccountIdentifier, day: String, damage: StoreFailure?
    ) throws(StoreFailure) -> (LaneDatabase, LaneRescue?) {
        let open = { () throws(StoreFailure) -> LaneDatabase in
            try LaneDatabase(
                lane: files.lane, path: files.path, fileSystem: files.folder.fileSystem, account: account)
        }
        var cause = damage
        if cause == nil {
            do throws(StoreFailure) {
                return (try open(), nil)
            } catch {
                guard error.code == .damaged else { throw error }
                cause = error
            }
        }
        guard let cause else { preconditionFailure("a database that was not opened has a cause") }
        let rescue = try LaneRescue.perform(on: files, account: account, because: cause, day: day)
        return (try open(), rescue)
    }

    /// The lanes of which something was read that is not what was written.
    package var damagedLanes: [Lane] { databases.filter(\.connection.hasSeenDamage).map(\.lane) }

    /// Of a life that a node goes on with for the moment, nothing is claimed any more in a rescued lane, because what was
    /// written before is not here for certain.
    package func abandon(_ life: Life, in rescued: Lane) {
        database(rescued).progress.abandoned.insert(life)
    }
}

extension SQLiteLane {
    /// Whether something was read here that is not what was written.
    package var isDamaged: Bool { database.connection.hasSeenDamage }
}
