import BatonCore
import BatonSecurity
import Testing

/// A new account for a test, at a fixed time.
struct TestAccount {
    /// The time in tests, in seconds since 1970.
    static let now: Int64 = 1_800_000_000

    let recoveryCode: RecoveryCode
    let root: RootAuthority
    /// The credentials of the first owner's own device.
    let owner: Credentials

    init() throws {
        recoveryCode = try RecoveryCode.random()
        root = try RootAuthority(recoveryCode: recoveryCode, now: Self.now)
        owner = try Credentials(root: root, deviceName: "owner", now: Self.now)
    }

    /// The first owner's authority.
    var authority: OwnerAuthority {
        get throws { try #require(owner.ownerAuthority) }
    }

    /// Makes a hint for any device of the account, which clients send as the server name.
    func hint(at time: Int64 = now) throws -> String {
        try HintKey(root: root.certificate.publicKey).makeHint(for: nil, at: time, tolerating: .days)
            .description
    }

    /// Makes a device that is not an owner.
    func makeDevice(_ name: String = "laptop", now: Int64 = now) throws -> Credentials {
        let key = try PrivateKey.generate()
        return try credentials(key, try authority.certify(key.publicKey, name: name, now: now))
    }

    /// Makes credentials with a certificate that the first owner signed.
    func credentials(_ key: PrivateKey, _ certificate: Certificate) throws -> Credentials {
        let chain = AccountChain(root: root.certificate, owner: owner.owner, device: certificate)
        return try Credentials(
            chain: chain, deviceKey: key, ownerKey: nil, protection: owner.protection, at: nil)
    }

    /// Returns the template of a device's certificate, for tests that forge one.
    func template(for key: PublicKey) -> CertificateTemplate {
        CertificateTemplate(
            kind: .device, commonName: "forged", uris: [.account(root.account), .device(key.device)],
            publicKey: key, notBefore: Self.now - 60, notAfter: Self.now + 3600)
    }
}
