import BatonCore
import SecuritySupport
import Support

extension Vector {
    /// Statements of a roster with real certificates and signatures.
    ///
    /// `Tests/Vectors/check` verifies the signatures; the tests of BatonSecurity verify the statements.
    static let rosterStatements: [Vector] = [
        statement("admission", "A device is admitted.", SampleAccount.admission),
        statement("device-revocation", "That device is revoked.", SampleAccount.deviceRevocation),
        statement(
            "owner-revocation", "The owner is revoked, and that device is kept.",
            SampleAccount.ownerRevocation),
    ]

    /// A vector of a statement: the name of its record, and the bytes that its signature is over.
    private static func statement(_ name: String, _ description: String, _ bytes: [UInt8]) -> Vector {
        var members: [(String, Value)] = [
            ("root", .text(SampleAccount.root.hex)), ("hex", .text(bytes.hex)),
            ("decoded", .text(Diagnostic.text(of: bytes))),
        ]
        if case .revocation(let revocation)? = try? RosterStatement(
            RecordKey(kind: .rosterStatement, name: bytes))
        {
            members.append(("signed", .text(revocation.signedBytes.hex)))
        }
        return Vector(name, description, members)
    }
}
