package import BatonCore

/// What came of the rescue of a damaged database.
package struct LaneRescue: Equatable, Sendable {
    package let lane: Lane
    /// What was wrong.
    package let cause: StoreFailure
    /// Where the damaged database lies now.
    package let file: String
    /// How many writes could be read.
    package let writes: Int
    /// Whether something could not be read.
    package let hasLosses: Bool

    /// Tells of a rescue.
    package init(lane: Lane, cause: StoreFailure, file: String, writes: Int, hasLosses: Bool) {
        (self.lane, self.cause, self.file) = (lane, cause, file)
        (self.writes, self.hasLosses) = (writes, hasLosses)
    }
}

extension LaneRescue {
    /// Rescues a lane, and puts the new database in the place of the damaged one, which nobody has open.
    static func perform(
        on files: LaneFiles, account: AccountIdentifier, because cause: StoreFailure, day: String
    ) throws(StoreFailure) -> LaneRescue {
        try files.beginDraft()
        let (writes, hasLosses) = try fill(files, account: account)
        try files.endDraft()
        guard let file = try files.takeSuccessor(on: day) else {
            throw StoreFailure(.failed, "\(files.path) could not be set aside")
        }
        return LaneRescue(lane: files.lane, cause: cause, file: file, writes: writes, hasLosses: hasLosses)
    }

    /// Fills the new database, and closes both.
    private static func fill(
        _ files: LaneFiles, account: AccountIdentifier
    ) throws(StoreFailure) -> (writes: Int, hasLosses: Bool) {
        let system = files.folder.fileSystem
        let target = try LaneDatabase(
            lane: files.lane, path: files.draft, fileSystem: system, account: account)
        guard let source = try DamagedDatabase(path: files.path, fileSystem: system) else {
            if files.lane == .index { try target.ask(.all, of: nil) }
            return (0, true)
        }
        let rescuer = LaneRescuer(source, target)
        try rescuer.run(account)
        return (rescuer.count, rescuer.hasLosses)
    }
}
