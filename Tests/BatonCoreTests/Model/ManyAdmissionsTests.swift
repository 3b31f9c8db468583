import BatonCore
import Support
import Testing

/// Owners that admit more devices than a person has, as the thief of an owner's key can.
@Suite struct `A roster with many admissions` {
    private static let owners = (0...2).map { OwnerIdentifier(high: 1, low: $0) }
    private static let most = Limits.ownerDevices

    private static func device(_ number: Int) -> DeviceIdentifier {
        DeviceIdentifier(high: 2, low: UInt64(number))
    }

    private func admission(_ device: Int, by owner: Int = 0, begins: Int, ends: Int = 1_000_000) -> Admission
    {
        var writer = CBORWriter()
        for part in [device, owner, begins, ends] { writer.integer(Int64(part)) }
        return Admission(
            device: Self.device(device), owner: Self.owners[owner],
            begins: WallTime(milliseconds: Int64(begins)), ends: WallTime(milliseconds: Int64(ends)),
            statement: .unknown(writer.bytes))
    }

    private func revocation(of owner: Int, keeping kept: some Sequence<Int>) -> VerifiedStatement {
        .ownerRevocation(
            Self.owners[owner], kept: Set(kept.map(Self.device)),
            RevocationNote(by: Self.owners[2], date: WallTime(milliseconds: 5)))
    }

    private func roster(_ statements: some Sequence<VerifiedStatement>) -> Roster {
        var roster = Roster()
        for statement in statements { roster.add(statement) }
        return roster
    }

    /// Some hundred admissions by two owners, and perhaps revocations.
    private func draw(_ generator: inout SeededGenerator) -> [VerifiedStatement] {
        var statements = (0..<700).map { _ in
            VerifiedStatement.admission(
                admission(
                    generator.number(0...399), by: generator.chance(80) ? 0 : 1,
                    begins: generator.number(0...60)))
        }
        for owner in 0...1 where generator.chance(40) {
            for _ in 0..<generator.number(1...2) {
                let kept = (0...399).filter { _ in generator.chance(30) }
                statements.append(revocation(of: owner, keeping: kept))
            }
        }
        for number in 0..<3 where generator.chance(50) {
            let note = RevocationNote(by: Self.owners[1], date: WallTime(milliseconds: 1))
            statements.append(.deviceRevocation(Self.device(number * 100), note))
        }
        return statements
    }

    /// Returns the members by the rule, read from all statements at once.
    private func members(_ statements: [VerifiedStatement]) -> [DeviceIdentifier] {
        var firsts: [OwnerIdentifier: [DeviceIdentifier: WallTime]] = [:]
        var kept: [OwnerIdentifier: Set<DeviceIdentifier>] = [:]
        var revoked: Set<DeviceIdentifier> = []
        for statement in statements {
            switch statement {
            case .admission(let admission):
                let known = firsts[admission.owner]?[admission.device] ?? admission.begins
                firsts[admission.owner, default: [:]][admission.device] = min(known, admission.begins)
            case .deviceRevocation(let device, _): revoked.insert(device)
            case .ownerRevocation(let owner, let devices, _):
                kept[owner] = kept[owner]?.intersection(devices) ?? devices
            }
        }
        var members: Set<DeviceIdentifier> = []
        for (owner, devices) in firsts {
            let ordered = devices.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
            members.formUnion(kept[owner]?.intersection(ordered) ?? Set(ordered.prefix(Self.most)))
        }
        return members.subtracting(revoked).sorted()
    }

