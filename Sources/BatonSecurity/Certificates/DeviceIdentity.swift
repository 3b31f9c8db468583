package import BatonCore

/// Who a device is, as its certificate and its owner's say; the signatures were verified before.
package struct DeviceIdentity: Hashable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    /// The name that a person gave the device, fit to be shown.
    package let name: String
    /// The device's certificate.
    package let certificate: Certificate

    /// Reads the names, each of which must be there once, and be about the very key of its certificate.
    init(device: Certificate, owner: Certificate, account: AccountIdentifier) throws(SecurityError) {
        guard owner.isOwner(of: account) else {
            throw SecurityError(.untrusted, "The issuer of the certificate is not an owner of this account.")
        }
        try self.init(device: device, account: account)
    }

    /// Reads the device's own names alone, where its owner's were read before.
    init(device: Certificate, account: AccountIdentifier) throws(SecurityError) {
        guard !device.isAuthority, device.uris(.owner).isEmpty,
            device.uris(.account) == [CertificateURI.account(account).text]
        else {
            throw SecurityError(.untrusted, "The certificate is not that of a device of this account.")
        }
        guard device.uris(.device) == [CertificateURI.device(device.publicKey.device).text] else {
            throw SecurityError(.untrusted, "The certificate names a device that has another key.")
        }
        guard device.isForSessions else {
            throw SecurityError(
                .untrusted,
                "The certificate does not say that its key is for digital signatures of clients and servers.")
        }
        guard device.lasts(atMost: Validity.deviceLimit) else {
            throw SecurityError(
                .untrusted,
                "The certificate holds for more than \(Validity.deviceLimit / 86_400) days, or ends before it begins."
            )
        }
        (self.account, self.device) = (account, device.publicKey.device)
        (name, certificate) = (DisplayName.sanitised(device.commonName), device)
    }
}
