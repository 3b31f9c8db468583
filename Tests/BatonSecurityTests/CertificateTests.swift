import BatonCore
import BatonSecurity
import Support
import Testing

@Suite struct `A key` {
    @Test func `a key survives conversion to PEM, and its public half verifies its signatures`() throws {
        for key in [try PrivateKey.generate(), try RecoveryCode.random().rootKey()] {
            let copy = try PrivateKey(pem: key.pem())
            #expect(copy.publicKey == key.publicKey)
            let signature = try copy.sign([1, 2, 3])
            let reader = try PublicKey(der: key.publicKey.der)
            #expect(try reader.verifies(signature, of: [1, 2, 3]))
            #expect(try !reader.verifies(signature, of: [1, 2, 4]))
            #expect(try !reader.verifies(signature.dropLast(), of: [1, 2, 3]))
        }
    }

    @Test func `a device identifier is the first half of the public key's hash`() throws {
        let key = try PrivateKey.generate().publicKey
        #expect(key.device.bytes == Array(key.fingerprint.prefix(16)))
    }

    @Test func `a public key that is truncated, has trailing bytes or is of another kind is refused`() throws
    {
        let der = try PrivateKey.generate().publicKey.der
        for wrong in [der + [0], Array(der.dropLast()), []] {
            #expect(throws: SecurityError(.malformed, "")) { try PublicKey(der: wrong) }
        }
        // An X25519 key, which can't sign.
        let other =
            Array(der[..<0]) + [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x6E, 0x03, 0x21, 0x00]
        #expect(throws: SecurityError(.malformed, "")) {
            try PublicKey(der: other + [UInt8](repeating: 9, count: 32))
        }
    }

    @Test func `the Ed25519 key of RFC 8032 is derived from its seed`() throws {
        // RFC 8032, section 7.1, test 1.
        let seed = try SecretBytes(
            copying: [UInt8](hex: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
        let key = try PrivateKey(ed25519Seed: seed)
        #expect(
            key.publicKey.der.suffix(32)
                == [UInt8](hex: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")[...])
    }
}

@Suite struct `A certificate` {
    @Test func `a certificate has the template's properties, also after DER and PEM`() throws {
        let account = try TestAccount()
        let device = try account.makeDevice("Ána's laptop 💻")
        let certificate = device.certificate
        for copy in [
            certificate, try Certificate(der: certificate.der), try Certificate(pem: certificate.pem()),
        ] {
            #expect(copy == certificate)
            #expect(copy.commonName == "Ána's laptop 💻")
            #expect(
                copy.uris == [
                    "urn:baton:account:\(account.root.account)", "urn:baton:device:\(device.device)",
                ])
            #expect(copy.notBefore == TestAccount.now - 3600)
            #expect(copy.notAfter == TestAccount.now + 365 * 86_400)
            #expect(!copy.isAuthority && copy.checkPrivateKey(device.deviceKey))
        }
        #expect(device.owner.isAuthority && device.root.isAuthority)
        #expect(device.root.notAfter == 253_402_300_799)
        #expect(device.root.publicKey.account == device.account)
    }

    @Test func `a certificate that is truncated or has trailing bytes is refused`() throws {
        let der = try TestAccount().owner.certificate.der
        for wrong in [der + [0], Array(der.dropLast()), [], [0x30]] {
            #expect(throws: SecurityError(.malformed, "")) { try Certificate(der: wrong) }
        }
    }

    @Test func `a device's certificate ends no later than its owner's`() throws {
        let account = try TestAccount()
        let late = account.owner.owner.notAfter - 1_000
        #expect(try account.makeDevice(now: late).certificate.notAfter == account.owner.owner.notAfter)
    }

    @Test(arguments: [
        ("laptop", "laptop"), ("", "device"), (" \u{1b}[31mred\u{7} \n\t alert\u{202e} ", "[31mred alert"),
        (String(repeating: "é", count: 100), String(repeating: "é", count: 32)),
        (String(repeating: "x", count: 63) + "é", String(repeating: "x", count: 63)),
    ])
    func `a device's name is shortened and has no control characters`(given: String, kept: String) throws {
        #expect(DisplayName.sanitised(given) == kept)
        #expect(try TestAccount().makeDevice(given).deviceName == kept)
    }

    @Test func `two certificates for the same key differ`() throws {
        let account = try TestAccount()
        let first = try account.makeDevice()
        let again = try account.authority.certify(
            first.deviceKey.publicKey, name: "laptop", now: TestAccount.now)
        #expect(first.certificate.der != again.der)
    }

    @Test func `a certificate with another device's key is refused as credentials`() throws {
        let account = try TestAccount()
        let device = try account.makeDevice()
        let other = try PrivateKey.generate()
        #expect(throws: SecurityError(.untrusted, "")) { try account.credentials(other, device.certificate) }
        #expect(throws: SecurityError(.untrusted, "")) {
            try Credentials(
                chain: device.chain, deviceKey: device.deviceKey, ownerKey: other,
                protection: device.protection, at: nil)
        }
        #expect(throws: SecurityError(.untrusted, "")) {
            try Credentials(
                chain: device.chain, deviceKey: device.deviceKey, ownerKey: nil,
                protection: device.protection, at: TestAccount.now - 10_000)
        }
    }
}
