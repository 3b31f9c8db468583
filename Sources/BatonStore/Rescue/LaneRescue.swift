package import BatonCore

/// The outcome of the rescue of a damaged database.
package struct LaneRescue: Equatable, Sendable {
    package let lane: Lane
    /// The damage that was found.
    package let cause: StoreFailure
    /// The path that the damaged database has after the rescue.
    package let file: String
    /// The number of writes that could be read.
    package let writes: Int
    /// Whether something could not be read.
    package let hasLosses: Bool
    /// Whether the journal of the database was ignored because it belongs to another database.
    package let hasForeignJournal: Bool
    /// The tables of which some pages could not be read.
    package let damaged: [DamagedTable]
    /// Whether the database was read page by page.
    ///
    /// This is done if a damaged page prevents SQLite from reaching other pages.
    package let isPageByPage: Bool

    /// Creates the outcome of a rescue.
    package init(
        lane: Lane, cause: StoreFailure, file: String, writes: Int, hasLosses: Bool,
        hasForeignJournal: Bool = false, damaged: [DamagedTable] = [], isPageByPage: Bool = false
    ) {
        (self.lane, self.cause, self.file) = (lane, cause, file)
        (self.writes, self.hasLosses) = (writes, hasLosses)
        self.hasForeignJournal = hasForeignJournal
        (self.damaged, self.isPageByPage) = (damaged, isPageByPage)
    }
}

/// The information that a rescue needs in addition to the files.
struct RescueRequest {
    let account: AccountIdentifier
    let device: DeviceIdentifier?
    let day: String
    let watch: RescueWatch

    func owner(of lane: Lane) -> LaneOwner { LaneOwner(account: account, device: device, lane: lane) }
}

extension LaneRescue {
    /// Rescues a lane: copies what can be read into a new database, which replaces the damaged one.
    ///
    /// The damaged database must not be open.
    static func perform(
        on files: LaneFiles, _ request: RescueRequest, because cause: StoreFailure, isAlone: Bool
    ) throws(StoreFailure) -> LaneRescue {
        request.watch.recordRescue(files.lane, writes: 0)
        let outcome = try fill(files, request, isAlone: isAlone)
        try files.endDraft()
        guard let file = try files.takeSuccessor(on: request.day) else {
            throw StoreFailure(.failed, "\(files.path) could not be renamed")
        }
        return LaneRescue(
            lane: files.lane, cause: cause, file: file, writes: outcome.writes,
            hasLosses: outcome.hasLosses, hasForeignJournal: outcome.isAlone, damaged: outcome.damaged,
            isPageByPage: outcome.isPageByPage)
    }

    /// The result of reading a damaged database.
    private struct Outcome {
        var writes = 0
        var hasLosses = true
        /// Whether the journal belongs to another database.
        var isAlone = false
        var damaged: [DamagedTable] = []
        var isPageByPage = false
    }

    /// A way to read a damaged database.
    private enum Way: CaseIterable {
        /// The tables are read by SQL queries.
        case query
        /// Each page is read by itself, without SQLite.
        case pages
    }

    /// Creates and fills the new database, and closes both databases.
    ///
    /// First, the damaged database is read by SQL queries. If SQLite can't reach all pages, each page is read by
    /// itself. If neither way gives consistent rows, the new database stays empty.
    private static func fill(
        _ files: LaneFiles, _ request: RescueRequest, isAlone: Bool
    ) throws(StoreFailure) -> Outcome {
        for way in Way.allCases {
            do throws(StoreFailure) {
                let outcome = try fill(files, request, isAlone: isAlone, by: way)
                try files.removeSalvaged()
                if let outcome { return outcome }
            } catch {
                guard error.code == .damaged else { throw error }
            }
        }
        let target = try makeTarget(files, request)
        if files.lane == .index { try target.tables.notes.requestReindexing(.all, of: nil) }
        try target.seal()
        return Outcome()
    }

