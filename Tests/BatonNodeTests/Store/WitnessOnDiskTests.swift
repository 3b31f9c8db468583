import BatonCore
import BatonNode
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// A journal whose machine loses power, or whose process is killed, at any moment, again and again.
///
/// A thread notes the writes that it is about to store in its lane, stores them, and notes them once more. The other
/// thread does the same with its lane meanwhile. A dot counts as used before it is stored, because a peer may get it
/// before the disk does.
private final class InterruptedJournal {
    private let folder: TemporaryFolder
    private var generator: SeededGenerator
    /// Draws the ends of the process, while `generator` draws the operations.
    private var endings: SeededGenerator
    private var disk: TestDisk
    /// The states that a power loss or a kill at each moment would leave.
    private var ends: [End] = []
    private var writes: [Dot: Write] = [:]
    private var places: [Place: Dot] = [:]
    /// The number of openings that continued a life, and of those that began another one.
    private(set) var continuations = 0
    private(set) var beginnings = 0
    private static let account = AccountIdentifier(high: 1, low: 1)

    private struct End {
        let image: DiskImage
        let witness: [Lane: Data]
        /// The writes that had dots by then, and the places that peers had been sent.
        let writes: [Dot: Write]
        let places: [Place: Dot]
    }

    private struct Place: Hashable {
        let order: ArrivalOrder, lane: Lane, arrival: Arrival
    }

    init(seed: UInt64) throws {
        (folder, disk) = (try TemporaryFolder(), TestDisk(seed: seed))
        (generator, endings) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed ^ 0xe0d))
    }

    deinit { disk.observe = nil }

    private var witnessPath: String { folder.path + "/witness" }

    /// Runs this number of processes, each up to a random moment.
    func run(lives: Int) throws {
        for _ in 0..<lives {
            try runProcess()
            let end = generator.pick(ends)
            (ends, writes, places) = ([], end.writes, end.places)
            disk = TestDisk(end.image, seed: generator.next())
            for lane in Lane.allCases {
                let path = Witness.path(witnessPath, of: lane)
                try? FileManager.default.removeItem(atPath: path)
                try end.witness[lane]?.write(to: URL(fileURLWithPath: path))
            }
        }
    }

    /// Opens the journal, writes and receives for a while, and collects the states that an end would leave.
    private func runProcess() throws {
        disk.observe = { [unowned self] event in
            if case .change = event { return noteEnd() }
            // A power loss restarts the machine, which deletes the witness.
            let image = disk.image.afterPowerLoss(endings.pick(PowerLoss.allCases), &endings)
            ends.append(End(image: image, witness: [:], writes: writes, places: places))
        }
        let store = try SQLiteStore(folder: "", account: Self.account, fileSystem: disk.name)
        let witness = Witness(
            path: witnessPath, account: Self.account, device: DeviceIdentifier(high: 2, low: 2),
            bootID: "boot")
        let opening = try witness.open(store, using: &generator)
        #expect(!opening.lacksChanges, "a durable write is missing")
        if opening.sequences.isEmpty { beginnings += 1 } else { continuations += 1 }
        var journal = Journal(
            life: opening.life, latest: try store.summary().clock, after: opening.sequences)
        for _ in 0..<generator.number(1...8) {
            // Sometimes another life begins, as after a failed write; then the lanes continue under it one by one.
            if generator.chance(10) {
                let life = Life(
                    after: try store.summary().clock, of: DeviceIdentifier(high: 2, low: 2),
                    random: generator.next())
                journal.beginLife(life)
                witness.begin(life)
                if generator.chance(50) { witness.noteOrForget(store) }
            }
            var transactions: [StoreTransaction] = []
            for _ in 0...generator.number(0...4) {
                var author =
                    generator.chance(70) ? journal : Journal(life: generator.identifier(), latest: .zero)
                let lane = generator.pick(Lane.allCases)
                let draft = generator.draft(lane, keys: 3, by: author) { _ in nil }
                let named = author.transaction(lane, [draft], now: WallTime(milliseconds: 0))
                let transaction = try #require(named)
                if author.life == journal.life { journal = author }
                transactions.append(transaction)
            }
            let first = generator.pick(Lane.allCases)
            try storeTransactions(
                transactions, in: first, of: store, witness, beside: first == .index ? .activities : .index)
            if generator.chance(20) {
                _ = try store.report(
                    of: DeviceIdentifier(high: 2, low: 2), having: try store.summary().complete)
            }
            try checkPlaces(of: store)
        }
    }

    /// Adds the state that a kill of the process now would leave.
    private func noteEnd() {
        var witness: [Lane: Data] = [:]
        for lane in Lane.allCases {
            let path = Witness.path(witnessPath, of: lane)
            witness[lane] = try? Data(contentsOf: URL(fileURLWithPath: path))
        }
        ends.append(End(image: disk.image.afterProcesses, witness: witness, writes: writes, places: places))
    }

    /// Stores the transactions of a lane as its thread does, and those of the other lane at some moment meanwhile.
    private func storeTransactions(
        _ transactions: [StoreTransaction], in lane: Lane, of store: SQLiteStore, _ witness: Witness,
        beside other: Lane?
    ) throws(StoreFailure) {
        let moment = other == nil ? nil : generator.number(0...4)
        let interrupt = { [self] (now: Int) throws(StoreFailure) in
            noteEnd()
            guard let other, now == moment else { return }
            try storeTransactions(transactions, in: other, of: store, witness, beside: nil)
        }
        try interrupt(0)
        try store.lane(lane).group(durably: generator.chance(20)) { () throws(StoreFailure) in
            try interrupt(1)
            for transaction in transactions where transaction.lane == lane {
                _ = try store.lane(lane).commit(transaction)
            }
            try interrupt(2)
            for write in transactions.flatMap(\.writes) where write.dot.origin.lane == lane {
                let other = writes.updateValue(write, forKey: write.dot)
                #expect(other == nil, "\(write.dot) names two writes")
            }
            witness.lane(lane).noteOrForget(store.lane(lane), isKept: false)
            try interrupt(3)
        }
        try interrupt(4)
        witness.lane(lane).noteOrForget(store.lane(lane))
        noteEnd()
    }

    /// Checks that a place that was sent once always means the same write in its order of arrival.
    private func checkPlaces(of store: SQLiteStore) throws {
        let order = try store.summary().order
        for lane in Lane.allCases {
            let request = ChangesRequest(lane: lane, after: .none, covered: VersionVector(), bytes: .max)
            let changes = try store.delta(request)
            for write in changes.writes {
                // Only the last write of a read stands at the place that the read ended at.
                guard write.dot == changes.writes.last?.dot, !write.identity.kind.isClear else { continue }
                let place = Place(order: order, lane: lane, arrival: changes.next)
                #expect(places[place] == nil || places[place] == write.dot, "\(place) means two writes")
                places[place] = write.dot
            }
        }
    }
}

