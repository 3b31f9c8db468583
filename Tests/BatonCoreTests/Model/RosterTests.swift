import BatonCore
import Support
import Testing

@Suite struct `Statements of the roster` {
    private typealias Certificate = RosterStatement.Certificate

    private func certificate(_ count: Int) throws -> RosterStatement.Certificate {
        try #require(Certificate([UInt8](repeating: 0x30, count: count)))
    }

    private static let device = Revocation.Subject.device(DeviceIdentifier(high: 1, low: 2))

    /// Returns an owner of whom this many devices are kept.
    private func owner(kept count: Int) -> Revocation.Subject {
        .owner(
            OwnerIdentifier(high: 1, low: 2),
            kept: (0..<count).map { DeviceIdentifier(high: 3, low: UInt64($0)) })
    }

    private func revocation(
        of subject: Revocation.Subject = device, _ certificate: Int, signature: Int
    ) throws -> Revocation {
        try #require(
            Revocation(
                subject: subject, date: WallTime(milliseconds: 24),
                owner: try self.certificate(certificate), signature: [UInt8](repeating: 9, count: signature)))
    }

    @Test(arguments: [0, 1, 700, 1900])
    func `survive encoding in a key, and the largest statement fits a key`(_ count: Int) throws {
        let statements: [RosterStatement] = [
            .admission(owner: try certificate(count), device: try certificate(1900 - count)),
            .revocation(try revocation(count, signature: 70)),
            .admission(owner: try certificate(1900), device: try certificate(1900)),
            .revocation(try revocation(1900, signature: 512)),
            .revocation(try revocation(of: owner(kept: 0), count, signature: 70)),
            .revocation(try revocation(of: owner(kept: Revocation.keptMost), 1900, signature: 512)),
        ]
        for statement in statements {
            #expect(try RosterStatement(statement.key) == statement)
            let draft = Journal.Draft(.full(RosterStatement.content), statement.key)
            #expect(draft.isWithinLimits)
        }
    }

    @Test func `have the encoding in the specification`() throws {
        let admission = RosterStatement.admission(owner: try certificate(1), device: try certificate(2))
        #expect(admission.key.kind == .rosterStatement && admission.key.kind.isPermanent)
        #expect(admission.key.name.hex == "83014130423030")
        let statement = RosterStatement.revocation(try revocation(1, signature: 2))
        let subject = "5000000000000000010000000000000002"
        #expect(statement.key.name.hex == "8502" + subject + "1818" + "4130" + "420909")
        let ofOwner = RosterStatement.revocation(try revocation(of: owner(kept: 1), 1, signature: 2))
        let kept = "81" + "5000000000000000030000000000000000"
        #expect(ofOwner.key.name.hex == "8603" + subject + "1818" + "4130" + kept + "420909")
        #expect(RosterStatement.content == Write.Content(scope: .none, fields: Fields()))
    }

    @Test func `that revoke are signed over all bytes except the signature`() throws {
        let revocation = try revocation(1, signature: 2)
        let text = "72" + Array("baton-revocation/1".utf8).hex
        let expected = "84" + text + "5000000000000000010000000000000002" + "1818" + "4130"
        #expect(revocation.signedBytes.hex == expected)
        let ofOwner = try self.revocation(of: owner(kept: 1), 1, signature: 2)
        let other = "7818" + Array("baton-owner-revocation/1".utf8).hex
        #expect(
            ofOwner.signedBytes.hex == "85" + other + "5000000000000000010000000000000002" + "1818" + "4130"
                + "81" + "5000000000000000030000000000000000")
    }

    @Test func `that revoke an owner are refused with unsorted, repeated or too many kept devices`() throws {
        let (one, two) = (DeviceIdentifier(high: 1, low: 1), DeviceIdentifier(high: 2, low: 1))
        let many = (0...UInt64(Revocation.keptMost)).map { DeviceIdentifier(high: 1, low: $0) }
        for kept in [[two, one], [one, one], many] {
            #expect(
                Revocation(
                    subject: .owner(OwnerIdentifier(high: 1, low: 1), kept: kept),
                    date: WallTime(milliseconds: 0), owner: try certificate(1), signature: []) == nil)
            let key = RecordKey(kind: .rosterStatement, parts: 6) { writer in
                writer.unsigned(3)
                writer.identifier(OwnerIdentifier(high: 1, low: 1))
                writer.integer(0)
                writer.data([1])
                writer.array(count: kept.count)
                for device in kept { writer.identifier(device) }
                writer.data([])
            }
            #expect(throws: CBORError.self) { try RosterStatement(key) }
        }
    }

    @Test func `with a too long certificate or signature are refused, when made and when read`() throws {
        #expect(Certificate([UInt8](repeating: 1, count: 1901)) == nil)
        #expect(
            Revocation(
                subject: Self.device, date: WallTime(milliseconds: 0),
                owner: try certificate(1), signature: [UInt8](repeating: 1, count: 513)) == nil)
        let key = RecordKey(kind: .rosterStatement, parts: 3) { writer in
            writer.unsigned(1)
            writer.data([UInt8](repeating: 1, count: 10))
            writer.data([UInt8](repeating: 1, count: 1901))
        }
        #expect(throws: CBORError(.outOfRange, at: 13)) { try RosterStatement(key) }
    }

    @Test(arguments: [
        "01", "80", "816161", "8101", "830141" + "30", "8301413001", "84014130413000", "a0", "8302",
        "8301" + "f6" + "40",
        "8402" + "5000000000000000010000000000000002" + "00" + "40", "850241300040" + "40", "8301404000",
        "8120", "8303f6a0", "8103", "8503" + "5000000000000000010000000000000002" + "00" + "40" + "40",
        "8603" + "5000000000000000010000000000000002" + "00" + "40" + "a0" + "40",
    ])
    func `that are malformed are refused`(_ hex: String) {
        #expect(throws: CBORError.self) {
            try RosterStatement(RecordKey(kind: .rosterStatement, name: [UInt8](hex: hex)))
        }
    }

    @Test(arguments: ["8100", "8104", "8304f6a0", "82196161d9ffff80"])
    func `from a newer version are kept unchanged`(_ hex: String) throws {
        let key = RecordKey(kind: .rosterStatement, name: [UInt8](hex: hex))
        let statement = try RosterStatement(key)
        #expect(statement == .unknown(key.name) && statement.key == key)
        #expect(throws: CBORError.self) {
            try RosterStatement(RecordKey(kind: .rosterStatement, name: key.name + [0]))
        }
    }

    @Test func `in a key of another kind are refused`() throws {
        let key = RosterStatement.admission(owner: try certificate(1), device: try certificate(2)).key
        #expect(throws: CBORError.self) { try RosterStatement(RecordKey(kind: .device, name: key.name)) }
    }
}

