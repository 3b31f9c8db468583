/// The proof that a device wrote its own record: its admission, and the signature of its key.
///
/// It is a field of the record, and covers all other fields and the stamp. So no other device can change the record, or
/// restore an earlier version of it, and a device that was never admitted has no record. Whether a proof is valid
/// depends only on the write and the account's root, so all devices always agree about it.
package struct DeviceProof: Equatable, Sendable {
    /// The certificates that admitted the device; the owner may have been revoked since.
    package let owner, device: RosterStatement.Certificate
    /// The signature of `signedBytes` by the device's key.
    package let signature: [UInt8]

    /// The number of the field.
    package static let number: UInt64 = 6

    /// Creates a proof; nil if the signature has too many bytes.
    package init?(
        owner: RosterStatement.Certificate, device: RosterStatement.Certificate, signature: [UInt8]
    ) {
        guard signature.count <= Revocation.signatureBytes else { return nil }
        (self.owner, self.device, self.signature) = (owner, device, signature)
    }

    /// Returns the bytes that the key of a device signs for a record with these fields and this stamp: an array whose
    /// first element occurs in no other signed data.
    package static func signedBytes(
        of name: DeviceIdentifier, at stamp: Stamp, _ fields: Fields, owner: RosterStatement.Certificate,
        device: RosterStatement.Certificate
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 7)
        writer.text("baton-device/1")
        writer.identifier(name)
        stamp.encode(to: &writer)
        writer.data(owner.bytes)
        writer.data(device.bytes)
        fields.encode(to: &writer)
        return writer.bytes
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.data(owner.bytes)
        writer.data(device.bytes)
        writer.data(signature)
    }

    /// Reads the proof in the fields of a record; nil if there is none.
    package init?(in fields: Fields) throws(CBORError) {
        let read = try fields.read(Self.number) { (reader) throws(CBORError) in try Self(from: &reader) }
        guard let read else { return nil }
        self = read
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        owner = try RosterStatement.Certificate(from: &reader)
        device = try RosterStatement.Certificate(from: &reader)
        signature = try reader.data(upTo: Revocation.signatureBytes)
    }
}

/// Signs this device's record, and makes the marks of its activities.
package protocol DeviceSigner: Sendable {
    /// The certificates that admitted this device.
    var owner: RosterStatement.Certificate { get }
    var device: RosterStatement.Certificate { get }
    /// Returns the signature of these bytes by this device's key; nil if it can't be made.
    func sign(_ bytes: [UInt8]) -> [UInt8]?
    /// Returns the mark of an activity for these bytes, which no other device can make; nil if it can't be made.
    func activityMark(_ bytes: [UInt8]) -> [UInt8]?
}

extension DeviceSigner {
    /// Returns the fields of a device's record with a proof for the stamp; nil if no proof can be made.
    func prove(_ fields: Fields, of name: DeviceIdentifier, at stamp: Stamp) -> Fields? {
        var fields = fields
        fields[.number(DeviceProof.number)] = nil
        let bytes = DeviceProof.signedBytes(of: name, at: stamp, fields, owner: owner, device: device)
        guard let signature = sign(bytes),
            let proof = DeviceProof(owner: owner, device: device, signature: signature)
        else { return nil }
        fields.set(DeviceProof.number) { proof.encode(to: &$0) }
        return fields
    }
}

// MARK: Void writes

extension Write {
    /// Whether this is a statement of the roster, or the record of a device, without the valid signature that it needs.
    ///
    /// Such a write has no effect on any device, ever, and could be made up endlessly. So devices neither store it nor
    /// pass it on, and claim its transaction as if it had been overwritten. Statements of newer versions are kept.
    package func isVoid(by verifier: some StatementVerifier) -> Bool {
        switch identity.kind {
        case .rosterStatement: isVoidStatement(by: verifier)
        case .device: !isSignedRecord(by: verifier)
        default: false
        }
    }

    private func isVoidStatement(by verifier: some StatementVerifier) -> Bool {
        guard let key, case .full(let content) = action else { return true }
        do throws(CBORError) {
            let statement = try RosterStatement(key)
            if case .unknown = statement { return false }
            return content != RosterStatement.content || verifier.verify(statement) == nil
        } catch {
            return true
        }
    }

    private func isSignedRecord(by verifier: some StatementVerifier) -> Bool {
        guard let key, case .full(let content) = action, content.scope == .none else { return false }
        var fields = content.fields
        let (name, proof): (DeviceIdentifier, DeviceProof?)
        do throws(CBORError) {
            name = try DeviceName(key).identifier
            proof = try DeviceProof(in: fields)
        } catch {
            return false
        }
        guard let proof else { return false }
        fields[.number(DeviceProof.number)] = nil
        let bytes = DeviceProof.signedBytes(
            of: name, at: stamp, fields, owner: proof.owner, device: proof.device)
        return verifier.verifies(proof, of: name, over: bytes)
    }
}
