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
        deviceRecord,
    ]

    /// The fields of a device's record, and the bytes that its signature is over.
    private static var deviceRecord: Vector {
        let bytes = SampleAccount.recordFields
        var members: [(String, Value)] = [
            ("root", .text(SampleAccount.recordRoot.hex)),
            ("device", .text(SampleAccount.recordDevice.bytes.hex)),
            ("time", .text("\(SampleAccount.recordStamp.time.value)")),
            ("life", .text(SampleAccount.recordStamp.life.bytes.hex)), ("hex", .text(bytes.hex)),
            ("decoded", .text(Diagnostic.text(of: bytes))),
        ]
        if var fields = try? CBORReader.whole(
            bytes[...],
            { (reader) throws(CBORError) in
                try Fields(from: &reader)
            }), let proof = try? DeviceProof(in: fields)
        {
            fields[.number(DeviceProof.number)] = nil
            let signed = DeviceProof.signedBytes(
                of: SampleAccount.recordDevice, at: SampleAccount.recordStamp, fields, owner: proof.owner,
                device: proof.device)
            members.append(("signed", .text(signed.hex)))
        }
        return Vector(
            "device-record", "A device says what it is called, and that another one is gone.", members)
    }

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