@Suite struct `Devices` {
    @Test(arguments: Seeds.first(10))
    func `survive encoding as a record`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let device = generator.device()
        #expect(try Device(key: Device.key(device.identifier), fields: device.fields) == device)
    }

    @Test func `declare a limited number of devices gone, the latest ones`() throws {
        let name = DeviceIdentifier(high: 1, low: 1)
        var device = Device(identifier: name, name: "a", admitted: WallTime(milliseconds: 1))
        let others = (0..<UInt64(Device.removalsMost + 5)).map { DeviceIdentifier(high: 2, low: 999 - $0) }
        for (date, other) in others.enumerated() {
            device.remove(other, seen: nil, at: WallTime(milliseconds: Int64(date)))
        }
        device.remove(others[9], seen: nil, at: WallTime(milliseconds: 999))
        #expect(Set(device.removals.map(\.device)) == Set(others.dropFirst(5)))
        #expect(try Device(key: Device.key(name), fields: device.fields) == device)
    }

    @Test func `have names of at most 32 characters`() throws {
        let fields = Fields { $0.field(1) { $0.text(String(repeating: "é", count: 100)) } }
        let device = try Device(key: Device.key(DeviceIdentifier(high: 1, low: 1)), fields: fields)
        #expect(device.name == String(repeating: "é", count: 32))
        #expect(device.admitted == WallTime(milliseconds: 0) && device.left == nil)
    }

    @Test(
        arguments: [
            (1, "01"), (1, "f6"), (2, "6161"), (3, "4101"), (3, "f6"), (4, "6161"), (4, "f5"), (5, "f6"),
            (5, "8101"),
        ] as [(UInt64, String)])
    func `with a malformed known field are refused`(_ number: UInt64, _ form: String) {
        var fields = Fields()
        fields[.number(number)] = [UInt8](hex: form)
        #expect(throws: CBORError.self) {
            try Device(key: Device.key(DeviceIdentifier(high: 1, low: 1)), fields: fields)
        }
    }
}
