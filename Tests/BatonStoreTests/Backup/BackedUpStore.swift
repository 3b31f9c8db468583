import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// A store with everything that a node keeps, on a disk in memory, and a backup of it in a file.
final class BackedUpStore {
    static let order = ArrivalOrder(high: 7, low: 7)
    static let manifest = BackupManifest(
        account: StoreSeries.account, device: StoreSeries.own, deviceName: "laptop",
        made: WallTime(milliseconds: 1_000_000), build: "1.2.3")
    /// When backups are restored, by a clock that is behind all that the store knows.
    static let date = WallTime(milliseconds: 0)
    static let request = StoreRestoration.Request(
        account: StoreSeries.account, device: StoreSeries.own, order: order, date: date)

    let folder: TemporaryFolder
    let disk: TestDisk
    private(set) var series: StoreSeries
    private(set) var store: SQLiteStore?

    /// Creates a store after this many steps.
    init(seed: UInt64, steps: Int) throws {
        (folder, disk, series) = (try TemporaryFolder(), TestDisk(seed: seed), StoreSeries(seed: seed))
        store = try open()
        try advance(by: steps)
    }

    deinit { store = nil }

    // MARK: Commands

    /// Does this many further steps.
    func advance(by steps: Int) throws {
        let store = try #require(store)
        for _ in 0..<steps {
            let step = series.next()
            if !step.isReopening { try series.take(step, try step.perform(store)) }
        }
    }

    /// Writes a backup; the closure is called as bytes are written.
    @discardableResult
    func backUp(
        _ name: String = "backup", watch: BackupWatch = BackupWatch(), then body: () throws -> Void = {}
    ) throws -> BackupSummary {
        let output = try BackupOutput(path: path(name), replaces: true)
        let summary = try StoreBackup.write(
            Self.manifest, of: "", to: output, watch: watch, fileSystem: disk.name)
        try body()
        try output.end()
        return summary
    }

    /// Restores a backup, as a node does that closes its store for that.
    func restore(_ name: String = "backup", for request: StoreRestoration.Request = request) throws {
        store = nil
        try prepare(name, for: request)
        try StoreRestoration.decide(in: StoreFolder(disk))
        store = try openFinished()
    }

    func prepare(
        _ name: String = "backup", for request: StoreRestoration.Request = request,
        watch: BackupWatch = BackupWatch()
    ) throws {
        try StoreRestoration.prepare(
            try BackupInput(path: path(name), watch: watch), for: request, in: StoreFolder(disk),
            watch: watch)
    }

    func close() { store = nil }

    // MARK: Queries

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func bytes(_ name: String = "backup") throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }

    func open() throws -> SQLiteStore {
        try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
    }

    /// Opens the store as a node does.
    func openFinished() throws -> SQLiteStore { try Self.openFinished(disk) }

    static func openFinished(_ disk: TestDisk) throws -> SQLiteStore {
        _ = try StoreRestoration.finish(in: StoreFolder(disk), on: "2026-01-02")
        return try SQLiteStore.open(StoreFolder(disk), account: StoreSeries.account, day: "2026-01-02").store
    }

    /// Returns views of both lanes.
    static func views(_ store: SQLiteStore?) throws -> [LaneView] {
        let store = try #require(store)
        return try Lane.allCases.map { try LaneView($0, of: store) }
    }
}

func difference(_ mine: [LaneView], _ theirs: [LaneView]) -> Comment {
    "\(zip(mine, theirs).map { $0.difference(from: $1) })"
}