@Suite struct `A journal on a disk that loses power` {
    /// SQLite silently drops everything after a changed byte in its journal.
    @Test(arguments: Seeds.first(20))
    func `a journal detects that the disk lost durable writes`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (folder, disk) = (try TemporaryFolder(), TestDisk())
        let account = AccountIdentifier(high: 1, low: 1)
        let open = { (disk: TestDisk) throws -> (SQLiteStore, Witness, Witness.Opening) in
            let store = try SQLiteStore(folder: "", account: account, fileSystem: disk.name)
            let witness = Witness(
                path: folder.path + "/witness", account: account,
                device: DeviceIdentifier(high: 2, low: 2), bootID: "boot")
            return (store, witness, try witness.open(store, using: &generator))
        }
        let image = try withExtendedLifetime(disk) {
            let (store, witness, opening) = try open(disk)
            var journal = Journal(life: opening.life, latest: .zero)
            for _ in 0..<20 {
                let draft = Journal.Draft(
                    .full(Write.Content(fields: Fields())),
                    RecordKey(kind: .device, parts: 1) { $0.unsigned(generator.next()) })
                let transaction = journal.transaction(.activities, [draft], now: WallTime(milliseconds: 0))
                _ = try store.commit(try #require(transaction))
                witness.noteOrForget(store)
            }
            return disk.image.afterProcesses
        }
        var damaged = image
        let name = "activities.sqlite-wal"
        damaged.flip(name, at: generator.number(0...image.count(of: name) - 1), by: 1)
        let found = TestDisk(damaged)
        try withExtendedLifetime(found) {
            let (store, _, opening) = try open(found)
            #expect(opening.lacksChanges == (try store.records(of: .device).count < 20))
            #expect(opening.lacksChanges && opening.sequences.isEmpty, "another life begins")
        }
    }

    @Test(arguments: Seeds.first(4))
    func `no dot is given to two writes, whenever the power fails or the process is killed`(_ seed: UInt64)
        throws
    {
        let journal = try InterruptedJournal(seed: seed)
        try journal.run(lives: 30)
        #expect(journal.continuations > 0 && journal.beginnings > 0)
    }
}
