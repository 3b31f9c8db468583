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

    @Test mutating func `one revocation of a device by each owner is kept, and no admission`() throws {
        #expect(try !add(TrustingVerifier.admission(of: device(1), by: honest)))
        let first = try statement(.device(device(1)), by: honest)
        #expect(try add(first))
        #expect(try !add(statement(.device(device(1)), by: honest, at: 1)))
        let other = try statement(.device(device(1)), by: thief)
        #expect(try add(other))
        #expect(kept.keys == [first.key, other.key])
    }

    @Test mutating func `another revocation of an owner is kept if fewer devices stay`() throws {
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

    @Test mutating func `a flood of one owner drops nothing that another owner signed`() throws {
        let before = try statement(.device(device(0)), by: honest)
        #expect(try add(before))
        for number in 1...KeptRevocations.most + 10 {
            let isAdded = try add(statement(.device(device(number)), by: thief))
            #expect(isAdded == (number < KeptRevocations.most))
        }
        let end = try statement(.owner(thief, kept: []), by: honest)
        #expect(try add(end))
        #expect(try !add(statement(.owner(honest, kept: []), by: thief)))
        let keys = kept.keys
        #expect(keys.count == KeptRevocations.most && keys.first == before.key && keys.last == end.key)
    }

    @Test mutating func `encoded revocations are read again, and other bytes are refused`() throws {
        for number in 1...3 { _ = try add(statement(.device(device(number)), by: honest)) }
        let content = KeptRevocations.encode(kept.keys)
        #expect(KeptRevocations.keys(in: content[...]) == kept.keys)
        for count in content.indices { #expect(KeptRevocations.keys(in: content[..<count]) == nil) }
        #expect(KeptRevocations.keys(in: (content + [0])[...]) == nil)
    }

    @Test mutating func `the largest statements fit the file`() throws {
        let key = RecordKey(
            kind: .rosterStatement, name: [UInt8](repeating: 7, count: RecordKey.nameBytes))
        let content = KeptRevocations.encode(Array(repeating: key, count: KeptRevocations.most))
        #expect(CheckedBytes.sealed(content).count <= KeptRevocations.bytesMost)
        #expect(KeptRevocations.keys(in: content[...])?.count == KeptRevocations.most)
    }
}
