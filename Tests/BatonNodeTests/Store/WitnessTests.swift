import BatonCore
import BatonNode
import BatonStore
import Foundation
import Support
import Testing

/// The journal of one device, whose home is copied, restored and opened again and again.
///
/// No dot may ever name two writes, and no place in an order of arrival either, whichever copy is restored.
private final class ReopenedJournal {
    private let folder: TemporaryFolder
    private var generator: SeededGenerator
    private var session: (store: SQLiteStore, journal: Journal, witness: Witness)?
    private var backups: [String] = []
    private var writes: [Dot: Write] = [:]
    private var places: [Place: Write] = [:]
    private(set) var lives: Set<Life> = []
    private(set) var openings = 0
    private(set) var told = 0
    private static let account = AccountIdentifier(high: 1, low: 1)

    private struct Place: Hashable {
        let order: ArrivalOrder, lane: Lane, arrival: Arrival
    }

    init(seed: UInt64) throws {
        (folder, generator) = (try TemporaryFolder(), SeededGenerator(seed: seed))
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }

    private var home: String { folder.path + "/home" }
    private var witnessPath: String { folder.path + "/witness" }

    func run(steps: Int) throws {
        for _ in 0..<steps { try step() }
        session = nil
    }

    private func step() throws {
        switch generator.number(0...19) {
        case 0...9: try write()
        case 10...12: try receive()
        case 13, 14: session = nil
        case 15, 16:
            // A home may also be copied while the node runs, as backup programs do.
            let copy = folder.path + "/backup\(backups.count)"
            if generator.chance(70) { session = nil }
            try FileManager.default.copyItem(atPath: home, toPath: copy)
            backups.append(copy)
        case 17 where !backups.isEmpty:
            session = nil
            try FileManager.default.removeItem(atPath: home)
            try FileManager.default.copyItem(atPath: generator.pick(backups), toPath: home)
        case 18:
            // The machine is restarted, which deletes the witness.
            session = nil
            for lane in Lane.allCases {
                try? FileManager.default.removeItem(atPath: Witness.path(witnessPath, of: lane))
            }
        default: break
        }
    }

    private func open() throws {
        guard session == nil else { return }
        let store = try SQLiteStore(folder: home, account: Self.account)
        // Sometimes the node is started without a path for the witness.
        let path = generator.chance(80) ? witnessPath : nil
        let witness = Witness(
            path: path, account: Self.account, device: DeviceIdentifier(high: 2, low: 2), bootID: "boot")
        let opening = try witness.open(store, using: &generator)
        openings += 1
        lives.insert(opening.life)
        let journal = Journal(
            life: opening.life, latest: opening.clock, after: opening.sequences)
        session = (store, journal, witness)
    }

    private func write() throws {
        try open()
        let lane = generator.pick(Lane.allCases)
        guard var session else { return }
        let draft = generator.draft(lane, keys: 3, by: session.journal) { _ in nil }
        let named = session.journal.transaction(lane, [draft], now: WallTime(milliseconds: 0))
        let transaction = try #require(named)
        self.session = session
        for write in transaction.writes {
            #expect(writes.updateValue(write, forKey: write.dot) == nil, "\(write.dot) names two writes")
        }
        if generator.chance(30), let sequence = session.journal.names.sequences[lane] {
            // The write is announced before it is stored. If the process ends in between, its dot is used up.
            let isNoted = session.witness.noteTold(
                sequence, of: session.journal.life, at: session.journal.clock.latest, in: lane)
            if isNoted {
                told += 1
                if generator.chance(40) { return self.session = nil }
            }
        }
        try commit(transaction)
    }

    /// Stores a write of another device.
    private func receive() throws {
        try open()
        var journal = Journal(life: generator.identifier(), latest: .zero)
        let lane = generator.pick(Lane.allCases)
        let draft = generator.draft(lane, keys: 3, by: journal) { _ in nil }
        let transaction = journal.transaction(lane, [draft], now: WallTime(milliseconds: 0))
        try commit(try #require(transaction))
    }

    private func commit(_ transaction: StoreTransaction) throws {
        guard let session else { return }
        _ = try session.store.commit(transaction)
        // A node notes a write before it is stored. If the note fails, the next opening notices.
        if generator.chance(90) {
            session.witness.lane(transaction.lane).noteOrForget(session.store.lane(transaction.lane))
        } else {
            self.session = nil
            try open()
        }
        let order = try session.store.summary().order
        var request = ChangesRequest(
            lane: transaction.lane, after: .none, covered: VersionVector(), bytes: 1)
        while true {
            let changes = try session.store.delta(request)
            // After the last write the read goes on to the end of the lane, which hides the place of that write.
            if changes.complete == nil, let write = changes.writes.first, changes.writes.count == 1 {
                let arrival = write.identity.kind.isClear ? changes.clears : changes.next
                let place = Place(order: order, lane: transaction.lane, arrival: arrival)
                if let other = places.updateValue(write, forKey: place) {
                    #expect(other.dot == write.dot, "\(place) means two writes")
                }
            }
            guard changes.complete == nil else { return }
            (request.after, request.clearsAfter) = (changes.next, changes.clears)
        }
    }
}

/// A store whose witness is opened again and again.
private final class WitnessedStore {
    let store: SQLiteStore
    private let folder: TemporaryFolder
    private var generator = SeededGenerator(seed: 1)

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 1))
    }

    /// The usual place of the witness.
    var path: String { folder.path + "/witness" }

    func open() throws -> (witness: Witness, opening: Witness.Opening) { try open(at: path, bootID: "boot") }

    func open(at path: String?, bootID: String) throws -> (witness: Witness, opening: Witness.Opening) {
        let witness = Witness(
            path: path, account: AccountIdentifier(high: 1, low: 1),
            device: DeviceIdentifier(high: 2, low: 2), bootID: bootID)
        return (witness, try witness.open(store, using: &generator))
    }
}

