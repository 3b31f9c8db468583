import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// The contents of a backup of a store, and what restoring it gives.
@Suite struct `A backup of a store` {
    private static let spaces = [NoteSpace.ownActivity, .address, .quarantined, .promise, .reindex]

    @Test(arguments: UInt64(1)...12) func `a restored backup has the same content as the store`(seed: UInt64)
        throws
    {
        let stage = try BackedUpStore(seed: seed, steps: 40)
        let summary = try stage.backUp()
        // Only the order of arrival may differ.
        try stage.store?.begin(BackedUpStore.order)
        let (before, digest) = (
            try BackedUpStore.views(stage.store),
            try stage.store?.digest(at: WallTime(milliseconds: 5_000_000))
        )
        let notes = try Self.spaces.map { try stage.store?.notes(in: $0) }
        try stage.store?.begin(ArrivalOrder(high: 8, low: 8))
        let image = stage.disk.image.afterProcesses
        try stage.advance(by: 20)
        try stage.restore()
        let after = try BackedUpStore.views(stage.store)
        #expect(after == before, difference(after, before))
        #expect(try stage.store?.digest(at: WallTime(milliseconds: 5_000_000)) == digest)
        #expect(try Self.spaces.map { try stage.store?.notes(in: $0) } == notes)
        #expect(try stage.bytes().count == summary.bytes)
        // Compares row by row with plain SQLite.
        let other = TestDisk(image)
        for lane in Lane.allCases {
            let (found, expected) = (try LaneDump(lane, on: stage.disk), try LaneDump(lane, on: other))
            #expect(found.troubles.isEmpty)
            #expect(
                found.difference(from: expected).allSatisfy {
                    // One note says that the backup was restored.
                    $0 == "progress" || $0 == "notes" && lane == .activities || $0.hasPrefix("search")
                },
                "\(found.difference(from: expected))")
        }
    }

    /// If a life went on over it, it would use a dot a second time.
    @Test func `a restored store has a new order of arrival`() throws {
        let stage = try BackedUpStore(seed: 3, steps: 30)
        let life = Life(after: HybridTime(value: 1 << 50), of: StoreSeries.own, random: 99)
        let marks = try Lane.allCases.map { try stage.store?.lane($0).mark(of: life) }
        try stage.backUp()
        try stage.restore()
        for mark in marks {
            let mark = try #require(mark)
            let now = try #require(try stage.store?.lane(mark.lane).mark(of: life))
            #expect(mark != now && now.order == BackedUpStore.order)
        }
    }

    @Test func `restoring a backup does not set the clock back`() throws {
        let stage = try BackedUpStore(seed: 4, steps: 20)
        try stage.backUp()
        try stage.advance(by: 30)
        let late = StoreTransaction(
            lane: .activities, writes: [], completing: VersionVector(), clock: HybridTime(value: 1 << 55))
        _ = try stage.store?.commit(late)
        try stage.restore()
        #expect(try stage.store?.summary().clock == HybridTime(value: 1 << 55))
    }

    /// A write that the restoration takes away is then not later than the store, even if the replaced one was lost.
    @Test func `a restored store knows the time of its restoration, and its clock is not earlier`() throws {
        let stage = try BackedUpStore(seed: 4, steps: 20)
        try stage.backUp()
        stage.close()
        for name in stage.disk.image.fileNames where name.contains(".sqlite") { stage.disk.remove(name) }
        let date = WallTime(milliseconds: 2_000_000_000_000)
        let request = StoreRestoration.Request(
            account: StoreSeries.account, device: StoreSeries.own, order: BackedUpStore.order, date: date)
        try stage.restore(for: request)
        let clock = try #require(try stage.store?.summary().clock)
        #expect(clock >= HybridTime(shownBy: date))
        let notes = try #require(try stage.store?.notes(in: .restoration))
        #expect(Restoration(notes) == Restoration(of: BackedUpStore.manifest.made, at: date))
    }

    @Test func `restoring keeps the replaced databases under new names`() throws {
        let stage = try BackedUpStore(seed: 5, steps: 10)
        try stage.backUp()
        for _ in 0..<3 { try stage.restore() }
        for name in ["activities.sqlite", "index.sqlite"] {
            for suffix in ["", "-2", "-3"] {
                #expect(stage.disk.exists("\(name).replaced-2026-01-02\(suffix)"))
            }
        }
        #expect(!stage.disk.image.fileNames.contains { $0.contains("restor") })
    }

    @Test func `a backup's counts include existing records, and no tombstones`() throws {
        let stage = try BackedUpStore(seed: 6, steps: 60)
        let summary = try stage.backUp()
        let count = { (kind: RecordKind) in
            try stage.store?.records(of: kind).count { record in
                record.expiration.map { $0 > summary.manifest.made } ?? true
            }
        }
        #expect(try summary.contents.items == count(.item))
        #expect(try summary.contents.activities == count(.currentActivity))
        let read = try BackupInput(path: stage.path("backup"), watch: BackupWatch()).summary
        #expect(read == summary)
        #expect(read.manifest.device == StoreSeries.own && read.manifest.deviceName == "laptop")
    }

    @Test func `a backup has each lane's state at one moment, whatever is written during the backup`() throws
    {
        let stage = try BackedUpStore(seed: 7, steps: 40)
        try stage.store?.begin(BackedUpStore.order)
        let before = try BackedUpStore.views(stage.store)
        // SQLite reads while the backup is written; a write between two pieces must not be in it.
        let sink = WritingSink(path: stage.path("backup")) { [unowned stage] in try stage.advance(by: 1) }
        _ = try StoreBackup.write(
            BackedUpStore.manifest, of: "", to: sink, watch: BackupWatch(), fileSystem: stage.disk.name)
        #expect(sink.count > 20)
        try stage.restore()
        let after = try BackedUpStore.views(stage.store)
        #expect(after == before, difference(after, before))
    }

    @Test func `a stopped backup leaves no file`() throws {
        let stage = try BackedUpStore(seed: 8, steps: 10)
        let watch = BackupWatch()
        watch.stop()
        #expect(throws: StoreFailure.self) { try stage.backUp(watch: watch) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == [])
        try stage.backUp()
        #expect(throws: StoreFailure.self) { try stage.prepare(watch: watch) }
        #expect(!stage.disk.image.fileNames.contains { $0.contains("restor") })
    }

    @Test func `backing up a damaged database fails`() throws {
        let stage = try BackedUpStore(seed: 9, steps: 60)
        stage.close()
        let image = stage.disk.image
        let failure = #expect(throws: StoreFailure.self) {
            for page in 1..<image.count(of: "index.sqlite") / 4096 {
                var damaged = image
                damaged.flip("index.sqlite", at: page * 4096 + 99, by: 4)
                let disk = TestDisk(damaged)
                try withExtendedLifetime(disk) {
                    let sink = WritingSink(path: stage.path("\(page)")) {}
                    _ = try StoreBackup.write(
                        BackedUpStore.manifest, of: "", to: sink, watch: BackupWatch(), fileSystem: disk.name)
                }
            }
        }
        #expect(failure?.code == .damaged)
    }

    @Test func `backing up a row that is too large to restore fails, and leaves no file`() throws {
        let stage = try BackedUpStore(seed: 10, steps: 1)
        let note = LocalNote(space: .reindex, name: [1], value: [UInt8](repeating: 0, count: 32 << 20))
        _ = try stage.store?.commit(
            StoreTransaction(lane: .index, writes: [], completing: VersionVector(), notes: [note]))
        let failure = #expect(throws: StoreFailure.self) { try stage.backUp() }
        #expect(failure?.text.contains("larger than a backup can hold") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == [])
    }
}

/// Writes to a file, and calls a closure before each piece.
final class WritingSink: BackupSink {
    private let path: String
    private let body: () throws -> Void
    private(set) var count = 0

    init(path: String, _ body: @escaping () throws -> Void) {
        (self.path, self.body) = (path, body)
        _ = FileManager.default.createFile(atPath: path, contents: nil)
    }

    func write(_ bytes: [UInt8]) throws(StoreFailure) {
        count += 1
        do {
            try body()
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            defer { try? file.close() }
            try file.seekToEnd()
            try file.write(contentsOf: Data(bytes))
        } catch {
            throw StoreFailure(.failed, "\(error)")
        }
    }
}
