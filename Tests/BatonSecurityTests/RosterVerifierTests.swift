import BatonCore
import BatonSecurity
import Support
import Testing

/// Statements by owners, and forged ones.
@Suite struct `Verification of roster statements` {
    private let account: TestAccount
    private let verifier: RosterVerifier
    private let now = WallTime(milliseconds: TestAccount.now * 1000)
    private let device = DeviceIdentifier(high: 5, low: 6)

    init() throws {
        account = try TestAccount()
        verifier = RosterVerifier(root: account.root.certificate)
    }

    private func part(_ bytes: [UInt8]) throws -> RosterStatement.Certificate {
        try #require(RosterStatement.Certificate(bytes))
    }

    private func admission(_ owner: Certificate, _ device: Certificate) throws -> RosterStatement {
        .admission(owner: try part(owner.der), device: try part(device.der))
    }

    // MARK: Valid statements

    @Test func `a verified admission gives the device, the owner and the validity`() throws {
        let key = try PrivateKey.generate()
        let authority = try account.authority
        let (statement, certificate) = try authority.admit(key.publicKey, name: "desk", now: TestAccount.now)
        let expected = Admission(
            device: key.publicKey.device, owner: authority.owner, name: "desk",
            begins: WallTime(milliseconds: certificate.notBefore * 1000),
            ends: WallTime(milliseconds: certificate.notAfter * 1000), statement: statement)
        #expect(verifier.verify(statement) == .admission(expected))
        // Neither the passing of time nor a reissued root certificate changes the result.
        let again = try RootAuthority(recoveryCode: account.recoveryCode, now: TestAccount.now + 99)
        #expect(RosterVerifier(root: again.certificate).verify(statement) == .admission(expected))
    }

    @Test
    func `a device's mark of an activity is the same in each process, and differs from other devices' marks`()
        throws
    {
        let devices = try [account.makeDevice(), account.makeDevice()]
        let marks = try (devices + devices).map { try DeviceKeySigner($0).activityMark([1, 2, 3]) }
        #expect(marks[0] == marks[2] && marks[1] == marks[3] && marks[0] != marks[1])
        #expect(marks.allSatisfy { $0.count == ActivityMark.byteCount })
        #expect(try DeviceKeySigner(devices[0]).activityMark([1, 2, 4]) != marks[0])
    }

    @Test func `a device's record is void unless the device signed it with this stamp and these fields`()
        throws
    {
        let devices = try [account.makeDevice(), account.makeDevice()]
        let signers = try devices.map { try DeviceKeySigner($0) }
        let said = Device(identifier: devices[0].device, name: "desk", admitted: now)
        let life = Life(high: 1, low: 1)
        func write(_ journal: Journal) throws -> Write {
            var journal = journal
            let named = journal.transaction(.activities, [Journal.Draft(said)], now: now)
            return try #require(named?.writes.first)
        }
        let signed = try write(Journal(life: life, latest: .zero, signer: signers[0]))
        #expect(!signed.isVoid(by: verifier))
        let key = Device.key(said.identifier)
        let later = Stamp(time: .largest, life: life)
        #expect(Write(dot: signed.dot, key: key, stamp: later, action: signed.action).isVoid(by: verifier))
        #expect(try write(Journal(life: life, latest: .zero)).isVoid(by: verifier))
        #expect(try write(Journal(life: life, latest: .zero, signer: signers[1])).isVoid(by: verifier))
        guard case .full(var content) = signed.action else { return }
        var fields = content.fields
        fields.set(4) { $0.integer(7) }
        content = Write.Content(fields: fields)
        let changed = Write(dot: signed.dot, key: key, stamp: signed.stamp, action: .full(content))
        #expect(changed.isVoid(by: verifier))
        for action in [Write.Action.deletion, .partial(of: signed.stamp, fields)] {
            #expect(Write(dot: signed.dot, key: key, stamp: later, action: action).isVoid(by: verifier))
        }
        // Another account's root.
        #expect(signed.isVoid(by: RosterVerifier(root: try TestAccount().root.certificate)))
    }

