import BatonCore
import Support
import Testing

/// Tests of which revocations a device keeps beside its database, and of their encoding.
@Suite struct `Revocations that are kept` {
    private let verifier = TrustingVerifier()
    private var kept = KeptRevocations()
    private let honest = OwnerIdentifier(high: 1, low: 1)
    private let thief = OwnerIdentifier(high: 1, low: 2)

    private func statement(
        _ subject: Revocation.Subject, by owner: OwnerIdentifier, at date: Int64 = 0
    ) throws -> RosterStatement {
        try TrustingVerifier.revocation(of: subject, by: owner, at: WallTime(milliseconds: date))
    }

    /// Adds a statement, and returns whether it was added.
    private mutating func add(_ statement: RosterStatement) throws -> Bool {
        kept.add(statement, meaning: try #require(verifier.verify(statement)))
    }

    private func device(_ number: Int) -> DeviceIdentifier { DeviceIdentifier(high: 9, low: UInt64(number)) }

    @Test mutating func `one revocation of a device is kept for each owner, and admissions are not kept`()
        throws
    {
        #expect(try !add(TrustingVerifier.admission(of: device(1), by: honest)))
        let first = try statement(.device(device(1)), by: honest)
        #expect(try add(first))
        #expect(try !add(statement(.device(device(1)), by: honest, at: 1)))
        let other = try statement(.device(device(1)), by: thief)
        #expect(try add(other))
        #expect(kept.keys == [first.key, other.key])
    }

    @Test
    mutating func
        `another revocation of an owner by the same author is kept if fewer devices remain members`() throws
    {
        let subject = { (kept: [Int]) in
            Revocation.Subject.owner(
                OwnerIdentifier(high: 1, low: 3),
                kept: kept.map { DeviceIdentifier(high: 9, low: UInt64($0)) })
        }
        #expect(try add(statement(subject([1, 2, 3]), by: honest)))
        #expect(try !add(statement(subject([1, 2, 3, 4]), by: honest)))
        #expect(try add(statement(subject([2, 3]), by: honest)))
        #expect(try add(statement(subject([1, 2]), by: honest)), "only 2 stays by now")
        #expect(try !add(statement(subject([2, 4]), by: honest)))
        #expect(try add(statement(subject([2, 4]), by: thief)), "of another author")
    }

    /// Adds revocations of devices by an owner, each with a later date; their numbers are their dates.
    private mutating func addDevices(_ numbers: ClosedRange<Int>, by owner: OwnerIdentifier) throws {
        for number in numbers {
            #expect(try add(statement(.device(device(number)), by: owner, at: Int64(number))), "\(number)")
        }
    }

    /// The dates of an owner's kept revocations of devices.
    private func dates(by owner: OwnerIdentifier) throws -> [Int64] {
        try kept.keys.compactMap { key in
            guard case .deviceRevocation(_, let note)? = verifier.verify(try RosterStatement(key)),
                note.owner == owner
            else { return nil }
            return note.date.milliseconds
        }.sorted()
    }

    private static let half = KeptRevocations.most / 2

    @Test mutating func `a flood of revocations by one owner removes no revocation by another owner`() throws
    {
        let before = try statement(.device(device(0)), by: honest)
        #expect(try add(before))
        try addDevices(1...KeptRevocations.most + 10, by: thief)
        let end = try statement(.owner(thief, kept: []), by: honest)
        #expect(try add(end))
        #expect(try add(statement(.owner(honest, kept: []), by: thief)), "in place of one of a device")
        let keys = kept.keys
        #expect(keys.count == KeptRevocations.most && keys.contains(before.key) && keys.contains(end.key))
    }

    @Test
    mutating func
        `after a flood, another owner keeps its latest revocations of devices, and those of owners`()
        throws
    {
        try addDevices(1...400, by: honest)
        let end = try statement(.owner(thief, kept: []), by: honest)
        #expect(try add(end))
        try addDevices(1...2 * KeptRevocations.most, by: thief)
        #expect(kept.keys.count == KeptRevocations.most && kept.keys.contains(end.key))
        #expect(try dates(by: honest) == Array(Int64(402 - Self.half)...400))
        #expect(try dates(by: thief).count == Self.half)
    }

    @Test mutating func `an owner that has revoked very many devices keeps its latest revocations`() throws {
        try addDevices(1...KeptRevocations.most + 1, by: honest)
        let latest = Int64(KeptRevocations.most + 1)
        #expect(try dates(by: honest) == Array(2...latest))
        // As at the next start, when the statements come in another order.
        #expect(try !add(statement(.device(device(1)), by: honest, at: 1)))
        #expect(try dates(by: honest) == Array(2...latest))
    }

    @Test mutating func `a flood of revocations of owners removes no revocation by another owner`() throws {
        try addDevices(1...Self.half, by: honest)
        for number in 1...KeptRevocations.most {
            let subject = Revocation.Subject.owner(OwnerIdentifier(high: 3, low: UInt64(number)), kept: [])
            let isAdded = try add(statement(subject, by: thief, at: Int64(number)))
            #expect(isAdded == (number <= Self.half), "\(number)")
        }
        #expect(try dates(by: honest) == Array(1...Int64(Self.half)))
    }

    @Test mutating func `revocations survive encoding, and other bytes are refused`() throws {
        for number in 1...3 { _ = try add(statement(.device(device(number)), by: honest)) }
        let content = KeptRevocations.encode(kept.keys)
        #expect(KeptRevocations.keys(in: content[...]) == kept.keys)
        for count in content.indices { #expect(KeptRevocations.keys(in: content[..<count]) == nil) }
        #expect(KeptRevocations.keys(in: (content + [0])[...]) == nil)
    }

    @Test mutating func `the largest revocations fit the file`() throws {
        let key = RecordKey(
            kind: .rosterStatement, name: [UInt8](repeating: 7, count: RecordKey.nameBytes))
        let content = KeptRevocations.encode(Array(repeating: key, count: KeptRevocations.most))
        #expect(CheckedBytes.sealed(content).count <= KeptRevocations.bytesMost)
        #expect(KeptRevocations.keys(in: content[...])?.count == KeptRevocations.most)
    }
}
