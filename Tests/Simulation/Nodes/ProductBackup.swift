import BatonCore
import BatonStore
import Disks
import Foundation
import Support

/// A backup that the product made of a store, and the store's content at that time.
struct ProductBackup {
    private let standing: BackedUp
    private var bytes: [UInt8]
    /// Describes the difference between the backup and the store at that time.
    let fault: String?

    /// Backs up the store that lies on a disk and is open.
    init(of contents: SQLiteContents, on disk: TestDisk, _ identity: SessionIdentity) throws(StoreFailure) {
        standing = contents.backedUp
        let manifest = BackupManifest(
            account: identity.account, device: identity.device, deviceName: identity.name,
            made: WallTime(milliseconds: .min), build: "")
        let file = try BackupFile()
        let output = try BackupOutput(path: file.path, replaces: false)
        let summary = try StoreBackup.write(
            manifest, of: "", to: output, watch: BackupWatch(), fileSystem: disk.name)
        try output.end()
        bytes = try file.bytes
        let items = contents.allRecords.count {
            $0.identity.kind == .item && $0.survivingWrites.contains(where: \.isFull)
        }
        let isCounted = contents.store.isUnsettled(.index) || summary.contents.items == items
        fault = isCounted ? nil : "counts \(summary.contents.items) items of \(items)"
    }

    /// Returns the same backup with its end cut off, or with a changed byte.
    func damaged(by generator: inout SeededGenerator) -> ProductBackup {
        var damaged = self
        let place = generator.number(0...bytes.count - 1)
        if generator.chance(50) {
            damaged.bytes.removeSubrange(place...)
        } else {
            damaged.bytes[place] ^= UInt8(generator.number(1...255))
        }
        return damaged
    }

    /// Builds the databases that are to replace those on a disk.
    func prepare(
        on disk: TestDisk, _ identity: SessionIdentity, _ order: ArrivalOrder
    ) throws(StoreFailure) {
        let file = try BackupFile()
        try file.write(bytes)
        // The disk does not know the clock of its machine, and the present databases have the latest time.
        let request = StoreRestoration.Request(
            account: identity.account, device: identity.device, order: order,
            date: WallTime(milliseconds: 0))
        try StoreRestoration.prepare(
            try BackupInput(path: file.path, watch: BackupWatch()), for: request, in: StoreFolder(disk),
            watch: BackupWatch())
    }

    /// Describes the difference between the store when it was backed up and the restored store.
    func difference(from restored: BackedUp) -> String? { standing.difference(from: restored) }
}

/// Everything of a store that a backup holds, except the order of arrival.
struct BackedUp {
    let state: SQLiteContents.State
    let notes: [LocalNote]
    let horizons: [HybridTime]
    let clock: HybridTime
    let unsettled: [Unsettled]
    /// The dots of quarantined writes, and the claims that each lane expects: an open store keeps both in memory as
    /// well.
    let quarantined: [Dot]
    let expected: [VersionVector]

    /// The spaces of all notes except the one that says that the backup was restored.
    private static let spaces = (0...UInt8.max).compactMap(NoteSpace.init(rawValue:))
        .filter { $0 != .restoration }

    init(state: SQLiteContents.State, of store: SQLiteStore) throws(StoreFailure) {
        self.state = state
        var notes: [LocalNote] = []
        for lane in Lane.allCases {
            for space in Self.spaces where space.lane == nil || space.lane == lane {
                notes += try store.lane(lane).notes(in: space)
            }
        }
        self.notes = notes
        horizons = Lane.allCases.map { store.horizon(of: $0) }
        clock = store.clock
        unsettled = [try store.lane(.activities).unsettled(), try store.lane(.index).unsettled()]
        quarantined = store.quarantined().map(\.dot)
        var expected: [VersionVector] = []
        for lane in Lane.allCases { expected.append(try store.expected(in: lane)) }
        self.expected = expected
    }

    func difference(from restored: BackedUp) -> String? {
        if state != restored.state { return "shows other writes or claims" }
        if notes != restored.notes { return "has other notes" }
        if horizons != restored.horizons { return "collected other things" }
        if clock > restored.clock { return "has an earlier clock" }
        if quarantined != restored.quarantined { return "has other quarantined writes" }
        if expected != restored.expected { return "expects other things" }
        return unsettled == restored.unsettled ? nil : "has other things to settle"
    }
}

/// A file in a folder of its own; both are deleted with this object.
private final class BackupFile {
    private let folder: TemporaryFolder
    var path: String { folder.path + "/backup" }

    init() throws(StoreFailure) {
        do { folder = try TemporaryFolder() } catch { throw Self.failure(error) }
    }

    var bytes: [UInt8] {
        get throws(StoreFailure) {
            do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
                throw Self.failure(error)
            }
        }
    }

    func write(_ bytes: [UInt8]) throws(StoreFailure) {
        do { try Data(bytes).write(to: URL(fileURLWithPath: path)) } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> StoreFailure { StoreFailure(.failed, "\(error)") }
}