    @Test
    func `a statement with fields or without a valid signature is void, and one of a newer version is not`()
        throws
    {
        let key = try PrivateKey.generate()
        let (statement, _) = try account.authority.admit(key.publicKey, name: "desk", now: TestAccount.now)
        let unknown = RosterStatement.unknown([0x81, 0x04])
        let life = Life(high: 1, low: 1)
        func isVoid(_ statement: RosterStatement, _ fields: Fields = Fields()) -> Bool {
            let dot = Dot(origin: Origin(life: life, lane: .activities), sequence: 1)
            return Write(
                dot: dot, key: statement.key, stamp: Stamp(time: .zero, life: life),
                action: .full(Write.Content(fields: fields))
            ).isVoid(by: verifier)
        }
        #expect(!isVoid(statement) && !isVoid(unknown))
        #expect(isVoid(statement, Fields { $0.field(1) { $0.text("ballast") } }))
        let bytes = try part([1, 2, 3])
        #expect(isVoid(.admission(owner: bytes, device: bytes)))
    }

    @Test func `statements with expired or not yet valid certificates are valid`() throws {
        for shift in [-40, 40] as [Int64] {
            let years = shift * 365 * 86_400
            let root = try RootAuthority(recoveryCode: account.recoveryCode, now: TestAccount.now + years)
            let owner = try root.makeOwner(now: TestAccount.now + years)
            let key = try PrivateKey.generate().publicKey
            let (statement, _) = try owner.admit(key, name: "old", now: TestAccount.now + years)
            guard case .admission(let admission) = verifier.verify(statement) else {
                Issue.record("the statement is not verified")
                continue
            }
            #expect(admission.device == key.device && admission.owner == owner.owner)
            let revocation = try owner.revoke(key.device, now: now)
            #expect(verifier.verify(revocation) != nil)
        }
    }

    @Test func `a device's certificate chain is read as an admission of the device by its owner`() throws {
        let laptop = try account.makeDevice()
        guard case .admission(let admission) = verifier.verify(try laptop.chain.admission()) else {
            Issue.record("the statement is not verified")
            return
        }
        #expect(admission.device == laptop.device)
        #expect(admission.owner == (try account.authority.owner))
    }

    @Test func `verified revocations give the revoked device or owner`() throws {
        let authority = try account.authority
        let note = RevocationNote(by: authority.owner, date: now)
        #expect(verifier.verify(try authority.revoke(device, now: now)) == .deviceRevocation(device, note))
        let kept = (1...3).map { DeviceIdentifier(high: $0, low: 7) }
        // An owner may revoke itself.
        let statement = try authority.revoke(authority.owner, kept: kept.reversed() + kept, now: now)
        #expect(verifier.verify(statement) == .ownerRevocation(authority.owner, kept: Set(kept), note))
        #expect(try RosterStatement(statement.key) == statement)
    }