    @Test(arguments: Seeds.first(10))
    func `has the same members in any order and repetition of statements`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let statements = draw(&generator)
        let first = roster(statements)
        #expect(first.members == members(statements))
        for _ in 0..<3 {
            let other = roster(
                generator.shuffled(statements + statements.filter { _ in generator.chance(20) }))
            #expect(other.members == first.members && other.devices == first.devices)
            for device in (0..<400).map(Self.device) {
                #expect(other.standing(of: device) == first.standing(of: device))
                #expect(other.admitters(of: device) == first.admitters(of: device))
            }
        }
    }

    @Test func `admits no device beyond an owner's limit, but accepts every renewal`() {
        var roster = roster((0..<Self.most).map { .admission(admission($0, begins: $0)) })
        let before = roster
        for number in Self.most..<Self.most + 50 {
            roster.add(.admission(admission(number, begins: number)))
            #expect(
                roster.standing(of: Self.device(number)) == .surplus(admittedBy: Self.owners[0]))
        }
        #expect(roster.members == before.members && roster.devices == before.devices)
        let renewed = admission(Self.most - 1, begins: 9_999, ends: 2_000_000)
        roster.add(.admission(renewed))
        #expect(roster.newestAdmission(of: renewed.device, at: WallTime(milliseconds: 10_000)) == renewed)
        // Another owner's devices have places of their own.
        roster.add(.admission(admission(Self.most, by: 1, begins: 9_999)))
        #expect(roster.isMember(Self.device(Self.most)))
    }

    @Test func `keeps the honest members when the owner that admitted hundreds of others is revoked`() {
        let honest = (0..<10).map { admission($0, begins: 100 + $0) }
        var roster = roster(honest.map { .admission($0) })
        for number in 1000..<1900 { roster.add(.admission(admission(number, begins: 1))) }
        #expect(roster.members.count == Self.most && !roster.isMember(Self.device(0)))
        let met = Set((0..<12).map(Self.device))
        let leaving = roster.leaving(revoking: Self.owners[0], with: [Self.device(11)], met: met)
        #expect(leaving.kept == (0..<10).map(Self.device) && leaving.anew.isEmpty)
        roster.add(revocation(of: 0, keeping: 0..<10))
        #expect(roster.members == (0..<10).map(Self.device))
        // Its device shows the certificate that was not held.
        let isNews = roster.add(.admission(honest[0]))
        #expect(isNews && roster.contains(honest[0]))
        // The revoked owner goes on.
        for number in 4000..<5000 { roster.add(.admission(admission(number, begins: 0))) }
        #expect(roster.members == (0..<10).map(Self.device))
        #expect(roster.standing(of: Self.device(4500)) == .undone(admittedBy: Self.owners[0]))
    }

    @Test func `restores the devices that the revocation of a flooding owner keeps`() {
        let honest = (0..<10).map { admission($0, begins: 100 + $0) }
        let flood = (1000..<1000 + Limits.ownerAdmissions).map { admission($0, begins: 1) }
        var roster = roster((honest + flood).map { .admission($0) })
        #expect(roster.standing(of: Self.device(0)) == .unknown)
        let met = Set((0..<12).map(Self.device))
        let leaving = roster.leaving(
            revoking: Self.owners[0], with: [Self.device(10), Self.device(11)], met: met)
        #expect(leaving.kept == honest.map(\.device) && leaving.anew.isEmpty)
        let revoked = revocation(of: 0, keeping: 0..<10)
        roster.add(revoked)
        #expect(roster.members.isEmpty && roster.keptUnknown == Set(honest.map(\.device)))
        // Each device shows its certificate when it connects, or that is read again.
        for admission in honest {
            let isNews = roster.add(.admission(admission))
            #expect(isNews && roster.contains(admission))
        }
        #expect(roster.members == honest.map(\.device) && roster.keptUnknown.isEmpty)
        // The revoked owner goes on.
        for number in 0..<100 { roster.add(.admission(admission(100_000 + number, begins: 0))) }
        #expect(roster.members == honest.map(\.device))
        // A node that starts learns of revocations first.
        let started = self.roster([revoked] + (flood + honest).map { .admission($0) })
        #expect(started.members == honest.map(\.device))
    }

    @Test
    func `knows on which machine an owner's key was made, even if a thief of the key admits other machines`()
    {
        let machine = admission(50_000, begins: 1)
        var roster = roster(
            [machine, admission(1, begins: 2), admission(2, by: 1, begins: 1)].map { .admission($0) })
        #expect(roster.machines(of: Self.owners[0]) == [machine.device])
        roster.add(.admission(admission(3, begins: 1)))
        #expect(Set(roster.machines(of: Self.owners[0])) == [machine.device, Self.device(3)])
        let expectMachine = { (roster: Roster) in
            #expect(roster.owners(madeOn: machine.device) == [Self.owners[0]])
            #expect(roster.owners(madeOn: Self.device(1)).isEmpty)
            #expect(roster.owners(madeOn: Self.device(2)) == [Self.owners[1]])
        }
        expectMachine(roster)
        // Its admission is forgotten, and the admission of the other device is remembered.
        roster.add(.admission(admission(1, by: 1, begins: 2)))
        for number in 100..<100 + Limits.ownerAdmissions {
            roster.add(.admission(admission(number, begins: 1)))
        }
        #expect(roster.standing(of: machine.device) == .unknown)
        expectMachine(roster)
    }

    @Test func `keeps first the devices that can't be readmitted when their owner is revoked`() {
        let honest = (0..<110).map { admission($0, begins: $0 < 40 ? 0 : 100 + $0) }
        let flood = (1000..<1000 + Limits.ownerAdmissions).map { admission($0, begins: 1) }
        let roster = roster((honest + flood).map { .admission($0) })
        let met = Set((0..<110).map(Self.device))
        let leaving = roster.leaving(revoking: Self.owners[0], met: met)
        // Only 40 of the 110 that were met are still members.
        #expect(Set((40..<110).map(Self.device)).isSubset(of: leaving.kept))
        #expect(leaving.kept.count == Revocation.keptMost && leaving.anew.allSatisfy(roster.isMember))
        #expect(Set(leaving.kept + leaving.anew) == met)
    }

    @Test func `keeps first the devices that the revoked owner admitted first`() {
        var generator = SeededGenerator(seed: 3)
        let statements = (0..<200).map { number in
            VerifiedStatement.admission(admission(number < 20 ? number + 500 : number, begins: number))
        }
        let leaving = roster(generator.shuffled(statements)).leaving(revoking: Self.owners[0])
        #expect(Set((500..<520).map(Self.device)).isSubset(of: leaving.kept))
        #expect(leaving.kept.count == Revocation.keptMost)
        #expect(leaving.anew.count == 200 - Revocation.keptMost)
    }

    @Test func `holds a limited number of certificates of one device, those that are valid longest`() {
        let count = Limits.deviceAdmissions + 20
        let all = (0..<count).map { admission(0, begins: 0, ends: 100 + $0) }
        var generator = SeededGenerator(seed: 4)
        let roster = roster(generator.shuffled(all).map { .admission($0) })
        let held = roster.admissions(of: Self.device(0), at: WallTime(milliseconds: 5))
        #expect(held == all.suffix(Limits.deviceAdmissions).reversed())
        var again = roster
        let isNews = again.add(.admission(all[0]))
        #expect(!isNews && again == roster)
    }

    @Test func `remembers a limited number of devices of an owner`() {
        let count = Limits.ownerAdmissions + 10
        var roster = roster((0..<count).map { .admission(admission($0, begins: $0)) })
        #expect(roster.members.count == Self.most && roster.devices.count == Self.most)
        #expect(roster.standing(of: Self.device(count - 11)) == .surplus(admittedBy: Self.owners[0]))
        #expect(roster.standing(of: Self.device(count - 1)) == .unknown)
        let before = roster
        roster.add(.admission(admission(count, begins: count)))
        #expect(roster == before)
    }
}
