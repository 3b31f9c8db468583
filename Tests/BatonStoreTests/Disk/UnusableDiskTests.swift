import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// Disks on which a store can't work, or can't keep its promises.
@Suite struct `A disk that is unsuitable for a store` {
    private static func open(_ disk: TestDisk) throws -> SQLiteStore {
        try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
    }

    private static func note(_ value: UInt8) -> StoreTransaction {
        let note = LocalNote(space: .address, name: [1], value: [value])
        return StoreTransaction(lane: .activities, writes: [], completing: VersionVector(), notes: [note])
    }

    @Test func `a disk that can't be written to is refused, and left unchanged`() throws {
        let disk = TestDisk()
        _ = try Self.open(disk).commit(Self.note(1))
        disk.faults.isReadOnly = true
        #expect(throws: StoreFailure.self) { try Self.open(disk) }
        disk.faults = DiskFaults()
        #expect(try Self.open(disk).notes(in: .address).map(\.value) == [[1]])
    }

    @Test func `a read-only disk can be read, including client states`() throws {
        let disk = TestDisk()
        let name = ClientStateName(app: "a", index: "i")
        let device = StoreSeries.own
        try withExtendedLifetime(disk) {
            let store = try SQLiteStore(
                folder: "", account: StoreSeries.account, device: device, fileSystem: disk.name)
            var journal = Journal(life: Life(after: .zero, of: device, random: 1), latest: .zero)
            let batch = BatchIdentifier(value: 1)
            let item = ItemName(app: "a", index: "i", identifier: "1")
            let draft = Journal.Draft(.full(Item(domain: "d").content(item)), item.key)
            try store.stage([draft], in: batch)
            let state = try Journal.Draft(ending: [7], of: name, changed: WallTime(milliseconds: 1))
            let ending = journal.ending(batch, count: 1, with: state, now: WallTime(milliseconds: 1))
            _ = try store.commit(try #require(ending))
            let shown = try #require(try store.shownState(of: name))
            let found = try SQLiteStore(
                readOnly: StoreFolder(disk), account: StoreSeries.account, device: device)
            #expect(found.isReadOnly)
            #expect(try found.shownState(of: name) == shown)
            #expect(try found.record(item.key.identity)?.isThere == true)
        }
    }

    @Test func `writes on a disk that becomes read-only fail with that reason`() throws {
        let disk = TestDisk()
        let store = try Self.open(disk)
        _ = try store.commit(Self.note(1))
        disk.faults.isReadOnly = true
        let failure = #expect(throws: StoreFailure.self) { try store.commit(Self.note(2)) }
        #expect(failure?.code == .readOnly)
        #expect(try store.notes(in: .address).map(\.value) == [[1]])
        disk.faults = DiskFaults()
        _ = try store.commit(Self.note(3))
        #expect(try store.notes(in: .address).map(\.value) == [[3]])
    }

    @Test func `a disk without locks is refused`() throws {
        let disk = TestDisk()
        disk.faults.hasLocks = false
        let first = #expect(throws: StoreFailure.self) { try Self.open(disk) }
        disk.faults = DiskFaults()
        _ = try Self.open(disk).commit(Self.note(1))
        disk.faults.hasLocks = false
        let second = #expect(throws: StoreFailure.self) { try Self.open(disk) }
        for failure in [first, second] {
            #expect(
                failure?.code == .failed && failure?.text.contains("local disk") == true, "\(failure as Any)")
        }
    }

    /// SQLite then silently keeps another kind of journal, with which a power loss may undo a commit although it was
    /// synced.
    @Test func `a disk without shared memory is refused, with advice`() throws {
        let disk = TestDisk()
        disk.faults.sharesMemory = false
        let failure = #expect(throws: StoreFailure.self) { try Self.open(disk) }
        #expect(failure?.code == .failed)
        #expect(failure?.text.contains("local disk") == true)
    }

    /// Linux reports once that it could not write a page, and takes the page for written from then on.
    @Test
    func
        `after a failed sync, the next report makes everything durable, even pages that the kernel dropped`()
        throws
    {
        let disk = TestDisk()
        let store = try Self.open(disk)
        _ = try store.report(of: StoreSeries.own, having: VersionVector())
        _ = try store.commit(Self.note(1))
        disk.faults.forgetsFailedSyncs = true
        disk.faults.failure = DiskFaults.Failure(.sync, after: 0, isLasting: false)
        #expect(throws: StoreFailure.self) { try store.report(of: StoreSeries.own, having: VersionVector()) }
        _ = try store.report(of: StoreSeries.own, having: VersionVector())
        var generator = SeededGenerator(seed: 1)
        let found = TestDisk(disk.image.afterPowerLoss(.forgets, &generator))
        #expect(try Self.open(found).notes(in: .address).map(\.value) == [[1]])
    }

    /// The store moves SQLite's log into the database after a commit, and tries again after the next one if that fails.
    ///
    /// The smaller log is not only moved, but truncated.
    @Test(arguments: [Limits().logBytes, 1 << 21])
    func `a report after a failed checkpoint makes everything durable, although the kernel dropped pages`(
        _ logBytes: Int
    )
        throws
    {
        let disk = TestDisk()
        let store = try Self.open(disk)
        store.logBytes = logBytes
        _ = try store.report(of: StoreSeries.own, having: VersionVector())
        disk.faults.forgetsFailedSyncs = true
        disk.faults.failure = DiskFaults.Failure(.sync, after: 0, isLasting: false)
        while disk.counts[.sync, default: 0] == 0 {
            var transaction = Self.note(1)
            transaction.notes[0].value = [UInt8](repeating: 1, count: 1 << 18)
            _ = try store.commit(transaction)
        }
        _ = try store.commit(Self.note(2))
        _ = try store.report(of: StoreSeries.own, having: VersionVector())
        var generator = SeededGenerator(seed: 1)
        let found = TestDisk(disk.image.afterPowerLoss(.forgets, &generator))
        #expect(try Self.open(found).notes(in: .address).map(\.value) == [[2]])
    }
}