    /// Creates the new database, without rows.
    private static func makeTarget(
        _ files: LaneFiles, _ request: RescueRequest
    ) throws(StoreFailure) -> LaneDatabase {
        try files.beginDraft()
        return try LaneDatabase(
            lane: files.lane, path: files.draft, fileSystem: files.folder.fileSystem,
            account: request.account, device: request.device)
    }

    /// Fills the new database in one way; returns nil if the other way would read more.
    private static func fill(
        _ files: LaneFiles, _ request: RescueRequest, isAlone: Bool, by way: Way
    ) throws(StoreFailure) -> Outcome? {
        let target = try makeTarget(files, request)
        var outcome = Outcome()
        let source: DamagedDatabase
        var hasLosses = false
        switch way {
        case .query:
            guard let found = try self.source(files, request, isAlone: isAlone) else { return nil }
            let survey = try survey(files, request, target, isAlone: found.isAlone)
            guard !survey.hides(Set(SalvagedDatabase.tables)) else { return nil }
            (source, outcome.damaged) = (found, survey.damagedTables)
        case .pages:
            let found = try salvage(files, request, target, isAlone: isAlone)
            (source, outcome.damaged, hasLosses) = (found.source, found.damaged, found.hasLosses)
            outcome.isPageByPage = true
        }
        let rescuer = LaneRescuer(source, target, request.watch, hasLosses: hasLosses)
        try rescuer.run(request.owner(of: files.lane))
        // Only the database file is renamed, so the log must be moved into the file first. SQLite would also do this
        // when it closes the file, but it would not report a failure.
        try target.seal()
        // If the journal belongs to another database, the changes in the right journal are lost.
        (outcome.writes, outcome.hasLosses) = (rescuer.count, rescuer.hasLosses || source.isAlone)
        outcome.isAlone = source.isAlone
        return outcome
    }

    /// Checks all pages of the damaged database.
    private static func survey(
        _ files: LaneFiles, _ request: RescueRequest, _ target: LaneDatabase, isAlone: Bool
    ) throws(StoreFailure) -> PageSurvey {
        try PageSurvey(
            PageFile(files, isAlone: isAlone), like: target.tables.rows.connection.trees(),
            watch: request.watch)
    }

    /// Reads each page by itself into a temporary database.
    ///
    /// If the journal belongs to another database, it is ignored.
    private static func salvage(
        _ files: LaneFiles, _ request: RescueRequest, _ target: LaneDatabase, isAlone: Bool
    ) throws(StoreFailure) -> (source: DamagedDatabase, damaged: [DamagedTable], hasLosses: Bool) {
        try files.removeSalvaged()
        let survey = try survey(files, request, target, isAlone: isAlone)
        let salvaged = try SalvagedDatabase(
            at: files.salvaged, survey, like: target.tables.rows.connection,
            fileSystem: files.folder.fileSystem, watch: request.watch)
        let source = try DamagedDatabase(
            salvaged.connection, of: files.path, isAlone: isAlone, watch: request.watch)
        guard !isAlone, let found = try source.owner(else: files.lane), let tag = found.tag,
            tag != found.owner.tag
        else { return (source, survey.damagedTables, salvaged.hasLosses) }
        return try salvage(files, request, target, isAlone: true)
    }

    /// Opens the damaged database.
    ///
    /// If the journal belongs to another database, it is ignored, because rows of two databases must not be mixed.
    private static func source(
        _ files: LaneFiles, _ request: RescueRequest, isAlone: Bool
    ) throws(StoreFailure) -> DamagedDatabase? {
        let open = { (isAlone: Bool) throws(StoreFailure) in
            try DamagedDatabase(
                path: files.path, fileSystem: files.folder.fileSystem, isAlone: isAlone, watch: request.watch)
        }
        let source = try open(isAlone)
        guard !isAlone, let found = try source?.owner(else: files.lane), let tag = found.tag,
            tag != found.owner.tag
        else { return source }
        return try open(true)
    }
}
