package import BatonCore

/// The identity of a device, taken from certificates whose signatures have been verified.
package struct DeviceIdentity: Hashable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    /// The name that a person gave the device, made safe to show.
    package let name: String
    /// The device's certificate.
    package let certificate: Certificate

    /// Reads the names in the certificates of a device and its owner; throws if they do not match the keys.
    init(device: Certificate, owner: Certificate, account: AccountIdentifier) throws(SecurityError) {
        guard owner.isOwner(of: account) else {
            throw SecurityError(.untrusted, "The issuer of the certificate is not an owner of this account.")
        }
        try self.init(device: device, account: account)
    }

    /// Reads only the names in the device's certificate, after the owner was already checked.
    init(device: Certificate, account: AccountIdentifier) throws(SecurityError) {
        guard !device.isAuthority, device.uris(.owner).isEmpty,
            device.uris(.account) == [CertificateURI.account(account).text]
        else {
            throw SecurityError(.untrusted, "The certificate does not belong to a device of this account.")
        }
        guard device.uris(.device) == [CertificateURI.device(device.publicKey.device).text] else {
            throw SecurityError(.untrusted, "The certificate names a device with another key.")
        }
        guard device.isForSessions else {
            throw SecurityError(
                .untrusted,
                "The certificate does not allow its key to sign handshakes of clients and servers.")
        }
        guard device.lasts(atMost: Validity.deviceLimit) else {
            throw SecurityError(
                .untrusted,
                """
                The certificate is valid for more than \(Validity.deviceLimit / 86_400) days, \
                or expires before it starts.
                """)
        }
        (self.account, self.device) = (account, device.publicKey.device)
        (name, certificate) = (DisplayName.sanitised(device.commonName), device)
    }
}
