package import BatonCore

/// Puts the state of a backup in the place of the present one.
///
/// What comes back is what the device had then, with all that it claimed: to the others it is a device that was set
/// back, which they know how to meet. Only what is named from now on must be new. So it bears an order of arrival
/// that no witness has seen, whatever else is cut off or fails, and whoever opens it begins a life; and its clock
/// does not go back.
package enum StoreRestoration {
    /// For whom a backup is put back.
    package struct Request {
        let account: AccountIdentifier
        let device: DeviceIdentifier
        /// In which the places of writes are told from now on; one that nobody has seen.
        let order: ArrivalOrder

        package init(account: AccountIdentifier, device: DeviceIdentifier, order: ArrivalOrder) {
            (self.account, self.device, self.order) = (account, device, order)
        }
    }

    /// Refuses the backup of another account or device.
    package static func demand(
        _ manifest: BackupManifest, of account: AccountIdentifier, _ device: DeviceIdentifier,
        schema: Schema = .lane
    ) throws(StoreFailure) {
        guard manifest.account == account else {
            throw StoreFailure(
                .failed,
                """
                it is a backup of another account (\(manifest.account.short)), and this one is \(account.short). \
                Nothing of one account may come to the machines of another
                """)
        }
        guard manifest.device == device else {
            throw StoreFailure(
                .failed,
                """
                it is the backup of another machine, “\(manifest.deviceName)” (\(manifest.device.short)), and holds what \
                that one keeps for itself. Restore it there; this machine has from the others what they share
                """)
        }
        guard manifest.schema <= schema.newest else {
            throw StoreFailure(.newer, "it was made by a newer version of Baton (\(manifest.build))")
        }
    }

    /// Puts databases together beside the present ones, which somebody may use meanwhile.
    package static func prepare(
        _ input: BackupInput, for request: Request, in folder: StoreFolder, watch: BackupWatch,
        schema: Schema = .lane
    ) throws(StoreFailure) {
        try demand(input.summary.manifest, of: request.account, request.device, schema: schema)
        let all = [Lane.activities, .index].map { LaneFiles(lane: $0, folder: folder) }
        for files in all { try files.removeRestoring() }
        do throws(StoreFailure) {
            try fill(all, from: input, schema: schema)
            for files in all { try complete(files, for: request, schema: schema) }
        } catch {
            for files in all {
                // What can't be removed now is before the next opening.
                do throws(StoreFailure) { try files.removeRestoring() } catch { break }
            }
            guard error.code == .damaged else { throw error }
            throw StoreFailure(.failed, "what it holds can't be read: \(error)")
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
            throw StoreFailure(.failed, "it says of itself that it holds other rows")
        }
        for files in all { try drafts[files.lane]?.end() }
    }

    /// Brings a draft to the newest schema, reads all of it as a store does, and has it begin anew.
    private static func complete(
        _ files: LaneFiles, for request: Request, schema: Schema
    ) throws(StoreFailure) {
        let clock = presentClock(files)
        let database = try LaneDatabase(
            lane: files.lane, path: files.restoring, fileSystem: files.folder.fileSystem,
            account: request.account, schema: schema)
        try database.begin()
        try database.tables.records.demandNames()
        _ = try database.digest.recount(at: database.state.digestTime)
        database.transaction.state.order = request.order
        database.transaction.state.clock = max(database.state.clock, clock)
        try database.finish()
        try database.seal()
    }

    /// How far the clock of the present state has come: nothing is to be named with an earlier time.
    private static func presentClock(_ files: LaneFiles) -> HybridTime {
        guard files.folder.exists(files.path) else { return .zero }
        do throws(StoreFailure) {
            let present = try LaneReader(
                files.path, lane: files.lane, fileSystem: files.folder.fileSystem)
            return try present.tables.progress.clock()
        } catch {
            // It may be damaged, which is why another one comes back; then a life that is too early is followed by a
            // later one, once another device tells of what came after it.
            return .zero
        }
    }
}
