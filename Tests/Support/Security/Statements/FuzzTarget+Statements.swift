import BatonCore
import BatonSecurity
package import Support

extension FuzzTarget {
    /// Certificates and roster statements, as any device of the account may send them.
    ///
    /// The first byte decides whether the others are a certificate, the name of a statement, or changes to a valid
    /// statement.
    package static let statements = FuzzTarget("statements") { bytes throws(FuzzViolation) in
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch first % 5 {
        case 0: try checkCertificate(rest)
        case 1: try checkStatement(rest)
        default: try checkChanged(SampleAccount.statements[Int(first % 5) - 2], by: rest)
        }
    }

    /// Checks that a certificate that can be read has a stable DER form.
    private static func checkCertificate(_ bytes: [UInt8]) throws(FuzzViolation) {
        guard let certificate = readCertificate(bytes) else { return }
        try require(readCertificate(certificate.der), is: certificate, "a certificate that was read again")
        // Nobody signed these bytes, whatever they contain.
        if let part = RosterStatement.Certificate(bytes) {
            try require(
                verifier().verify(.admission(owner: part, device: part)) == nil,
                "a certificate was accepted as its own owner's")
        }
    }

    /// Checks that a statement has a stable meaning, and that only the account's own statements are valid.
    private static func checkStatement(_ name: [UInt8]) throws(FuzzViolation) {
        guard let statement = readStatement(name) else { return }
        try require(statement.key.name, is: name, "the name of a statement")
        let said = try verifier().verify(statement)
        try require(try verifier().verify(statement), is: said, "the meaning of a statement")
        guard let said else { return }
        try require(try isOriginal(said), "a statement that nobody signed is valid: \(said)")
    }

    /// Checks a valid statement after changing some bytes and cutting its end: it means the same, or is invalid.
    private static func checkChanged(_ original: [UInt8], by changes: [UInt8]) throws(FuzzViolation) {
        var name = original
        var rest = changes[...]
        while let high = rest.popFirst(), let low = rest.popFirst(), let value = rest.popFirst() {
            let index = (Int(high) << 8 | Int(low)) % (name.count + 1)
            if index == name.count { name.removeLast() } else { name[index] ^= value }
            guard !name.isEmpty else { return }
        }
        try checkStatement(name)
    }

    /// Whether one of the three signed statements means the same, even if its bytes differ.
    private static func isOriginal(_ said: VerifiedStatement) throws(FuzzViolation) -> Bool {
        for name in SampleAccount.statements {
            guard let statement = readStatement(name) else { continue }
            switch (said, try verifier().verify(statement)) {
            case (.admission(let mine), .admission(let other)):
                // Some bytes of a certificate are not signed.
                if (mine.device, mine.owner, mine.begins, mine.ends)
                    == (other.device, other.owner, other.begins, other.ends)
                {
                    return true
                }
            case (_, let other): if said == other { return true }
            }
        }
        return false
    }

    private static func verifier() throws(FuzzViolation) -> RosterVerifier {
        guard let root = readCertificate(SampleAccount.root) else {
            throw FuzzViolation(description: "the sample's root can't be read")
        }
        return RosterVerifier(root: root)
    }

    private static func readCertificate(_ bytes: [UInt8]) -> Certificate? {
        do throws(SecurityError) { return try Certificate(der: bytes) } catch { return nil }
    }

    private static func readStatement(_ name: [UInt8]) -> RosterStatement? {
        do throws(CBORError) {
            return try RosterStatement(RecordKey(kind: .rosterStatement, name: name))
        } catch {
            return nil
        }
    }
}
