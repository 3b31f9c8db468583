package import BatonCore

/// Signs this device's record with its key.
package struct DeviceKeySigner: DeviceSigner {
    package let owner, device: RosterStatement.Certificate
    private let key: PrivateKey

    /// Creates the signer of a device; throws if a certificate is too long for a record.
    package init(_ credentials: Credentials) throws(SecurityError) {
        owner = try credentials.owner.statementPart()
        device = try credentials.certificate.statementPart()
        key = credentials.deviceKey
    }

    package func sign(_ bytes: [UInt8]) -> [UInt8]? {
        do throws(SecurityError) { return try key.sign(bytes) } catch { return nil }
    }
}
