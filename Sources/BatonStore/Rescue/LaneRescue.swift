package import BatonCore

/// The outcome of the rescue of a damaged database.
package struct LaneRescue: Equatable, Sendable {
    package let lane: Lane
    /// The damage that was found.
    package let cause: StoreFailure
    /// The path of the damaged database now.
    package let file: String
    /// The number of writes that could be read.
    package let writes: Int
    /// Whether something could not be read.
    package let hasLosses: Bool
    /// Whether the journal beside the database belongs to another one, so that it was not read.
    package let hasForeignJournal: Bool

    /// Creates the outcome of a rescue.
    package init(
        lane: Lane, cause: StoreFailure, file: String, writes: Int, hasLosses: Bool,
        hasForeignJournal: Bool = false
    ) {
        (self.lane, self.cause, self.file) = (lane, cause, file)
        (self.writes, self.hasLosses) = (writes, hasLosses)
        self.hasForeignJournal = hasForeignJournal
    }
}

/// The facts that a rescue needs in addition to the files.
struct RescueRequest {
    let account: AccountIdentifier
    let device: DeviceIdentifier?
    let day: String
    let watch: RescueWatch

    func owner(of lane: Lane) -> LaneOwner { LaneOwner(account: account, device: device, lane: lane) }
}

extension LaneRescue {
    /// Rescues a lane, and replaces the damaged database, which nobody has open, with a new one.
    static func perform(
        on files: LaneFiles, _ request: RescueRequest, because cause: StoreFailure, isAlone: Bool
    ) throws(StoreFailure) -> LaneRescue {
        request.watch.note(files.lane, writes: 0)
        let outcome = try fill(files, request, isAlone: isAlone)
        try files.endDraft()
        guard let file = try files.takeSuccessor(on: request.day) else {
            throw StoreFailure(.failed, "\(files.path) could not be renamed")
        }
        return LaneRescue(
            lane: files.lane, cause: cause, file: file, writes: outcome.writes,
            hasLosses: outcome.hasLosses, hasForeignJournal: outcome.hasForeignJournal)
    }

    private typealias Outcome = (writes: Int, hasLosses: Bool, hasForeignJournal: Bool)

    /// Fills the new database, and closes both; if the rows that were read contradict each other, it stays empty.
    private static func fill(
        _ files: LaneFiles, _ request: RescueRequest, isAlone: Bool
    ) throws(StoreFailure) -> Outcome {
        do throws(StoreFailure) {
            return try fill(files, request, from: source(files, request, isAlone: isAlone))
        } catch {
            guard error.code == .damaged else { throw error }
            return try fill(files, request, from: nil)
        }
    }

    private static func fill(
        _ files: LaneFiles, _ request: RescueRequest, from source: DamagedDatabase?
    ) throws(StoreFailure) -> Outcome {
        try files.beginDraft()
        let target = try LaneDatabase(
            lane: files.lane, path: files.draft, fileSystem: files.folder.fileSystem,
            account: request.account, device: request.device)
        guard let source else {
            if files.lane == .index { try target.tables.notes.requestReindexing(.all, of: nil) }
            try target.seal()
            return (0, true, false)
        }
        let rescuer = LaneRescuer(source, target, request.watch)
        try rescuer.run(request.owner(of: files.lane))
        // Only the file is renamed: its log would be lost if SQLite failed to move it into the file as it closes.
        try target.seal()
        // The changes in the right journal are lost.
        return (rescuer.count, rescuer.hasLosses || source.isAlone, source.isAlone)
    }

    /// Opens the damaged database, without its journal if that belongs to another database: rows of two databases must
    /// not be mixed.
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
