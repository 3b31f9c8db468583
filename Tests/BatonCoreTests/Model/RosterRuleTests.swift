import BatonCore
import Support
import Testing

/// Tests of a roster's answers for sets of statements about a few owners and devices, so that all cases meet.
@Suite struct `A roster` {
    private static let owners = (1...3).map { OwnerIdentifier(high: 1, low: $0) }
    private static let devices = (1...4).map { DeviceIdentifier(high: 2, low: $0) }

    private func admission(_ device: Int, by owner: Int, ends: Int64 = 10, begins: Int64 = 0) -> Admission {
        var writer = CBORWriter()
        for part in [Int64(device), Int64(owner), begins, ends] { writer.integer(part) }
        let certificate = RosterStatement.Certificate(writer.bytes)
        guard let certificate else { preconditionFailure("a few bytes") }
        return Admission(
            device: Self.devices[device], owner: Self.owners[owner], begins: WallTime(milliseconds: begins),
            ends: WallTime(milliseconds: ends), statement: .admission(owner: certificate, device: certificate)
        )
    }

    private func admit(_ device: Int, by owner: Int, ends: Int64 = 10) -> VerifiedStatement {
        .admission(admission(device, by: owner, ends: ends))
    }

    private func revoke(device: Int, by owner: Int, date: Int64 = 0) -> VerifiedStatement {
        .deviceRevocation(Self.devices[device], note(owner, date))
    }

    private func revoke(owner: Int, keeping kept: [Int], by other: Int, date: Int64 = 0) -> VerifiedStatement
    {
        .ownerRevocation(Self.owners[owner], kept: Set(kept.map { Self.devices[$0] }), note(other, date))
    }

    private func note(_ owner: Int, _ date: Int64) -> RevocationNote {
        RevocationNote(by: Self.owners[owner], date: WallTime(milliseconds: date))
    }

    private func roster(_ statements: some Sequence<VerifiedStatement>) -> Roster {
        var roster = Roster()
        for statement in statements { roster.add(statement) }
        return roster
    }

    private func draw(_ generator: inout SeededGenerator) -> [VerifiedStatement] {
        (0..<generator.number(1...12)).map { _ in
            let (device, owner, other) = (
                generator.number(0...3), generator.number(0...2), generator.number(0...2)
            )
            switch generator.number(0...5) {
            case 0: return revoke(device: device, by: owner, date: Int64(generator.number(0...3)))
            case 1, 2:
                let kept = (0...3).filter { _ in generator.chance(50) }
                return revoke(owner: owner, keeping: kept, by: other, date: Int64(generator.number(0...3)))
            default: return admit(device, by: owner, ends: Int64(generator.number(1...3)))
            }
        }
    }

    // MARK: Rules for any set

