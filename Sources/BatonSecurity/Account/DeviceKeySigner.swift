package import BatonCore

/// Signs the record of this device with the device's key, and marks its activities with a key derived from that key.
package struct DeviceKeySigner: DeviceSigner {
    package let owner, device: RosterStatement.Certificate
    private let key: PrivateKey
    private let markingKey: HMACKey

    /// Creates the signer of a device; throws if a certificate is too long for a record.
    package init(_ credentials: Credentials) throws(SecurityError) {
        owner = try credentials.owner.statementPart()
        device = try credentials.certificate.statementPart()
        key = credentials.deviceKey
        let secret = try Cryptography.derive(
            from: try key.pem(), salt: "baton/1", purpose: "activities of this device")
        markingKey = HMACKey(secret.copy())
    }

    package func sign(_ bytes: [UInt8]) -> [UInt8]? {
        do throws(SecurityError) { return try key.sign(bytes) } catch { return nil }
    }

    package func activityMark(_ bytes: [UInt8]) -> [UInt8] {
        Array(markingKey.code(of: bytes).prefix(ActivityMark.byteCount))
    }
}
