import BatonCore
import Support
import Testing

/// Tests of a device's roster records, on a disk that refuses some of them.
@Suite("The roster's enforcement") struct RosterKeeperTests {
    private let own = DeviceIdentifier(high: 1, low: 1)
    private let laptop = DeviceIdentifier(high: 1, low: 2)
    private let phone = DeviceIdentifier(high: 1, low: 3)
    private let owner = OwnerIdentifier(high: 7, low: 7)
    private let verifier = TrustingVerifier()
    private let store = InMemoryStore()
    private var journal: Journal
    private var roster: RosterKeeper
    private var clocks = Clocks(
        wall: WallTime(milliseconds: 1_700_000_000_000), steady: Instant(nanoseconds: 0))
    /// The number of writes that the disk refuses from now on.
    private var refusals = 0
    /// The subjects that were written, also without success.
    private var asked: [RosterKeeper.Subject] = []
    /// All other effects.
    private var effects: [RosterKeeper.Effect] = []

    init() throws {
        journal = Journal(life: Life(after: .zero, of: own, random: 1), latest: .zero)
        roster = RosterKeeper(
            OwnAdmission(device: own, name: "desk", statement: nil, owner: nil),
            knowing: Membership(own: own), keeping: [], lacking: [], by: verifier, limits: Limits())
    }

    private func admission(_ device: DeviceIdentifier) throws -> RosterStatement {
        try TrustingVerifier.admission(of: device, by: owner)
    }

    private func revocation(_ device: DeviceIdentifier) throws -> RosterStatement {
        try TrustingVerifier.revocation(of: .device(device), by: owner, at: clocks.wall)
    }

    /// Begins anew with the records in the store and revocations that were kept beside it.
    private mutating func restart(keeping kept: [RecordKey]) throws {
        roster = RosterKeeper(
            OwnAdmission(device: own, name: "desk", statement: nil, owner: nil),
            knowing: try Membership(own: own, storedIn: store, by: verifier), keeping: kept,
            lacking: Set(kept.filter { !has($0) }), by: verifier, limits: Limits())
    }

    /// Sets up the admission of this device, with an owner's key if asked.
    private mutating func useAdmission(hasKey: Bool = false) throws {
        let statement = try admission(own)
        roster.use(
            OwnAdmission(device: own, name: "desk", statement: statement, owner: hasKey ? owner : nil),
            at: clocks)
    }

    /// Carries out effects until there are none.
    private mutating func drain() throws {
        while let effect = roster.nextEffect() {
            guard case .write(let subject, let drafts, _) = effect else {
                effects.append(effect)
                continue
            }
            asked.append(subject)
            if refusals > 0 {
                refusals -= 1
                roster.handleFailure(StoreFailure(.full, "there is no room"), of: subject, at: clocks.steady)
            } else {
                try keep(drafts)
                roster.handleKept(subject, at: clocks)
            }
        }
    }