@Suite struct `A journal and its witness` {
    @Test(arguments: Seeds.first(25))
    func `no dot is given to two writes, whatever copy of the home is restored`(_ seed: UInt64) throws {
        let opened = try ReopenedJournal(seed: seed)
        try opened.run(steps: 60)
        #expect(opened.lives.count <= opened.openings && opened.told > 0)
    }

    @Test
    func `a journal continues its life if the witness agrees with the store, and otherwise begins a new one`()
        throws
    {
        let home = try WitnessedStore()
        let (store, path) = (home.store, home.path)
        let open = { try home.open(at: $0, bootID: $1).opening }
        let first = try open(path, "boot")
        let order = try store.summary().order
        #expect(first.sequences.isEmpty)
        #expect(try open(path, "boot").life == first.life && store.summary().order == order)
        // Another start of the machine, no path for the witness, and an unreadable witness.
        #expect(try open(path, "another").life != first.life && store.summary().order != order)
        #expect(try open(nil, "another").life != open(nil, "another").life)
        for lane in Lane.allCases {
            let last = try open(path, "another")
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: Witness.path(path, of: lane)))
            #expect(try open(path, "another").life != last.life)
        }
    }

    @Test func `a new life is later than every write sent to peers, even if the write was not stored`()
        throws
    {
        let home = try WitnessedStore()
        for (lane, time) in zip(Lane.allCases, [5, 7].map { HybridTime(value: $0 << 40) }) {
            let (witness, before) = try home.open()
            #expect(before.clock < time)
            #expect(witness.noteTold(1, of: before.life, at: time, in: lane))
            let (_, after) = try home.open()
            #expect(after.life != before.life && after.clock == time && after.sequences.isEmpty)
        }
    }

    /// The process may end before the lane has noted the later life, when the last write of the earlier life was
    /// announced and not stored.
    @Test(arguments: Lane.allCases)
    func `a new life begins if a later life than the witnessed one was sent to peers`(_ lane: Lane) throws {
        let home = try WitnessedStore()
        let (witness, first) = try home.open()
        #expect(witness.noteTold(1, of: first.life, at: first.clock, in: lane))
        #expect(witness.noteTold(1, of: Life(high: .max, low: 1), at: first.clock, in: lane))
        #expect(try home.open().opening.life != first.life)
    }

    @Test func `the next process knows what was sent and not stored, until the machine restarts`() throws {
        let home = try WitnessedStore()
        let (witness, first) = try home.open()
        let origin = Origin(life: first.life, lane: .activities)
        #expect(witness.noteTold(3, of: first.life, at: first.clock, in: .activities))
        // The life ends with the refused write, and the note of it goes with the life.
        witness.handleRefused(3, of: origin)
        witness.handleRefused(2, of: origin)
        for lane in Lane.allCases {
            try FileManager.default.removeItem(atPath: Witness.path(home.path, of: lane))
        }
        let second = try home.open().opening
        #expect(second.life != first.life)
        #expect(second.toldAhead.covers(Dot(origin: origin, sequence: 3)))
        #expect(!second.toldAhead.covers(Dot(origin: origin, sequence: 4)))
        let other = try home.open(at: home.path, bootID: "another").opening
        #expect(other.toldAhead.isEmpty)
    }

    @Test
    func `sending before storing is allowed without a witness path, and refused if the file is missing`()
        throws
    {
        let (folder, life) = (try TemporaryFolder(), Life(high: 7, low: 8))
        for (path, isTold) in [(nil, true), (folder.path + "/witness", false)] {
            let witness = Witness(
                path: path, account: AccountIdentifier(high: 1, low: 1),
                device: DeviceIdentifier(high: 2, low: 2), bootID: "boot")
            witness.begin(life)
            #expect(witness.noteTold(1, of: life, at: .zero, in: .activities) == isTold)
        }
    }

    /// The process may end after one lane was noted, and before the other one.
    @Test(arguments: Lane.allCases)
    func `a life that was witnessed for only one lane is not continued`(_ lane: Lane) throws {
        let home = try WitnessedStore()
        let (witness, first) = try home.open()
        let next = Life(high: .max, low: 1)
        witness.begin(next)
        witness.lane(lane).noteOrForget(home.store.lane(lane))
        let (_, second) = try home.open()
        #expect(![first.life, next].contains(second.life) && second.sequences.isEmpty)
        #expect(!second.lacksChanges)
    }

    @Test(arguments: Lane.allCases)
    func `a life is not continued if a lane has more of its writes than were witnessed`(_ lane: Lane) throws {
        let home = try WitnessedStore()
        let first = try home.open().opening
        #expect(try home.open().opening.life == first.life)
        let origin = Origin(life: first.life, lane: lane)
        _ = try home.store.commit(
            StoreTransaction(lane: lane, writes: [], completing: VersionVector([(origin, 1 as UInt64)])))
        #expect(try home.open().opening.life != first.life)
    }
}
