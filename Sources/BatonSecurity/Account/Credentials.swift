package import BatonCore

/// The keys and certificates of a device in one account, which were checked to belong together.
package struct Credentials: Sendable {
    /// The identity of the device: its account, its identifier and its name.
    package let identity: DeviceIdentity
    /// The account's root certificate.
    package let root: Certificate
    /// The certificate of the owner that signed the device's certificate.
    package let owner: Certificate
    /// The device's private key, which never leaves the device.
    package let deviceKey: PrivateKey
    /// The owner's private key; nil if the device is not an owner.
    package let ownerKey: PrivateKey?
    /// The key that seals the account's protected content, or the passphrase's hold on it.
    ///
    /// All devices of the account have the same key. Each of them may protect it by a passphrase of its own.
    package let protection: ContentProtection

    /// The key that seals the account's protected content; nil while it is locked.
    package var contentKey: ContentKey? { protection.key }

    package var account: AccountIdentifier { identity.account }
    package var device: DeviceIdentifier { identity.device }
    /// The name that a person gave this device.
    package var deviceName: String { identity.name }
    /// The device's certificate.
    package var certificate: Certificate { identity.certificate }

    /// Checks that the parts belong together, and throws if they do not.
    ///
    /// The keys must match the certificates, the chain must lead to the root, and the names must match the keys. With a
    /// time, the certificates must be valid at that time. Without a time, they may have expired.
    package init(
        chain: AccountChain, deviceKey: PrivateKey, ownerKey: PrivateKey?, protection: ContentProtection,
        at time: Int64?
    ) throws(SecurityError) {
        identity = try chain.verify(at: time)
        (root, owner, self.protection) = (chain.root, chain.owner, protection)
        (self.deviceKey, self.ownerKey) = (deviceKey, ownerKey)
        guard chain.device.checkPrivateKey(deviceKey) else {
            throw SecurityError(.untrusted, "The device's key does not match its certificate.")
        }
        if let ownerKey, !chain.owner.checkPrivateKey(ownerKey) {
            throw SecurityError(.untrusted, "The owner's key does not match its certificate.")
        }
    }

    /// Makes credentials with new keys for an owner's own device, when an account is created or recovered.
    package init(root: RootAuthority, deviceName: String, now: Int64) throws(SecurityError) {
        let owner = try root.makeOwner(now: now)
        let key = try PrivateKey.generate()
        let device = try owner.certify(key.publicKey, name: deviceName, now: now)
        let chain = AccountChain(root: root.certificate, owner: owner.certificate, device: device)
        try self.init(
            chain: chain, deviceKey: key, ownerKey: owner.key, protection: .plain(root.contentKey), at: now)
    }

    /// Returns the credentials of the same device with another chain, such as a renewed one.
    ///
    /// The device stays an owner only if its own owner key signed the new certificate.
    package func renewed(by chain: AccountChain) throws(SecurityError) -> Credentials {
        let key = ownerKey.flatMap { chain.owner.checkPrivateKey($0) ? $0 : nil }
        let renewed = try Credentials(
            chain: chain, deviceKey: deviceKey, ownerKey: key, protection: protection, at: nil)
        guard renewed.device == device, renewed.account == account else {
            throw SecurityError(.malformed, "The renewed certificate belongs to another device or account.")
        }
        return renewed
    }

    /// Returns the credentials of the same device as an owner, with new certificates for the owner and the device.
    ///
    /// If the device keeps its present owner key, everything that this key has signed stays valid.
    package func promoted(
        by root: RootAuthority, keepingKey: Bool, now: Int64
    ) throws(SecurityError) -> Credentials {
        guard root.account == account else {
            throw SecurityError(.untrusted, "This is the recovery code of another account.")
        }
        let owner = try root.makeOwner(keeping: keepingKey ? ownerKey : nil, now: now)
        // The device keeps its root certificate, because only the key in a root certificate matters.
        let authority = OwnerAuthority(
            root: self.root, certificate: owner.certificate, key: owner.key, contentKey: contentKey)
        let device = try authority.certify(deviceKey.publicKey, name: deviceName, now: now)
        let chain = AccountChain(root: self.root, owner: owner.certificate, device: device)
        return try Credentials(
            chain: chain, deviceKey: deviceKey, ownerKey: owner.key, protection: protection, at: now)
    }

    /// Returns the same credentials with the content key as it is after locking, unlocking or another passphrase.
    package func protected(as protection: ContentProtection) -> Credentials {
        Credentials(self, protection)
    }

    private init(_ other: Credentials, _ protection: ContentProtection) {
        (identity, root, owner) = (other.identity, other.root, other.owner)
        (deviceKey, ownerKey, self.protection) = (other.deviceKey, other.ownerKey, protection)
    }

    /// The certificate chain that makes other devices trust this device.
    package var chain: AccountChain { AccountChain(root: root, owner: owner, device: certificate) }

    /// The owner that admits other devices; nil if the device is not an owner.
    package var ownerAuthority: OwnerAuthority? {
        ownerKey.map {
            OwnerAuthority(root: root, certificate: owner, key: $0, contentKey: contentKey)
        }
    }
}
