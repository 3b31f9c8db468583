import BatonCore
import Support
import Testing

/// Tests of the check of signatures, which a peer must not be able to draw out.
@Suite struct `The check of the signatures of a batch` {
    /// Counts what it is asked, believes statements, and believes no record of a device.
    private final class CountingVerifier: StatementVerifier {
        private(set) var count = 0

        func verify(_ statement: RosterStatement) -> VerifiedStatement? {
            count += 1
            return TrustingVerifier().verify(statement)
        }

        func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool {
            count += 1
            return false
        }
    }

    private let verifier = CountingVerifier()
    private let life = Life(high: 9, low: 9)

    private func write(_ number: Int, _ key: RecordKey, _ content: Write.Content) -> Write {
        Write(
            dot: Dot(origin: Origin(life: life, lane: .activities), sequence: UInt64(number)), key: key,
            stamp: Stamp(time: HybridTime(value: UInt64(number)), life: life), action: .full(content))
    }

    /// Makes the record of a device with a proof that does not hold.
    private func forged(_ number: Int) throws -> Write {
        let device = DeviceIdentifier(high: 7, low: UInt64(number))
        let part = try #require(RosterStatement.Certificate(device.bytes))
        let proof = try #require(DeviceProof(owner: part, device: part, signature: [1]))
        var fields = Device(identifier: device, name: "forged", admitted: WallTime(milliseconds: 0)).fields
        fields.set(DeviceProof.number) { proof.encode(to: &$0) }
        return write(number, Device.key(device), Write.Content(fields: fields))
    }

    private func transaction(_ writes: [Write]) -> StoreTransaction {
        StoreTransaction(lane: .activities, writes: writes, completing: VersionVector())
    }

    @Test func `void writes are removed and counted, and verified statements are returned`() throws {
        let statement = try TrustingVerifier.admission(
            of: DeviceIdentifier(high: 1, low: 1), by: OwnerIdentifier(high: 7, low: 7))
        let valid = write(1, statement.key, RosterStatement.content)
        var batch = transaction([try forged(2), valid, try forged(3)])
        let check = try VoidCheck(of: &batch, by: verifier)
        #expect(batch.writes == [valid] && check.count == 2)
        #expect(check.statements == [statement.key: try #require(TrustingVerifier().verify(statement))])
    }

    @Test func `void writes up to the limit are removed`() throws {
        var batch = transaction(try (1...Limits.voidWrites).map(forged))
        #expect(try VoidCheck(of: &batch, by: verifier).count == Limits.voidWrites)
        #expect(batch.writes.isEmpty)
    }

    @Test func `the check ends at the first void write beyond the limit`() throws {
        var batch = transaction(try (1...2000).map(forged))
        let failure = #expect(throws: StoreFailure.self) { _ = try VoidCheck(of: &batch, by: verifier) }
        #expect(failure?.code == .void)
        #expect(verifier.count == Limits.voidWrites + 1)
    }
}
