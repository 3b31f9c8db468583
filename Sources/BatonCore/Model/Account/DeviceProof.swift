/// The proof that a device wrote its own record: its admission, and the signature of its key.
///
/// The proof is a field of the record. It covers all other fields and the stamp. So no other device can change the
/// record or restore an earlier version, and a device that was never admitted can't have a record. The validity of a
/// proof depends only on the write and the account's root, so all devices always agree about it.
package struct DeviceProof: Equatable, Sendable {
    /// The certificates of the owner and of the device that it admitted.
    ///
    /// The owner may have been revoked since.
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

    /// Returns the bytes that a device's key signs for a record with these fields and this stamp.
    ///
    /// The bytes are an array. Its first element occurs in no other signed data.
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

    /// Reads the proof from the fields of a record; nil if they have no proof.
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

/// Signs the record of this device, and makes the marks of its activities.
package protocol DeviceSigner: Sendable {
    /// The certificates that admitted this device.
    var owner: RosterStatement.Certificate { get }
    var device: RosterStatement.Certificate { get }
    /// Signs the bytes with this device's key; returns nil if that fails.
    func sign(_ bytes: [UInt8]) -> [UInt8]?
    /// Returns an activity's mark for these bytes; no other device can make the mark.
    func activityMark(_ bytes: [UInt8]) -> [UInt8]
}

extension DeviceSigner {
    /// Adds a proof for the stamp to the fields of a device's record; returns nil if the proof can't be made.
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
    /// Whether this write needs a valid signature and has none.
    ///
    /// Statements of the roster and records of devices need one.
    ///
    /// A void write never has an effect on any device, and anybody could make up any number of them. So devices neither
    /// store it nor pass it on. They claim its transaction as if a later write had overwritten it. Statements of newer
    /// versions are not void.
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
