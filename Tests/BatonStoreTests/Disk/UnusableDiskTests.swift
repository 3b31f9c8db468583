import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// Disks on which a store can't do its work at all, or not as it promises.
@Suite struct `A disk that is not for a store` {
    private static func open(_ disk: TestDisk) throws -> SQLiteStore {
        try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
    }

    private static func note(_ value: UInt8) -> StoreTransaction {
        let note = LocalNote(space: .address, name: [1], value: [value])
        return StoreTransaction(lane: .activities, writes: [], completing: VersionVector(), notes: [note])
    }

    @Test func `that can't be written is refused, and what is on it stays as it is`() throws {
        let disk = TestDisk()
        _ = try Self.open(disk).commit(Self.note(1))
        disk.faults.isReadOnly = true
        #expect(throws: StoreFailure.self) { try Self.open(disk) }
        disk.faults = DiskFaults()
        #expect(try Self.open(disk).notes(in: .address).map(\.value) == [[1]])
    }

    @Test func `that can only be read shows what stands there, client states too`() throws {
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

    @Test func `that becomes one that can't be written keeps nothing and says so`() throws {
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

    @Test func `that knows no locks is refused`() throws {
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

    /// SQLite then keeps to another kind of journal, without a word, and with it a commit may be undone by the loss of
    /// power although it was synced.
    @Test func `on which no memory can be shared is refused, and says what to do`() throws {
        let disk = TestDisk()
        disk.faults.sharesMemory = false
        let failure = #expect(throws: StoreFailure.self) { try Self.open(disk) }
        #expect(failure?.code == .failed)
        #expect(failure?.text.contains("local disk") == true)
    }

    /// Linux tells of a page that it could not write once, and takes it for written from then on.
    @Test func `that forgets what it failed to sync has what a later report promises`() throws {
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

    /// The store moves SQLite's journal into the database after a commit, and tries again after the next one when that
    /// fails.
    ///
    /// The smaller log is not only moved, but cut off.
    @Test(arguments: [Limits().logBytes, 1 << 21])
    func `that forgets what it failed to sync unasked has what a later report promises`(_ logBytes: Int)
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
