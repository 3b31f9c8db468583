/// Checks the writes of a transaction that need a valid signature, and removes the void ones.
///
/// Verifying a signature takes a fraction of a millisecond, and a peer can fill its batches with signed writes. So the
/// driver runs this check on a thread that may take long, and not on the thread of the event loop.
package struct VoidCheck: Sendable {
    /// The number of void writes, which were removed.
    package private(set) var count = 0
    /// The meanings of the valid statements in the transaction.
    ///
    /// These statements need not be verified again.
    package private(set) var statements: [RecordKey: VerifiedStatement] = [:]

    /// Removes the void writes of a transaction; throws if there are more than a peer may send.
    package init(
        of transaction: inout StoreTransaction, by verifier: some StatementVerifier
    ) throws(StoreFailure) {
        guard transaction.writes.contains(where: \.identity.kind.isSigned) else { return }
        let verifier = RememberingVerifier(verifier)
        var kept: [Write] = []
        kept.reserveCapacity(transaction.writes.count)
        for write in transaction.writes {
            guard write.isVoid(by: verifier) else {
                kept.append(write)
                continue
            }
            count += 1
            guard count <= Limits.voidWrites else { throw Self.tooMany }
        }
        transaction.writes = kept
        statements = verifier.statements
    }

    private static let tooMany = StoreFailure(
        .void, "more than \(Limits.voidWrites) records and statements with wrong signatures")
}

/// Verifies statements, and remembers the meanings of the valid ones.
private final class RememberingVerifier<Verifier: StatementVerifier>: StatementVerifier {
    private let verifier: Verifier
    private(set) var statements: [RecordKey: VerifiedStatement] = [:]

    init(_ verifier: Verifier) { self.verifier = verifier }

    func verify(_ statement: RosterStatement) -> VerifiedStatement? {
        let meaning = verifier.verify(statement)
        if let meaning { statements[statement.key] = meaning }
        return meaning
    }

    func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool {
        verifier.verifies(proof, of: device, over: bytes)
    }
}

/// Returns the meanings of statements that were verified before, and verifies all other statements.
struct KnownStatements: StatementVerifier {
    private let statements: [RecordKey: VerifiedStatement]
    private let verifier: any StatementVerifier

    init(_ statements: [RecordKey: VerifiedStatement], otherwise verifier: any StatementVerifier) {
        (self.statements, self.verifier) = (statements, verifier)
    }

    func verify(_ statement: RosterStatement) -> VerifiedStatement? {
        guard !statements.isEmpty, let meaning = statements[statement.key] else {
            return verifier.verify(statement)
        }
        return meaning
    }

    func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool {
        verifier.verifies(proof, of: device, over: bytes)
    }
}