    @Test(arguments: Seeds.first(200))
    func `has the same content in every order and repetition of statements`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let statements = draw(&generator)
        let expected = roster(statements)
        for _ in 0..<10 {
            let other = generator.shuffled(statements + statements.filter { _ in generator.chance(30) })
            #expect(roster(other) == expected)
        }
    }

    @Test(arguments: Seeds.first(200))
    func `has the same content if it is joined from parts`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let statements = draw(&generator)
        var (one, two) = (Roster(), Roster())
        for statement in statements {
            let place = generator.number(0...2)
            if place != 1 { one.add(statement) }
            if place != 0 { two.add(statement) }
        }
        for statement in statements {
            one.add(statement)
            two.add(statement)
            // A known statement changes nothing.
            let before = one
            let isNews = one.add(statement)
            #expect(!isNews && one == before)
        }
        #expect(one == two && one == roster(statements))
    }

    @Test(arguments: Seeds.first(200))
    func `gains no member by a revocation, and loses no member by an admission`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var before = Roster()
        for statement in draw(&generator) {
            var after = before
            let isNews = after.add(statement)
            #expect(isNews == (after != before))
            let (had, has) = (Set(before.members), Set(after.members))
            switch statement {
            case .admission: #expect(had.isSubset(of: has))
            case .deviceRevocation, .ownerRevocation: #expect(has.isSubset(of: had))
            }
            before = after
        }
    }

    @Test(arguments: Seeds.first(100))
    func `loses no member if the revocation of an owner keeps all members`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var roster = roster(draw(&generator))
        let before = roster.members
        let owner = generator.pick(Self.owners)
        let leaving = roster.leaving(revoking: owner)
        #expect(leaving.anew.isEmpty)
        roster.add(.ownerRevocation(owner, kept: Set(leaving.kept), note(0, 0)))
        #expect(roster.members == before)
        #expect(roster.standing(of: owner) != .owner)
    }

    // MARK: The rules, one by one

    @Test func `knows which devices were admitted, and by which owner`() {
        let roster = roster([admit(0, by: 0), admit(0, by: 1), admit(2, by: 1)])
        #expect(roster.members == [Self.devices[0], Self.devices[2]])
        #expect(roster.standing(of: Self.devices[0]) == .member)
        #expect(roster.standing(of: Self.devices[1]) == .unknown)
        #expect(roster.admitters(of: Self.devices[0]) == [Self.owners[0], Self.owners[1]])
        #expect(roster.admitters(of: Self.devices[2]) == [Self.owners[1]])
        #expect(roster.standing(of: Self.owners[0]) == .owner)
        #expect(roster.standing(of: Self.owners[1]) == .owner)
        #expect(roster.standing(of: Self.owners[2]) == .unknown)
    }

    @Test func `reports the earliest of several revocations of a device`() {
        let roster = roster([
            admit(0, by: 0), revoke(device: 0, by: 1, date: 7), revoke(device: 0, by: 2, date: 5),
            revoke(device: 0, by: 0, date: 5), revoke(device: 3, by: 0),
        ])
        #expect(roster.standing(of: Self.devices[0]) == .revoked(note(0, 5)))
        // It was never let in, and never will be.
        #expect(roster.standing(of: Self.devices[3]) == .revoked(note(0, 0)))
        #expect(roster.members.isEmpty && roster.devices == [Self.devices[0], Self.devices[3]])
    }

    @Test func `never readmits a revoked device, even if its revoker is revoked`() {
        var roster = roster([
            admit(0, by: 0), revoke(device: 0, by: 1), revoke(owner: 1, keeping: [], by: 0),
        ])
        #expect(roster.standing(of: Self.devices[0]) == .revoked(note(1, 0)))
        roster.add(admit(0, by: 2, ends: 99))
        #expect(!roster.isMember(Self.devices[0]))
    }

    @Test func `accepts from a revoked owner only the devices that every revocation keeps`() {
        var roster = roster([
            admit(0, by: 0), admit(1, by: 0), admit(2, by: 0), revoke(owner: 0, keeping: [0, 1], by: 1),
        ])
        #expect(roster.members == [Self.devices[0], Self.devices[1]])
        #expect(roster.standing(of: Self.devices[2]) == .undone(admittedBy: Self.owners[0]))
        // Later statements of the owner do not count, whatever their date.
        roster.add(admit(3, by: 0))
        #expect(roster.standing(of: Self.devices[3]) == .undone(admittedBy: Self.owners[0]))
        // A renewal of a device that is kept counts.
        roster.add(admit(0, by: 0, ends: 20))
        #expect(roster.isMember(Self.devices[0]))
        roster.add(revoke(owner: 0, keeping: [1, 2], by: 2))
        #expect(roster.members == [Self.devices[1]])
        // Another owner can admit again a device that lost its membership in this way, and only in this way.
        roster.add(admit(0, by: 1))
        #expect(roster.members == [Self.devices[0], Self.devices[1]])
    }

    @Test func `excludes two owners that revoke each other, and all their devices`() {
        let both = [admit(0, by: 0), admit(1, by: 1), admit(2, by: 0)]
        let (one, two) = (revoke(owner: 1, keeping: [1], by: 0), revoke(owner: 0, keeping: [0, 2], by: 1))
        let roster = roster(both + [one, two])
        #expect(roster.members == [Self.devices[0], Self.devices[1], Self.devices[2]])
        #expect(roster.standing(of: Self.owners[0]) == .revoked(note(1, 0)))
        #expect(roster.standing(of: Self.owners[1]) == .revoked(note(0, 0)))
    }

    @Test func `prefers the certificate that is valid longest, and those by revoked owners least`() {
        let statements = [
            (0, 9), (1, 20), (1, 30), (2, 90),
        ].map { VerifiedStatement.admission(admission(0, by: $0.0, ends: $0.1)) }
        var roster = roster(statements)
        func newest(at time: Int64) -> Admission? {
            roster.newestAdmission(of: Self.devices[0], at: WallTime(milliseconds: time))
        }
        #expect(newest(at: 5) == admission(0, by: 2, ends: 90))
        // The thief of its key may give the certificate any end.
        roster.add(revoke(owner: 2, keeping: [0], by: 0))
        #expect(newest(at: 5) == admission(0, by: 1, ends: 30))
        // A valid certificate is better than an expired one.
        #expect(newest(at: 50) == admission(0, by: 2, ends: 90))
        roster.add(.admission(admission(0, by: 0, ends: 99, begins: 80)))
        #expect(newest(at: 5) == admission(0, by: 1, ends: 30))
        #expect(newest(at: 85) == admission(0, by: 0, ends: 99, begins: 80))
        roster.add(revoke(device: 0, by: 0))
        #expect(newest(at: 5) == nil)
    }

    @Test func `names the devices to readmit when a revocation can't keep all of them`() {
        var roster = Roster()
        let count = UInt64(Revocation.keptMost + 5)
        for number in 0..<count {
            let device = DeviceIdentifier(high: 9, low: number)
            let statement = RosterStatement.unknown([UInt8(truncatingIfNeeded: number)])
            for owner in number < 3 ? Self.owners[...1] : Self.owners[..<1] {
                roster.add(
                    .admission(
                        Admission(
                            device: device, owner: owner, begins: WallTime(milliseconds: 0),
                            ends: WallTime(milliseconds: 1), statement: statement)))
            }
        }
        let gone = DeviceIdentifier(high: 9, low: 50)
        let (kept, anew) = roster.leaving(revoking: Self.owners[0], with: [gone])
        #expect(kept.count == Revocation.keptMost && kept == kept.sorted() && !kept.contains(gone))
        // Three have another owner's word, and need no place; then one is left over.
        #expect(anew.count == 1)
        for device in anew {
            roster.add(
                .admission(
                    Admission(
                        device: device, owner: Self.owners[1], begins: WallTime(milliseconds: 0),
                        ends: WallTime(milliseconds: 1), statement: .unknown([]))))
        }
        let before = roster.members
        roster.add(.ownerRevocation(Self.owners[0], kept: Set(kept), note(1, 0)))
        #expect(roster.members == before.filter { $0 != gone })
    }
}