    /// Stores drafts of this device or of another one, and passes them to the roster.
    private mutating func keep(_ drafts: [Journal.Draft]) throws {
        let named = journal.transaction(.activities, drafts, now: clocks.wall)
        let commit = try store.commit(try #require(named))
        _ = roster.learnRecords(commit.changed, verified: [:], at: clocks)
    }

    /// Drains, and passes the pause after each refusal.
    private mutating func drainToEnd() throws {
        try drain()
        while let deadline = roster.deadline {
            clocks = Clocks(wall: clocks.wall, steady: deadline)
            roster.handleDeadline(at: clocks)
            try drain()
        }
    }

    /// Believes nothing.
    private struct DoubtingVerifier: StatementVerifier {
        func verify(_ statement: RosterStatement) -> VerifiedStatement? { nil }

        func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool {
            false
        }
    }

    @Test mutating func `a statement that comes with its verification is not verified again`() throws {
        let statement = try admission(laptop)
        let named = journal.transaction(.activities, [Journal.Draft(statement)], now: clocks.wall)
        let records = try store.commit(try #require(named)).changed
        roster = RosterKeeper(
            OwnAdmission(device: own, name: "desk", statement: nil, owner: nil),
            knowing: Membership(own: own), keeping: [], lacking: [], by: DoubtingVerifier(), limits: Limits())
        let isNewsUnverified = roster.learnRecords(records, verified: [:], at: clocks)
        let meaning = try #require(verifier.verify(statement))
        let isNews = roster.learnRecords(records, verified: [statement.key: meaning], at: clocks)
        #expect(!isNewsUnverified && isNews)
        #expect(roster.membership.roster.isMember(laptop))
    }

    private func has(_ key: RecordKey) -> Bool { store.record(key.identity) != nil }

    private func device(_ device: DeviceIdentifier) -> Device? {
        store.record(Device.key(device).identity)?.device
    }

    private var warnings: [String] {
        effects.compactMap { if case .warn(let text) = $0 { text } else { nil } }
    }

    @Test(arguments: [0, 1, 4])
    mutating func `an admission that a peer showed is written again until the disk stores it`(refused: Int)
        throws
    {
        refusals = refused
        #expect(try roster.meet(laptop, showing: admission(laptop), at: clocks) == nil)
        try drainToEnd()
        #expect(try has(admission(laptop).key))
        #expect(asked == Array(repeating: .admissions, count: refused + 1))
        #expect(warnings.count == refused)
        #expect(warnings.allSatisfy { $0.contains("could not save that a device was admitted") })
    }

    @Test mutating func `admissions shown while the disk refused writes are stored with the first admission`()
        throws
    {
        refusals = 2
        for device in [laptop, phone] {
            #expect(try roster.meet(device, showing: admission(device), at: clocks) == nil)
            try drain()
        }
        try drainToEnd()
        #expect(try has(admission(laptop).key) && has(admission(phone).key))
        #expect(asked.count == 3)
    }

    @Test(arguments: [0, 1, 4])
    mutating func `a device writes its own record once, after a member has sent its whole account`(
        refused: Int
    ) throws {
        roster.start(isFirst: false, at: clocks)
        try useAdmission()
        try drainToEnd()
        #expect(!has(Device.key(own)) && !roster.membership.mayCollect)
        refusals = refused
        for _ in 0..<3 { roster.handleIntroduction(at: clocks) }
        try drainToEnd()
        #expect(device(own)?.name == "desk" && roster.membership.mayCollect)
        #expect(asked == [.ownAdmission] + Array(repeating: .ownRecord, count: refused + 1))
    }

    @Test mutating func `several changes that a person makes to the device's own record build on each other`()
        throws
    {
        try useAdmission()
        try drainToEnd()
        // The first change makes the record, although no member has told this device all.
        let early = roster.ownRecord { $0.name = "early" }
        try keep([early])
        roster.handleOwnRecord(at: clocks)
        #expect(device(own)?.name == "early")
        let (laptop, date) = (laptop, clocks.wall)
        let first = roster.ownRecord { $0.name = "loft" }
        let second = roster.ownRecord { $0.remove(laptop, seen: nil, at: date) }
        for draft in [first, second] {
            try keep([draft])
            roster.handleOwnRecord(at: clocks)
        }
        #expect(device(own)?.name == "loft" && device(own)?.removals.map(\.device) == [laptop])
    }

    @Test(arguments: [0, 1, 4])
    mutating func `the first device of an account enters its own admission, and reports that once`(
        refused: Int
    )
        throws
    {
        refusals = refused
        try useAdmission(hasKey: true)
        roster = RosterKeeper(
            OwnAdmission(device: own, name: "desk", statement: try admission(own), owner: owner),
            knowing: Membership(own: own), keeping: [], lacking: [], by: verifier, limits: Limits())
        roster.start(isFirst: true, at: clocks)
        try drainToEnd()
        #expect(try has(admission(own).key))
        #expect(device(own)?.name == "desk" && device(own)?.owner == owner)
        try useAdmission(hasKey: true)
        try drainToEnd()
        #expect(effects.count { $0 == .entered } == 1)
        #expect(asked == Array(repeating: .ownAdmission, count: refused + 1))
    }

    @Test(arguments: [0, 1, 3])
    mutating func
        `a device corrects its own record once if the record lacks its owner's key or says that it left`(
            refused: Int
        )
        throws
    {
        try keep([Journal.Draft(try admission(own))])
        try useAdmission(hasKey: true)
        refusals = refused
        try keep([
            Journal.Draft(Device(identifier: own, name: "desk", admitted: clocks.wall, left: clocks.wall))
        ])
        try drainToEnd()
        #expect(device(own)?.owner == owner && device(own)?.left == nil)
        #expect(asked == Array(repeating: .ownRecord, count: refused + 1))
        // Another machine with this identity writes a different record; the two do not overwrite each other for ever.
        try keep([Journal.Draft(Device(identifier: own, name: "desk", admitted: clocks.wall))])
        try drainToEnd()
        #expect(asked.count == refused + 1)
    }

    @Test mutating func `a device that is leaving does not correct the record that says so`() throws {
        roster.isLeaving = true
        try keep([
            Journal.Draft(Device(identifier: own, name: "desk", admitted: clocks.wall, left: clocks.wall))
        ])
        try drainToEnd()
        #expect(asked.isEmpty && device(own)?.left != nil)
    }

    @Test
    mutating func
        `a removed device is waited for while connected, and permanently once it writes its record`()
        throws
    {
        var mine = Device(identifier: own, name: "desk", admitted: clocks.wall)
        mine.remove(laptop, seen: nil, at: clocks.wall)
        try keep([
            Journal.Draft(try admission(own)), Journal.Draft(try admission(laptop)), Journal.Draft(mine),
        ])
        try drain()
        #expect(roster.membership.waitedFor == [own])
        effects = []
        roster.recordConnected([laptop], at: clocks)
        #expect(roster.membership.waitedFor == [own, laptop])
        roster.recordConnected([], at: clocks)
        #expect(roster.membership.waitedFor == [own])
        try keep([Journal.Draft(Device(identifier: laptop, name: "laptop", admitted: clocks.wall))])
        try drainToEnd()
        #expect(roster.membership.waitedFor == [own, laptop] && effects.contains(.returned([laptop])))
    }

    @Test mutating func `a device that was declared gone rewrites its own record, once for each declaration`()
        throws
    {
        try useAdmission()
        roster.handleIntroduction(at: clocks)
        try drainToEnd()
        try keep([Journal.Draft(try admission(laptop))])
        asked = []
        for _ in 0..<2 {
            let seen = roster.membership.recordStamp(of: own)
            var said = Device(identifier: laptop, name: "laptop", admitted: clocks.wall)
            said.remove(own, seen: seen, at: clocks.wall)
            try keep([Journal.Draft(said)])
            #expect(roster.membership.removed(own) != nil)
            try drainToEnd()
            #expect(roster.membership.removed(own) == nil && roster.membership.recordStamp(of: own) != seen)
        }
        #expect(asked == [.ownRecord, .ownRecord])
    }

    @Test mutating func `a refused peer is sent the reason, and a revoked member is no longer waited for`()
        throws
    {
        #expect(roster.meet(laptop, showing: nil, at: clocks)?.code == .notMember)
        try keep([Journal.Draft(try admission(laptop))])
        try drain()
        #expect(effects == [.waitForMore])
        try keep([Journal.Draft(try revocation(laptop))])
        try drain()
        #expect(effects == [.waitForMore, .waitForFewer])
        #expect(try roster.meet(laptop, showing: admission(laptop), at: clocks)?.code == .notMember)
        #expect(asked.isEmpty)
    }

    @Test(arguments: [0, 1, 4])
    mutating func
        `revocations that the store lost are in force immediately, and writing them is retried`(
            refused: Int
        ) throws
    {
        let kept = [try revocation(laptop).key, try revocation(phone).key]
        try keep([Journal.Draft(try revocation(phone))])
        try restart(keeping: kept)
        #expect(try roster.meet(laptop, showing: admission(laptop), at: clocks)?.code == .notMember)
        refusals = refused
        roster.start(isFirst: false, at: clocks)
        try drainToEnd()
        #expect(kept.allSatisfy(has))
        #expect(asked == Array(repeating: .revocations, count: refused + 1))
        #expect(warnings.first?.contains("lacks 1 revocation") == true)
        try restart(keeping: roster.membership.revocations.keys)
        let keptAgain = roster.membership.revocations.keys
        #expect(Set(keptAgain) == Set(kept) && keptAgain.count == kept.count)
        asked = []
        roster.start(isFirst: false, at: clocks)
        try drainToEnd()
        #expect(asked.isEmpty)
    }

    /// `Membership` holds the first that it learned of several revocations of one device by one owner.
    @Test
    mutating func
        `revocations that the store has are not written again, even if the membership holds only one of them`()
        throws
    {
        let statements = try (1...2).map { number in
            try TrustingVerifier.revocation(
                of: .device(laptop), by: owner, at: WallTime(milliseconds: number))
        }
        try keep(statements.map { Journal.Draft($0) })
        for statement in statements {
            try restart(keeping: [statement.key])
            roster.start(isFirst: false, at: clocks)
            try drainToEnd()
        }
        #expect(asked.isEmpty && warnings.isEmpty)
    }

    @Test mutating func `many lost revocations are written in several transactions`() throws {
        let revoked = (1...100).map { DeviceIdentifier(high: 2, low: $0) }
        let kept = try revoked.map { try revocation($0).key }
        try restart(keeping: kept)
        roster.start(isFirst: false, at: clocks)
        try drainToEnd()
        #expect(kept.allSatisfy(has) && asked.count == 4)
    }

    @Test mutating func `revocations that a database rescue loses are written again`() throws {
        let lost = try revocation(laptop)
        try restart(keeping: [lost.key])
        refusals = 1
        roster.start(isFirst: false, at: clocks)
        try drain()
        // It is under way or refused already, so it is not written twice.
        roster.handleLoss(of: [lost.key], at: clocks)
        try drainToEnd()
        #expect(has(lost.key) && asked == [.revocations, .revocations])
        roster.handleLoss(of: [lost.key], at: clocks)
        try drainToEnd()
        #expect(asked.count == 3)
    }

    @Test mutating func `invalid revocations in the file beside the store are ignored, with a warning`()
        throws
    {
        let certificate = try #require(RosterStatement.Certificate([1, 2, 3]))
        let forged = Revocation(
            subject: .device(laptop), date: clocks.wall, owner: certificate, signature: [])
        let kept = [
            RosterStatement.revocation(try #require(forged)).key, try admission(laptop).key,
            RecordKey(kind: .rosterStatement, name: [0xff]), try revocation(phone).key,
        ]
        try restart(keeping: kept)
        roster.start(isFirst: false, at: clocks)
        try drainToEnd()
        #expect(warnings.contains { $0.hasPrefix("3 of the revocations") })
        #expect(roster.membership.revocations.keys == [kept[3]] && !roster.membership.isRevoked(laptop))
    }

    @Test mutating func `nothing is written once the process is ending`() throws {
        refusals = .max
        #expect(try roster.meet(laptop, showing: admission(laptop), at: clocks) == nil)
        try drain()
        roster.stop()
        clocks = Clocks(wall: clocks.wall, steady: try #require(roster.deadline))
        roster.handleDeadline(at: clocks)
        try drain()
        #expect(asked == [.admissions])
        #expect(roster.deadline == nil)
    }
}
