import BatonCore
import Support
import Testing

/// Statements of the roster that the thief of an owner's key signs without end.
@Suite struct `A roster that skips statements because it has too many` {
    private static let own = DeviceIdentifier(high: 9, low: 1)
    private static let thief = OwnerIdentifier(high: 7, low: 7)
    private static let owner = OwnerIdentifier(high: 6, low: 6)
    private static let many = 2 * Limits.strayRevocations + 2 * Limits.statementsTaken

    private let verifier = CountingVerifier()
    private let store = InMemoryStore()
    private var journal: Journal
    private var roster: RosterKeeper
    private var clocks = Clocks(
        wall: WallTime(milliseconds: 1_700_000_000_000), steady: Instant(nanoseconds: 0))
    /// The number of times that the disk refuses to note or to read statements.
    private var refusals = 0
    private var warnings: [String] = []
    /// The number of drafts that the roster had written.
    private var written = 0

    init() throws {
        journal = Journal(life: Life(after: .zero, of: Self.own, random: 1), latest: .zero)
        roster = RosterKeeper(
            OwnAdmission(device: Self.own, name: "desk", statement: nil, owner: nil),
            knowing: Membership(own: Self.own), keeping: [], lacking: [], by: verifier, limits: Limits())
    }

    private static func invented(_ number: Int) -> DeviceIdentifier {
        DeviceIdentifier(high: 3, low: UInt64(number))
    }

    private func admission(
        _ device: DeviceIdentifier, by owner: OwnerIdentifier = Self.owner
    ) throws -> Journal.Draft {
        Journal.Draft(try TrustingVerifier.admission(of: device, by: owner))
    }

    private func revocation(
        _ subject: Revocation.Subject, by owner: OwnerIdentifier = Self.thief
    ) throws -> Journal.Draft {
        Journal.Draft(try TrustingVerifier.revocation(of: subject, by: owner, at: clocks.wall))
    }

    /// Begins anew with what is stored, and with revocations that were kept beside it.
    private mutating func restart(keeping kept: [RecordKey] = []) throws {
        roster = RosterKeeper(
            OwnAdmission(device: Self.own, name: "desk", statement: nil, owner: nil),
            knowing: try Membership(own: Self.own, storedIn: store, by: verifier), keeping: kept,
            lacking: Set(try store.lane(.activities).lacking(kept)), by: verifier, limits: Limits())
        roster.start(isFirst: false, at: clocks)
        try drain()
    }

