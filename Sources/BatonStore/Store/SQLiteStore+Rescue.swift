package import BatonCore

extension SQLiteStore {
    /// Opens the store in a folder, and rescues its damaged databases.
    ///
    /// A damaged database is renamed: `day` becomes a part of its name. Its readable content is then copied into a new
    /// database.
    ///
    /// The lanes in `damaged` are rescued without an attempt to open them. Any other problem is thrown and changes
    /// nothing, for example a database of a newer version, or a database that another program holds. Once this returns,
    /// `summary` can be read without an error. Every caller reads it first.
    package static func open(
        _ folder: StoreFolder, account: AccountIdentifier, device: DeviceIdentifier? = nil, day: String,
        damaged: [Lane: StoreFailure] = [:], watch: RescueWatch = RescueWatch()
    ) throws(StoreFailure) -> (store: SQLiteStore, rescues: [LaneRescue]) {
        let request = RescueRequest(account: account, device: device, day: day, watch: watch)
        var (rescues, damaged) = ([LaneRescue](), damaged)
        while true {
            let store = try openOnce(folder, request, damaged: damaged, &rescues)
            do throws(StoreFailure) {
                _ = try store.summary()
                return (store, rescues)
            } catch {
                guard error.code == .damaged else { throw error }
                damaged = Dictionary(store.damagedLanes.map { ($0, error) }) { first, _ in first }
            }
            try demandProgress(damaged, after: rescues)
        }
    }

    /// Throws if a lane that was just rescued is damaged again, or if no lane is known to be damaged.
    ///
    /// In both cases, another rescue would not help.
    private static func demandProgress(
        _ damaged: [Lane: StoreFailure], after rescues: [LaneRescue]
    ) throws(StoreFailure) {
        guard damaged.isEmpty || rescues.contains(where: { damaged[$0.lane] != nil }) else { return }
        throw StoreFailure(.failed, "the disk damages data as it is written; move the home to another disk")
    }

    private static func openOnce(
        _ folder: StoreFolder, _ request: RescueRequest, damaged: [Lane: StoreFailure],
        _ rescues: inout [LaneRescue]
    ) throws(StoreFailure) -> SQLiteStore {
        let databases = try PerLane { (lane) throws(StoreFailure) in
            let files = LaneFiles(lane: lane, folder: folder)
            // Finishes a rescue that was interrupted after everything was read.
            try files.takeSuccessor(on: request.day)
            let (database, rescue) = try open(files, request, damage: damaged[lane])
            if let rescue { rescues.append(rescue) }
            return database
        }
        return SQLiteStore(databases)
    }

    private static func open(
        _ files: LaneFiles, _ request: RescueRequest, damage: StoreFailure?
    ) throws(StoreFailure) -> (LaneDatabase, LaneRescue?) {
        let open = { () throws(StoreFailure) -> LaneDatabase in
            try LaneDatabase(
                lane: files.lane, path: files.path, fileSystem: files.folder.fileSystem,
                account: request.account, device: request.device, watch: request.watch)
        }
        var (cause, isAlone) = (damage, false)
        if cause == nil {
            do throws(StoreFailure) {
                return (try open(), nil)
            } catch {
                try request.watch.demandGoingOn()
                if error.code == .foreign { isAlone = try files.isOwn(withoutJournal: request) }
                guard error.code == .damaged || isAlone else { throw error }
                cause = isAlone ? LaneOwner.foreignJournal(files.path) : error
            }
        }
        guard let cause else { preconditionFailure("there is a cause if the database was not opened") }
        let rescue = try LaneRescue.perform(on: files, request, because: cause, isAlone: isAlone)
        do throws(StoreFailure) {
            return (try open(), rescue)
        } catch {
            guard error.code == .damaged else { throw error }
            throw StoreFailure(
                .failed, "the disk damages data as it is written; move the home to another disk: \(error)")
        }
    }

    /// The lanes in which data was read that differs from the data that was written.
    package var damagedLanes: [Lane] { databases.filter(\.hasSeenDamage).map(\.lane) }
}

extension LaneFiles {
    /// Whether the database, if read without its journal, has the right owner or is empty.
    ///
    /// If so, the journal belongs to another database.
    fileprivate func isOwn(withoutJournal request: RescueRequest) throws(StoreFailure) -> Bool {
        guard folder.exists(path + "-wal") else { return false }
        let alone = try DamagedDatabase(
            path: path, fileSystem: folder.fileSystem, isAlone: true, watch: request.watch)
        guard let owner = try alone?.owner(else: lane)?.owner else { return alone == nil }
        do throws(StoreFailure) {
            try owner.demand(request.owner(of: lane), at: path)
            return true
        } catch {
            return false
        }
    }
}
