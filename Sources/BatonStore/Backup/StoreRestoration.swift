package import BatonCore

/// Replaces the present state of a store with the state in a backup.
///
/// The device then has and claims what it had and claimed when the backup was made. Other devices treat it as a device
/// that has lost its latest state.
///
/// The device must never use a dot again that it used after the backup. So the restored store has an order of arrival
/// that no witness has seen. This makes the node that opens the store begin a new life, whatever else is interrupted or
/// fails.
///
/// The clock of the store never goes back, and is at least the time of the restoration. So no write that the
/// restoration removed has a later time than the clock. A note says which backup was restored, and when.
package enum StoreRestoration {
    /// The request to restore a backup on a device.
    package struct Request {
        let account: AccountIdentifier
        let device: DeviceIdentifier
        /// The new order of arrival, which no peer and no witness has seen.
        let order: ArrivalOrder
        /// The time of the request.
        let date: WallTime

        package init(
            account: AccountIdentifier, device: DeviceIdentifier, order: ArrivalOrder, date: WallTime
        ) {
            self.account = account
            self.device = device
            self.order = order
            self.date = date
        }
    }

    /// Throws if the backup belongs to another account or device, or was made by a newer version.
    package static func demand(
        _ manifest: BackupManifest, of account: AccountIdentifier, _ device: DeviceIdentifier,
        schema: Schema = .lane
    ) throws(StoreFailure) {
        guard manifest.account == account else {
            throw StoreFailure(
                .failed,
                """
                it is a backup of another account (\(manifest.account.short)), and this machine belongs to \(account.short). \
                Data of one account can't be restored in another
                """)
        }
        guard manifest.device == device else {
            throw StoreFailure(
                .failed,
                """
                it is a backup of another machine, “\(manifest.deviceName)” (\(manifest.device.short)), and contains data that \
                only that machine keeps. Restore it there; this machine gets the shared data from the others
                """)
        }
        guard manifest.schema <= schema.newest else {
            throw StoreFailure(.newer, "it was made by a newer version of Baton (\(manifest.build))")
        }
    }

    /// Creates the restored databases next to the present ones.
    ///
    /// The present databases may still be in use.
    package static func prepare(
        _ input: BackupInput, for request: Request, in folder: StoreFolder, watch: BackupWatch,
        schema: Schema = .lane
    ) throws(StoreFailure) {
        try demand(input.summary.manifest, of: request.account, request.device, schema: schema)
        let all = [Lane.activities, .index].map { LaneFiles(lane: $0, folder: folder) }
        for files in all { try files.removeRestoring() }
        do throws(StoreFailure) {
            try fill(all, from: input, schema: schema)
            let note = Restoration(of: input.summary.manifest.made, at: request.date).note
            for files in all { try complete(files, with: note, for: request, schema: schema) }
        } catch {
            for files in all {
                // If a file can't be removed now, it is removed before the store is opened next.
                do throws(StoreFailure) { try files.removeRestoring() } catch { break }
            }
            guard error.code == .damaged else { throw error }
            throw StoreFailure(.failed, "its content can't be read: \(error)")
        }
    }

    private static func fill(
        _ all: [LaneFiles], from input: BackupInput, schema: Schema
    ) throws(StoreFailure) {
        var drafts: [Lane: LaneDraft] = [:]
        for files in all {
            drafts[files.lane] = try LaneDraft(
                path: files.restoring, schema: input.summary.manifest.schema, of: schema,
                fileSystem: files.folder.fileSystem)
        }
        var (current, rows): (LaneDraft?, Int) = (nil, 0)
        while let piece = try input.next() {
            switch piece {
            case .manifest, .end: continue
            case .table(let lane, let name, let columns):
                current = drafts[lane]
                try current?.begin(table: name, columns: columns)
            case .rows(let values): rows += try current?.insert(values) ?? 0
            }
        }
        guard rows == input.summary.contents.rows else {
            throw StoreFailure(.failed, "its number of rows is not the one that it states")
        }
        for files in all { try drafts[files.lane]?.end() }
    }

    /// Completes the database of a lane.
    ///
    /// It brings the database to the newest schema, reads all records as a store does, and stores the new order of
    /// arrival and the clock.
    private static func complete(
        _ files: LaneFiles, with note: LocalNote, for request: Request, schema: Schema
    ) throws(StoreFailure) {
        let clock = presentClock(files)
        let database = try LaneDatabase(
            lane: files.lane, path: files.restoring, fileSystem: files.folder.fileSystem,
            account: request.account, schema: schema)
        try database.begin()
        try database.tables.records.demandNames()
        _ = try database.digest.recount(at: database.state.digestTime)
        database.transaction.state.order = request.order
        let present = max(clock, HybridTime(shownBy: request.date))
        database.transaction.state.clock = max(database.state.clock, present)
        if note.space.lane == files.lane { try database.tables.notes.keep(note) }
        try database.finish()
        try database.seal()
    }

    /// Returns the clock of the present database.
    ///
    /// No write after the restoration may have an earlier time.
    private static func presentClock(_ files: LaneFiles) -> HybridTime {
        guard files.folder.exists(files.path) else { return .zero }
        do throws(StoreFailure) {
            let present = try LaneReader(
                files.path, lane: files.lane, fileSystem: files.folder.fileSystem)
            return try present.tables.progress.clock()
        } catch {
            // The backup may be restored because the present database is damaged. The clock of the restored store, and
            // the life that begins with it, may then be too early. If so, the device begins a later life once another
            // device sends it later writes.
            return .zero
        }
    }
}
