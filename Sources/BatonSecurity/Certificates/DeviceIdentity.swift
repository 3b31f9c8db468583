package import BatonCore

/// The identity of a device, read from certificates whose signatures were verified.
package struct DeviceIdentity: Hashable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    /// The name that a person gave the device, fit to be shown.
    package let name: String
    /// The device's certificate.
    package let certificate: Certificate

    /// Reads the names of a device and its owner; each must occur once, and match the key of its certificate.
    init(device: Certificate, owner: Certificate, account: AccountIdentifier) throws(SecurityError) {
        guard owner.isOwner(of: account) else {
            throw SecurityError(.untrusted, "The issuer of the certificate is not an owner of this account.")
        }
        try self.init(device: device, account: account)
    }

    /// Reads only the device's names, for an owner that was already checked.
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
