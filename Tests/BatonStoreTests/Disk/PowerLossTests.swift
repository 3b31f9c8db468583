import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// What is on the disk after the loss of power, or the end of the process, at any moment.
///
/// `BATON_POWER_LOSSES` says in how many series; `BATON_SEED` repeats one.
@Suite struct `A store that lost power` {
    private static let series =
        ProcessInfo.processInfo.environment["BATON_POWER_LOSSES"].flatMap { UInt64($0) } ?? 3

    @Test(arguments: Seeds.first(series))
    func `has all that was promised, and nothing in part, at every sync`(seed: UInt64) throws {
        let trial = DiskTrial(seed: seed)
        try trial.run(steps: 30)
        #expect(trial.syncCount > 0 && trial.endCount > 50)
    }

    /// SQLite moves what is in its journal into the database also while the store is open.
    @Test(arguments: Seeds.first((series + 3) / 4))
    func `has all that was promised where much is written, too`(seed: UInt64) throws {
        let trial = DiskTrial(seed: seed, isLarge: true, killing: 1)
        try trial.run(steps: 40)
        #expect(trial.moves > 0, "the journal was moved while the store was open")
    }

    @Test func `has what was kept before a report that says nothing new`() throws {
        let disk = TestDisk()
        let open = { (disk: TestDisk) in
            try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
        }
        let store = try open(disk)
        _ = try store.report(of: StoreSeries.own, having: VersionVector())
        let note = LocalNote(space: .address, name: [1], value: [2])
        _ = try store.commit(
            StoreTransaction(lane: .activities, writes: [], completing: VersionVector(), notes: [note]))
        _ = try store.report(of: StoreSeries.own, having: VersionVector())
        var generator = SeededGenerator(seed: 1)
        let found = TestDisk(disk.image.afterPowerLoss(.forgets, &generator))
        #expect(try open(found).notes(in: .address) == [note])
    }

    /// The trial itself is tried: it would find a store that does not sync what it reports.
    @Test(arguments: Seeds.first(2))
    func `loses what it promised on a disk that lies about syncs, which is found`(seed: UInt64) throws {
        var faults = DiskFaults()
        faults.liesAboutSyncs = true
        let trial = DiskTrial(seed: seed, faults: faults, losses: [.forgets], killing: 0)
        let violation = #expect(throws: StoreViolation.self) { try trial.run(steps: 60) }
        #expect(
            violation?.description.contains("as it never was") == true, "\(String(describing: violation))")
    }
}
