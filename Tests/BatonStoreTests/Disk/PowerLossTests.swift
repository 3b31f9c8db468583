import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// The contents of the disk after a power loss, or a kill, at any moment.
///
/// `BATON_POWER_LOSSES` is the number of series; `BATON_SEED` repeats one.
@Suite struct `A store that lost power` {
    private static let series =
        ProcessInfo.processInfo.environment["BATON_POWER_LOSSES"].flatMap { UInt64($0) } ?? 3

    @Test(arguments: Seeds.first(series))
    func `a power loss at any sync loses nothing durable, and leaves no partial transaction`(seed: UInt64)
        throws
    {
        let trial = DiskTrial(seed: seed)
        try trial.run(steps: 30)
        #expect(trial.syncCount > 0 && trial.endCount > 50)
    }

    /// SQLite also moves its log into the database while the store is open.
    @Test(arguments: Seeds.first((series + 3) / 4))
    func `a power loss during a checkpoint loses nothing durable`(seed: UInt64) throws {
        let trial = DiskTrial(seed: seed, isLarge: true, killing: 1)
        try trial.run(steps: 40)
        #expect(trial.moves > 0, "the journal was moved while the store was open")
    }

    @Test(arguments: [false, true])
    func `a power loss leaves each transaction of an encrypted store as a whole or not at all`(
        harmsNeighbours: Bool
    ) throws {
        // If a disk may harm neighbours, SQLite writes some frames of its log in two parts.
        var faults = DiskFaults()
        faults.harmsNeighbours = harmsNeighbours
        let trial = DiskTrial(
            seed: 5, isLarge: harmsNeighbours, faults: faults, killing: 3, cipher: TestCipher())
        try trial.run(steps: 30)
        #expect(trial.syncCount > 0 && trial.endCount > 50)
    }

    @Test func `a report without new claims makes earlier commits durable, too`() throws {
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

    /// Tests the trial: it would find a store that does not sync what it reports.
    @Test(arguments: Seeds.first(2))
    func `the power loss test detects a disk that lies about syncs`(seed: UInt64) throws {
        var faults = DiskFaults()
        faults.liesAboutSyncs = true
        let trial = DiskTrial(seed: seed, faults: faults, losses: [.forgets], killing: 0)
        let violation = #expect(throws: StoreViolation.self) { try trial.run(steps: 60) }
        #expect(
            violation?.description.contains("as it never was") == true, "\(String(describing: violation))")
    }
}