    /// The verifier remembers some owners, and whether the root signed them.
    @Test func `a verification does not depend on which owners were verified earlier`() throws {
        let stranger = try TestAccount()
        var statements: [RosterStatement] = []
        for number in 0..<9 {
            let root = number % 3 == 2 ? stranger.root : account.root
            let owner = try root.makeOwner(now: TestAccount.now)
            statements.append(try owner.revoke(device, now: now))
            statements.append(
                try owner.admit(PrivateKey.generate().publicKey, name: "desk", now: TestAccount.now).0)
        }
        let expected = statements.map { RosterVerifier(root: account.root.certificate).verify($0) }
        #expect(expected.count { $0 == nil } == 6)
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            let number = generator.number(0...(statements.count - 1))
            #expect(verifier.verify(statements[number]) == expected[number])
        }
    }

    @Test func `readmitting a device renews its certificate for the same key and name`() throws {
        let laptop = try account.makeDevice("Ána's laptop")
        let other = try account.root.makeOwner(now: TestAccount.now)
        let later = TestAccount.now + 300 * 86_400
        let (statement, certificate) = try other.readmit(try laptop.chain.admission(), now: later)
        #expect(certificate.publicKey == laptop.deviceKey.publicKey)
        #expect(certificate.commonName == "Ána's laptop" && certificate.notAfter == later + 365 * 86_400)
        var roster = Roster()
        roster.add(try laptop.chain.admission(), by: verifier)
        roster.add(try account.authority.revoke(account.authority.owner, kept: [], now: now), by: verifier)
        #expect(roster.standing(of: laptop.device) == .undone(admittedBy: try account.authority.owner))
        roster.add(statement, by: verifier)
        #expect(roster.isMember(laptop.device))
        #expect(roster.newestAdmission(of: laptop.device, at: now)?.statement == statement)
        // The new certificate makes valid credentials.
        let chain = AccountChain(
            root: account.root.certificate, owner: other.certificate, device: certificate)
        #expect(throws: Never.self) {
            try Credentials(
                chain: chain, deviceKey: laptop.deviceKey, ownerKey: nil, protection: laptop.protection,
                at: later)
        }
    }

    @Test func `a revocation that would keep more devices than it can hold is refused with a message`() throws
    {
        let authority = try account.authority
        let kept = (1...97).map { DeviceIdentifier(high: 1, low: $0) }
        let most = try authority.revoke(authority.owner, kept: Array(kept.dropLast()), now: now)
        #expect(verifier.verify(most) != nil)
        #expect(Journal.Draft(.full(RosterStatement.content), most.key).isWithinLimits)
        do {
            _ = try authority.revoke(authority.owner, kept: kept, now: now)
            Issue.record("97 devices were kept")
        } catch {
            #expect(error == SecurityError(.excess, ""))
            #expect(error.message.contains("97") && error.message.contains("admit the others again"))
        }
    }

    // MARK: Invalid statements

    @Test func `statements of another account are invalid`() throws {
        let other = try TestAccount()
        let authority = try other.authority
        let laptop = try other.makeDevice()
        for statement in [
            try laptop.chain.admission(), try authority.revoke(device, now: now),
            try authority.revoke(authority.owner, kept: [], now: now),
            // The owner of one account and the device of another.
            try admission(account.owner.owner, laptop.certificate),
            try admission(authority.certificate, account.owner.certificate),
        ] { #expect(verifier.verify(statement) == nil) }
    }

    @Test func `admissions with certificates in the wrong roles are invalid`() throws {
        let (owner, laptop) = (account.owner.owner, try account.makeDevice().certificate)
        let second = try account.root.makeOwner(now: TestAccount.now)
        for (one, two) in [
            (laptop, owner), (laptop, laptop), (owner, owner), (account.root.certificate, laptop),
            (second.certificate, laptop), (owner, second.certificate), (account.root.certificate, owner),
        ] { #expect(verifier.verify(try admission(one, two)) == nil) }
    }

    @Test func `revocations signed by anyone but the named owner are invalid`() throws {
        let laptop = try account.makeDevice()
        let authority = try account.authority
        let second = try account.root.makeOwner(now: TestAccount.now)
        let forged: [(Certificate, PrivateKey)] = [
            // A device signs with its own key, in its own name and in the owner's.
            (laptop.certificate, laptop.deviceKey), (authority.certificate, laptop.deviceKey),
            (authority.certificate, second.key), (second.certificate, authority.key),
            (account.root.certificate, authority.key), (account.root.certificate, try rootKey()),
        ]
        for (certificate, key) in forged {
            for subject in [Revocation.Subject.device(device), .owner(authority.owner, kept: [])] {
                let bytes = Revocation.signedBytes(
                    subject: subject, date: now, owner: try part(certificate.der))
                #expect(
                    verifier.verify(
                        try statement(subject, now, certificate, signature: key.sign(bytes))) == nil)
            }
        }
    }

    @Test func `revocations with any changed part are invalid`() throws {
        let authority = try account.authority
        let kept = (1...2).map { DeviceIdentifier(high: $0, low: 7) }
        guard
            case .revocation(let owners) = try authority.revoke(authority.owner, kept: kept, now: now),
            case .revocation(let devices) = try authority.revoke(device, now: now)
        else {
            Issue.record("the statements are not revocations")
            return
        }
        let later = WallTime(milliseconds: now.milliseconds + 1)
        let same = authority.certificate
        for (subject, date, signature) in [
            (.owner(authority.owner, kept: []), now, owners.signature),
            (
                .owner(authority.owner, kept: kept + [DeviceIdentifier(high: 9, low: 9)]), now,
                owners.signature
            ),
            (.owner(OwnerIdentifier(high: 1, low: 1), kept: kept), now, owners.signature),
            (owners.subject, later, owners.signature), (owners.subject, now, devices.signature),
            (.device(DeviceIdentifier(high: 5, low: 7)), now, devices.signature),
            (devices.subject, later, devices.signature), (devices.subject, now, owners.signature),
            (devices.subject, now, []), (devices.subject, now, devices.signature.dropLast()),
            (devices.subject, now, devices.signature + [0]),
            // The revocation of a device does not revoke an owner with the same identifier.
            (.owner(OwnerIdentifier(high: 5, low: 6), kept: []), now, devices.signature),
        ] as [(Revocation.Subject, WallTime, [UInt8])] {
            #expect(verifier.verify(try statement(subject, date, same, signature: signature)) == nil)
        }
    }

    @Test func `a changed admission is invalid or has the same meaning`() throws {
        let chain = try account.makeDevice().chain
        let statement = try chain.admission()
        guard case .admission(let expected) = verifier.verify(statement) else {
            Issue.record("the statement is not verified")
            return
        }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            var parts = [chain.owner.der, chain.device.der]
            let which = generator.number(0...1)
            switch generator.number(0...2) {
            case 0: parts[which].removeLast(generator.number(1...parts[which].count))
            case 1: parts[which] += generator.bytes(1...9)
            default:
                let index = generator.number(0...parts[which].count - 1)
                parts[which][index] ^= UInt8(1 << generator.number(0...7))
            }
            let changed = RosterStatement.admission(owner: try part(parts[0]), device: try part(parts[1]))
            // Some bits of a certificate are not signed, and changing them changes nothing.
            if case .admission(let admission) = verifier.verify(changed) {
                #expect(admission.device == expected.device && admission.owner == expected.owner)
            }
        }
        for bytes in [
            [], [0x30], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], [UInt8](repeating: 0x30, count: 1900),
        ] {
            #expect(
                verifier.verify(.admission(owner: try part(bytes), device: try part(chain.device.der))) == nil
            )
            #expect(
                verifier.verify(.admission(owner: try part(chain.owner.der), device: try part(bytes))) == nil)
        }
    }

    @Test func `a statement of a newer version is not verified`() {
        #expect(verifier.verify(.unknown([0x81, 0x18, 0x2a])) == nil)
    }

    @Test func `only admissions of this account can be renewed`() throws {
        let authority = try account.authority
        let stranger = try TestAccount().makeDevice().chain.admission()
        #expect(throws: SecurityError(.untrusted, "")) {
            try authority.readmit(stranger, now: TestAccount.now)
        }
        #expect(throws: SecurityError(.malformed, "")) {
            try authority.readmit(try authority.revoke(device, now: now), now: TestAccount.now)
        }
    }

    private func rootKey() throws -> PrivateKey { try account.recoveryCode.rootKey() }

    private func statement(
        _ subject: Revocation.Subject, _ date: WallTime, _ owner: Certificate, signature: [UInt8]
    ) throws -> RosterStatement {
        let certificate = try part(owner.der)
        let revocation = Revocation(
            subject: subject, date: date, owner: certificate, signature: signature)
        return .revocation(try #require(revocation))
    }
}
