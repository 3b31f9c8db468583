import BatonCore
import Support
import Testing

/// Tests of which peers a device talks to and waits for, with one owner, one admission a device, and no cryptography.
@Suite struct `A device's view of the members of its account` {
    private let own = DeviceIdentifier(high: 1, low: 1)
    private let other = DeviceIdentifier(high: 1, low: 2)
    private let verifier = TrustingVerifier()

    private let owner = OwnerIdentifier(high: 7, low: 7)

    private func admission(_ device: DeviceIdentifier) throws -> RosterStatement {
        try TrustingVerifier.admission(of: device, by: owner)
    }

    private func revocation(_ subject: Revocation.Subject) throws -> RosterStatement {
        let certificate = try #require(RosterStatement.Certificate(owner.bytes))
        let revocation = Revocation(
            subject: subject, date: WallTime(milliseconds: 3), owner: certificate, signature: [])
        return .revocation(try #require(revocation))
    }

    private func record(_ key: RecordKey, _ fields: Fields = Fields(), at sequence: UInt64 = 1) -> Record {
        let origin = Origin(life: Life(high: 4, low: 4), lane: .activities)
        return Record(
            Write(
                dot: Dot(origin: origin, sequence: sequence), key: key,
                stamp: Stamp(time: HybridTime(value: sequence << 16), life: origin.life),
                action: .full(Write.Content(fields: fields))))
    }

    /// The record of a device, which declares others gone that have no record.
    private func record(
        _ device: DeviceIdentifier, removing others: [DeviceIdentifier] = [], at sequence: UInt64 = 1
    ) -> Record {
        var device = Device(identifier: device, name: "d", admitted: WallTime(milliseconds: 1))
        for other in others { device.remove(other, seen: nil, at: WallTime(milliseconds: 5)) }
        return record(Device.key(device.identifier), device.fields, at: sequence)
    }

    private func membership(_ statements: RosterStatement...) -> Membership {
        var membership = Membership(own: own)
        for statement in statements { membership.learnRecord(record(statement.key), by: verifier) }
        return membership
    }

    @Test func `admits only members`() throws {
        let owners = try revocation(.owner(owner, kept: [own]))
        for (statements, isIn) in [
            ([try admission(other)], true), ([], false), ([try admission(own)], false),
            ([try admission(other), try revocation(.device(other))], false),
            ([try admission(other), owners], false),
        ] as [([RosterStatement], Bool)] {
            var membership = Membership(own: own)
            for statement in statements { membership.learnRecord(record(statement.key), by: verifier) }
            let refusal = membership.refusal(of: other)
            #expect((refusal == nil) == isIn)
            #expect(refusal == nil || refusal?.code == .notMember)
            let meeting = membership.meet(other, showing: nil, by: verifier)
            #expect(meeting == (refusal.map { .refused($0) } ?? .welcome(entering: nil)))
        }
        #expect(!CloseCode.notMember.isTransient)
    }

    @Test(arguments: [false, true])
    func `waits for no device that was admitted beyond its owner's limit`(isMet: Bool) throws {
        var membership = Membership(own: own)
        let admit = { (device: DeviceIdentifier) in
            _ = membership.learnRecord(record(try admission(device).key), by: verifier)
        }
        let devices = (0..<UInt64(Limits.ownerDevices)).map { DeviceIdentifier(high: 2, low: $0) }
        for device in devices { try admit(device) }
        #expect(membership.others == Set(devices))
        // All were admitted at one time, so their names say which were first.
        let late = DeviceIdentifier(high: 3, low: 0)
        try admit(late)
        membership.learnRecord(record(late), by: verifier)
        #expect(membership.refusal(of: late)?.code == .notMember)
        #expect(membership.others == Set(devices) && membership.device(late) == nil)
        let shown = try admission(late)
        guard case .refused = membership.meet(late, showing: shown, by: verifier) else {
            Issue.record("a device was let in")
            return
        }
        if isMet {
            let shown = try admission(other)
            let meeting = membership.meet(other, showing: shown, by: verifier)
            #expect(meeting == .welcome(entering: shown))
        } else {
            try admit(other)
        }
        #expect(membership.others == Set(devices.dropLast() + [other]))
        #expect(membership.refusal(of: try #require(devices.last))?.code == .notMember)
    }

    @Test func `accepts an admission that a peer shows, and enters it once`() throws {
        var membership = membership(try admission(own))
        let shown = try admission(other)
        let first = membership.meet(other, showing: shown, by: verifier)
        #expect(first == .welcome(entering: shown))
        #expect(membership.refusal(of: other) == nil)
        let second = membership.meet(other, showing: shown, by: verifier)
        #expect(second == .welcome(entering: nil))
    }

    @Test func `refuses and does not enter the admission of a revoked device or of another device`() throws {
        let third = DeviceIdentifier(high: 1, low: 3)
        var membership = membership(try revocation(.device(other)))
        let before = membership.roster
        guard case .refused = membership.meet(other, showing: try admission(other), by: verifier),
            case .refused = membership.meet(third, showing: try admission(own), by: verifier),
            case .refused = membership.meet(third, showing: .unknown([0x80]), by: verifier)
        else {
            Issue.record("someone was let in")
            return
        }
        #expect(membership.roster == before)
        membership.learnRecord(record(try revocation(.owner(owner, kept: [])).key), by: verifier)
        guard case .refused = membership.meet(third, showing: try admission(third), by: verifier) else {
            Issue.record("what a revoked owner signed was taken")
            return
        }
        #expect(membership.roster.standing(of: third) == .unknown)
    }

    @Test func `waits only for members that are neither declared gone nor revoked`() throws {
        var membership = membership(try admission(own), try admission(other))
        #expect(membership.waitedFor == [own, other] && membership.gone.isEmpty)
        let third = DeviceIdentifier(high: 1, low: 3)
        membership.learnRecord(record(third), by: verifier)
        #expect(membership.waitedFor == [own, other] && membership.known == [own, other])
        #expect(membership.device(third) == nil)
        membership.learnRecord(record(try admission(third).key), by: verifier)
        #expect(membership.waitedFor == [own, other, third] && membership.device(third) != nil)
        var isNews = membership.learnRecord(record(own, removing: [other]), by: verifier)
        #expect(isNews)
        isNews = membership.learnRecord(record(own, removing: [other]), by: verifier)
        #expect(!isNews)
        #expect(membership.removed(other) == WallTime(milliseconds: 5))
        #expect(membership.waitedFor == [own, third] && membership.gone == [other])
        membership.learnRecord(record(try revocation(.device(third)).key), by: verifier)
        #expect(membership.waitedFor == [own] && membership.gone == [other, third])
    }

    @Test func `accepts a declaration that a device is gone as long as the declaration's author is a member`()
        throws
    {
        let third = DeviceIdentifier(high: 1, low: 3)
        var membership = membership(try admission(own), try admission(other))
        membership.learnRecord(record(third, removing: [other]), by: verifier)
        #expect(membership.removed(other) == nil)
        membership.learnRecord(record(try admission(third).key), by: verifier)
        #expect(membership.removed(other) != nil && membership.waitedFor == [own, third])
        membership.learnRecord(record(try revocation(.device(third)).key), by: verifier)
        #expect(membership.removed(other) == nil && membership.waitedFor == [own, other])
    }

    @Test func `ignores a declaration that a device is gone if no later record of that device could end it`()
        throws
    {
        var membership = membership(try admission(own), try admission(other))
        var said = Device(identifier: own, name: "d", admitted: WallTime(milliseconds: 1))
        let life = Life(high: .max, low: .max)
        said.remove(
            other, seen: Stamp(time: HybridTime(value: UInt64(Int64.max)), life: life),
            at: WallTime(milliseconds: .max))
        membership.learnRecord(record(Device.key(own), said.fields), by: verifier)
        #expect(membership.waitedFor == [own, other])
        // One that was right ends with the next record of the device.
        membership.learnRecord(record(own, removing: [other], at: 2), by: verifier)
        #expect(membership.waitedFor == [own])
        membership.learnRecord(record(other, at: 3), by: verifier)
        #expect(membership.waitedFor == [own, other])
    }

    @Test func `learns 20,000 devices in a few seconds`() throws {
        var membership = membership(try admission(own))
        let clock = ContinuousClock()
        let time = try clock.measure {
            for number in 0..<20_000 {
                let device = DeviceIdentifier(high: 9, low: UInt64(number))
                membership.learnRecord(record(device), by: verifier)
                membership.learnRecord(record(try admission(device).key), by: verifier)
            }
        }
        // This device has one of the places that its owner has.
        #expect(membership.others.count == Limits.ownerDevices - 1)
        #expect(time < .seconds(20), "it took \(time)")
    }

    @Test func `never counts this device as gone`() throws {
        var membership = membership(try revocation(.device(own)), try admission(other))
        membership.learnRecord(record(other, removing: [own]), by: verifier)
        #expect(membership.waitedFor == [own, other] && membership.gone.isEmpty)
    }

    @Test func `counts a connected device as present although it was declared gone`() throws {
        var membership = membership(try admission(own), try admission(other))
        membership.learnRecord(record(own, removing: [other]), by: verifier)
        #expect(membership.gone == [other])
        membership.connected = [other]
        #expect(membership.gone.isEmpty && membership.waitedFor == [own, other])
        membership.connected = []
        #expect(membership.gone == [other])
    }

    @Test
    func `stops waiting for a device whose record says that it left, even while it is connected`()
        throws
    {
        var membership = membership(try admission(own), try admission(other))
        var device = Device(identifier: other, name: "d", admitted: .init(milliseconds: 1))
        device.left = WallTime(milliseconds: 7)
        membership.connected = [other]
        var isNews = membership.learnRecord(record(Device.key(other), device.fields), by: verifier)
        #expect(isNews && membership.left(other) == device.left && membership.removed(other) == nil)
        #expect(membership.waitedFor == [own] && membership.gone == [other])
        #expect(try Device(key: Device.key(other), fields: device.fields) == device)
        device.left = nil
        isNews = membership.learnRecord(record(Device.key(other), device.fields), by: verifier)
        #expect(isNews && membership.waitedFor == [own, other])
        #expect(membership.refusal(of: other) == nil)
    }

    @Test func `ignores unreadable records and records of other kinds`() {
        var membership = Membership(own: own)
        for record in [
            record(RecordKey(kind: .rosterStatement, name: [0x01])),
            record(RecordKey(kind: .device, name: [0x80])),
            record(RecordKey(kind: .currentActivity, name: [0x80])),
            record(RecordKey(kind: .rosterStatement, name: [0x81, 0x18, 0x2a])),
        ] {
            let isNews = membership.learnRecord(record, by: verifier)
            #expect(!isNews)
        }
        #expect(membership.known == [own])
    }

    @Test func `waits for a member whose record is malformed`() throws {
        var membership = membership(try admission(other))
        var fields = Fields()
        fields[.number(4)] = [0x61, 0x61]
        let isNews = membership.learnRecord(record(Device.key(other), fields), by: verifier)
        #expect(isNews)
        #expect(membership.waitedFor == [own, other] && membership.device(other) == nil)
    }

    @Test func `keeps reports of devices that are not waited for, and uses them once these devices return`()
        throws
    {
        var membership = membership(try admission(own), try admission(other))
        membership.learnRecord(record(own, removing: [other]), by: verifier)
        func reports(_ sequence: UInt64) -> Reports {
            var reports = Reports()
            let origin = Origin(life: Life(high: 4, low: sequence), lane: .activities)
            for device in [own, other] { reports.join(device, VersionVector([(origin, sequence)])) }
            return reports
        }
        let kept = membership.learnReports(reports(2))
        #expect(kept.isEmpty && membership.heeded.isEmpty)
        // A device that lost something reports less: only the last report counts.
        _ = membership.learnReports(reports(1))
        membership.connected = [other]
        #expect(membership.heeded == reports(1).of([other]))
        let now = membership.learnReports(reports(3))
        #expect(now == reports(3).of([other]))
    }

    @Test func `allows no collection of tombstones until it has its own record`() throws {
        var membership = membership(try admission(own))
        #expect(!membership.mayCollect)
        membership.learnRecord(record(own), by: verifier)
        #expect(membership.mayCollect)
    }
}
