package import BatonCore

/// All that a device needs to take part in one account, and that is known to belong together.
package struct Credentials: Sendable {
    /// The account, the device and its name.
    package let identity: DeviceIdentity
    /// The account's root.
    package let root: Certificate
    /// The owner who signed the device.
    package let owner: Certificate
    /// The device's own key, which never leaves it.
    package let deviceKey: PrivateKey
    /// The owner's key; only on a device that is an owner.
    package let ownerKey: PrivateKey?

    package var account: AccountIdentifier { identity.account }
    package var device: DeviceIdentifier { identity.device }
    /// The name that a person gave this device.
    package var deviceName: String { identity.name }
    /// The device's certificate.
    package var certificate: Certificate { identity.certificate }

    /// Puts the parts together if they fit: keys to certificates, the chain to its root, names to keys.
    ///
    /// With a time, the certificates must hold then; without, they may have expired.
    package init(
        chain: AccountChain, deviceKey: PrivateKey, ownerKey: PrivateKey?, at time: Int64?
    ) throws(SecurityError) {
        identity = try chain.verify(at: time)
        (root, owner) = (chain.root, chain.owner)
        (self.deviceKey, self.ownerKey) = (deviceKey, ownerKey)
        guard chain.device.checkPrivateKey(deviceKey) else {
            throw SecurityError(.untrusted, "The device's key is not the one in its certificate.")
        }
        if let ownerKey, !chain.owner.checkPrivateKey(ownerKey) {
            throw SecurityError(.untrusted, "The owner's key is not the one in its certificate.")
        }
    }

    /// The credentials of an owner's own device, with a new key: for a new account, or for a recovered one.
    package init(root: RootAuthority, deviceName: String, now: Int64) throws(SecurityError) {
        let owner = try root.makeOwner(now: now)
        let key = try PrivateKey.generate()
        let device = try owner.certify(key.publicKey, name: deviceName, now: now)
        let chain = AccountChain(root: root.certificate, owner: owner.certificate, device: device)
        try self.init(chain: chain, deviceKey: key, ownerKey: owner.key, at: now)
    }

    /// The same device by another chain, such as an owner renewed it by.
    ///
    /// It goes on as an owner only if its own key signed that.
    package func renewed(by chain: AccountChain) throws(SecurityError) -> Credentials {
        let key = ownerKey.flatMap { chain.owner.checkPrivateKey($0) ? $0 : nil }
        let renewed = try Credentials(chain: chain, deviceKey: deviceKey, ownerKey: key, at: nil)
        guard renewed.device == device, renewed.account == account else {
            throw SecurityError(.malformed, "The renewed certificate is that of another device or account.")
        }
        return renewed
    }

    /// The same device as an owner: the root signs the owner, and the owner the device.
    ///
    /// It keeps the owner's key that it has, if it is to: then whatever that owner did counts on.
    package func promoted(
        by root: RootAuthority, keepingKey: Bool, now: Int64
    ) throws(SecurityError) -> Credentials {
        guard root.account == account else {
            throw SecurityError(.untrusted, "This is the recovery code of another account.")
        }
        let owner = try root.makeOwner(keeping: keepingKey ? ownerKey : nil, now: now)
        // The device goes on trusting the root's certificate that it has: its key is what counts.
        let authority = OwnerAuthority(root: self.root, certificate: owner.certificate, key: owner.key)
        let device = try authority.certify(deviceKey.publicKey, name: deviceName, now: now)
        let chain = AccountChain(root: self.root, owner: owner.certificate, device: device)
        return try Credentials(chain: chain, deviceKey: deviceKey, ownerKey: owner.key, at: now)
    }

    /// The path by which others trust this device.
    package var chain: AccountChain { AccountChain(root: root, owner: owner, device: certificate) }

    /// What admits others to the account; only on a device that is an owner.
    package var ownerAuthority: OwnerAuthority? {
        ownerKey.map { OwnerAuthority(root: root, certificate: owner, key: $0) }
    }
}