    /// Stores drafts in some transactions, and passes them to the roster.
    private mutating func keep(_ drafts: [Journal.Draft]) throws {
        for start in stride(from: 0, to: drafts.count, by: 200) {
            let part = Array(drafts[start..<min(start + 200, drafts.count)])
            let named = journal.transaction(.activities, part, now: clocks.wall)
            let commit = try store.commit(try #require(named))
            _ = roster.learnRecords(commit.changed, verified: [:], at: clocks)
        }
    }

    /// Carries out effects until there are none; passes the pause after each refusal.
    private mutating func drain() throws {
        while true {
            while let effect = roster.nextEffect() { try perform(effect) }
            guard let deadline = roster.deadline else { return }
            clocks = Clocks(wall: clocks.wall, steady: deadline)
            roster.handleDeadline(at: clocks)
        }
    }

    private mutating func perform(_ effect: RosterKeeper.Effect) throws {
        switch effect {
        case .skip, .seek:
            guard refusals == 0 else {
                refusals -= 1
                let failure = StoreFailure(.full, "there is no room")
                if case .seek = effect {
                    roster.handleFailure(failure, of: .sought, at: clocks.steady)
                } else {
                    roster.handleFailure(failure, of: .skip, at: clocks.steady)
                }
                return
            }
        default: break
        }
        switch effect {
        case .skip(let skipped):
            var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
            transaction.notes = skipped.map(\.note)
            _ = try store.commit(transaction)
            roster.handleSkipped(skipped, at: clocks)
        case .seek(let devices, let kept):
            let records = try store.lane(.activities)
                .statements(about: devices, admissionsOf: kept)
            roster.handleFound(records, about: devices, at: clocks)
        case .write(let subject, let drafts, _):
            written += drafts.count
            try keep(drafts)
            roster.handleKept(subject, at: clocks)
        case .warn(let text): warnings.append(text)
        case .waitForFewer, .waitForMore, .entered, .returned: break
        }
    }

    private var members: Roster { roster.membership.roster }

    private func standing(of device: DeviceIdentifier) -> DeviceStanding { members.standing(of: device) }

    private func isRevoked(_ device: DeviceIdentifier) -> Bool {
        if case .revoked = standing(of: device) { true } else { false }
    }

    /// Revokes thousands of devices that do not exist, and a device that is admitted later; returns that one.
    private mutating func revokeMany() throws -> DeviceIdentifier {
        try keep([try admission(Self.own)])
        try keep((0..<Self.many).map { try revocation(.device(Self.invented($0))) })
        try drain()
        let revoked = store.notes(in: .skippedStatement).compactMap { note -> DeviceIdentifier? in
            guard case .revocation(let device)? = SkippedStatement(note)?.subject else { return nil }
            return device
        }
        return try #require(revoked.last)
    }

    @Test mutating func `holds only a limited number of revocations of devices that nobody admitted`() throws
    {
        _ = try revokeMany()
        #expect(members.devices.count <= Limits.strayRevocations + Limits.statementsTaken + 1)
        #expect(members.isMember(Self.own))
    }

    @Test(arguments: [0, 1, 3])
    mutating func `admits no device whose revocation was skipped`(refused: Int) throws {
        let revoked = try revokeMany()
        let other = DeviceIdentifier(high: 4, low: 4)
        #expect(standing(of: revoked) == .unknown)
        refusals = refused
        try keep([try admission(revoked), try admission(other)])
        #expect(standing(of: revoked) == .unsettled && standing(of: other) == .unsettled)
        #expect(!members.isMember(other) && roster.membership.refusal(of: other)?.code == .busy)
        // A revocation of its owner must not end it meanwhile.
        #expect(members.leaving(revoking: Self.owner).kept.contains(other))
        try drain()
        #expect(isRevoked(revoked) && standing(of: other) == .member)
        #expect(roster.membership.others == [other])
        #expect(warnings.count { $0.contains("could not read whether a device was revoked") } == refused)
        // And it stays so.
        try restart()
        #expect(isRevoked(revoked) && standing(of: other) == .member)
    }

    @Test mutating func `admits no device whose revocation was skipped, even if the note about it is lost`()
        throws
    {
        let revoked = try revokeMany()
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = store.notes(in: .skippedStatement).map {
            LocalNote(space: $0.space, name: $0.name, value: nil)
        }
        _ = try store.commit(transaction)
        try keep([try admission(revoked)])
        try drain()
        #expect(isRevoked(revoked))
    }

    @Test mutating func `admits a connecting device once the store was searched for its revocation`() throws {
        let revoked = try revokeMany()
        let other = DeviceIdentifier(high: 4, low: 4)
        for device in [revoked, other] {
            let shown = try TrustingVerifier.admission(of: device, by: Self.owner)
            #expect(roster.meet(device, showing: shown, at: clocks)?.code == .busy)
        }
        try drain()
        for (device, code) in [(revoked, CloseCode.notMember), (other, nil)] as [(_, CloseCode?)] {
            let shown = try TrustingVerifier.admission(of: device, by: Self.owner)
            #expect(roster.meet(device, showing: shown, at: clocks)?.code == code)
        }
        // Its admission is entered, so that others learn of it.
        let key = try TrustingVerifier.admission(of: other, by: Self.owner).key
        #expect(store.record(key.identity) != nil)
    }

    @Test mutating func `drops no revocation before the store has a note of it`() throws {
        refusals = 1
        try keep((0..<Self.many).map { try revocation(.device(Self.invented($0))) })
        while let effect = roster.nextEffect() { try perform(effect) }
        #expect(refusals == 0 && store.notes(in: .skippedStatement).isEmpty)
        #expect((0..<Self.many).allSatisfy { isRevoked(Self.invented($0)) })
        #expect(warnings.contains { $0.contains("could not note which statements") })
        try drain()
        #expect(!store.notes(in: .skippedStatement).isEmpty)
    }

    @Test mutating func `verifies few statements when a process begins`() throws {
        let revoked = try revokeMany()
        try keep((0..<Self.many).map { try admission(Self.invented($0 + 100_000), by: Self.thief) })
        try drain()
        verifier.count = 0
        try restart()
        #expect(
            verifier.count
                <= Limits.ownerAdmissions + Limits.strayRevocations + 2 * Limits.statementsTaken + 10)
        #expect(members.members.count == Limits.ownerDevices + 1 && members.isMember(Self.own))
        try keep([try admission(revoked)])
        try drain()
        #expect(isRevoked(revoked))
    }

    @Test(arguments: [false, true])
    mutating func `restores a device that a revocation keeps, even if the device's admission was skipped`(
        isRestarted: Bool
    ) throws {
        // Devices with smaller names stand before it.
        let honest = DeviceIdentifier(high: 5, low: 5)
        try keep([try admission(Self.own), try admission(honest, by: Self.thief)])
        try keep((0..<Self.many).map { try admission(Self.invented($0), by: Self.thief) })
        try drain()
        #expect(standing(of: honest) == .unknown)
        let leaving = members.leaving(revoking: Self.thief, met: [honest, Self.own])
        #expect(leaving.kept == [honest] && leaving.anew.isEmpty)
        try keep([try revocation(.owner(Self.thief, kept: leaving.kept), by: Self.owner)])
        if isRestarted { try restart() } else { try drain() }
        #expect(members.members == [honest, Self.own].sorted())
        #expect(roster.membership.others.contains(honest))
    }

    @Test mutating func `does not rewrite a revocation that it skipped`() throws {
        let revoked = try revokeMany()
        let key = try TrustingVerifier.revocation(of: .device(revoked), by: Self.thief, at: clocks.wall).key
        let lost = try TrustingVerifier.revocation(
            of: .device(DeviceIdentifier(high: 8, low: 8)), by: Self.owner, at: clocks.wall
        ).key
        (written, warnings) = (0, [])
        try restart(keeping: [key, lost])
        #expect(written == 1 && store.record(lost.identity) != nil)
        #expect(warnings.count == 1 && isRevoked(revoked))
    }
}

/// Believes every statement, and counts them.
private final class CountingVerifier: StatementVerifier {
    var count = 0
    private let verifier = TrustingVerifier()

    func verify(_ statement: RosterStatement) -> VerifiedStatement? {
        count += 1
        return verifier.verify(statement)
    }

    func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool {
        verifier.verifies(proof, of: device, over: bytes)
    }
}
