import BatonCore
import BatonSecurity
import Glibc
import Support
import Testing

/// A content key under a passphrase, in memory and on disk.
@Suite struct `A locked content key` {
    let account: TestAccount
    let temporary: TemporaryFolder
    let folder: IdentityFolder
    let key: ContentKey

    /// A cost that tests can afford.
    static let cost = PassphraseCost(logarithm: 4, blockSize: 8, rounds: 1)

    init() throws {
        (account, temporary) = (try TestAccount(), try TemporaryFolder())
        folder = IdentityFolder(path: temporary.path + "/identity")
        key = try #require(account.owner.contentKey)
    }

    private func passphrase(_ text: String) throws -> SecretBytes {
        try SecretBytes(copying: Array(text.utf8))
    }

    private func lock(_ text: String = "correct horse", cost: PassphraseCost = cost) throws
        -> LockedContentKey
    {
        try LockedContentKey(key, of: account.root.account, passphrase: try passphrase(text), cost: cost)
    }

    @Test func `the passphrase opens the key, and another one does not`() throws {
        let locked = try LockedContentKey(lock().encoded(), of: account.root.account)
        #expect(try locked.open(with: passphrase("correct horse")).secret.copy() == key.secret.copy())
        for wrong in ["correct hors", "correct horse ", "Correct horse", "", "\0"] {
            #expect(throws: SecurityError(.wrongPassphrase, "")) { try locked.open(with: passphrase(wrong)) }
        }
        #expect(locked.identifier == key.identifier)
    }

    @Test func `the recovery code opens the key, and another account's code does not`() throws {
        let locked = try lock()
        #expect(try account.recoveryCode.contentKey(locked: locked).secret.copy() == key.secret.copy())
        let other = try RecoveryCode.random()
        #expect(throws: SecurityError(.wrongPassphrase, "")) { try other.contentKey(locked: locked) }
    }

    @Test func `a passphrase that is set now has the present cost`() throws {
        let locked = try LockedContentKey(key, of: account.root.account, passphrase: passphrase("a"))
        #expect(locked.cost == PassphraseCost(logarithm: 17, blockSize: 8, rounds: 1))
        #expect(try locked.open(with: passphrase("a")).identifier == key.identifier)
    }

    @Test func `a passphrase has at least one byte and at most a kibibyte`() throws {
        #expect(throws: SecurityError(.malformed, "")) { try lock("") }
        #expect(throws: SecurityError(.malformed, "")) { try lock(String(repeating: "x", count: 1025)) }
        let long = String(repeating: "x", count: 1024)
        #expect(try lock(long).open(with: passphrase(long)).identifier == key.identifier)
    }

    @Test func `equal passphrases give different files, which contain neither the key nor the passphrase`()
        throws
    {
        let files = try (0..<2).map { _ in try lock().encoded() }
        #expect(files[0] != files[1])
        for file in files {
            #expect(!file.contains(key.secret.copy().prefix(8)))
            #expect(!file.contains(Array("correct".utf8)))
        }
    }

    @Test func `each changed byte, each missing byte and another account are noticed as damage`() throws {
        let bytes = try lock().encoded()
        #expect(bytes.count == LockedContentKey.byteCount)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: SecurityError(.damaged, ""), "byte \(place)") {
                try LockedContentKey(changed, of: account.root.account)
            }
            #expect(throws: SecurityError(.damaged, "")) {
                try LockedContentKey(Array(bytes.prefix(place)), of: account.root.account)
            }
        }
        #expect(throws: SecurityError(.damaged, "")) {
            try LockedContentKey(bytes + [0], of: account.root.account)
        }
        let other = try TestAccount().root.account
        #expect(throws: SecurityError(.damaged, "")) { try LockedContentKey(bytes, of: other) }
    }

    /// Returns the bytes with a check that fits them, as an attacker can compute it.
    private func forged(_ bytes: [UInt8]) throws -> [UInt8] {
        let content = Array(bytes.dropLast(16))
        func length(_ count: Int) -> [UInt8] {
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
        }
        let account = Array(account.root.account.description.utf8)
        let fields = length(content.count) + content + length(account.count) + account
        return content + SHA256.digest(fields).prefix(16)
    }

    @Test func `each byte that an attacker changes together with the check makes the right passphrase fail`()
        throws
    {
        let bytes = try lock().encoded()
        #expect(try forged(bytes) == bytes)
        for place in bytes.indices.dropLast(16) {
            var changed = bytes
            changed[place] ^= 1
            let file = try forged(changed)
            #expect(throws: SecurityError.self, "byte \(place)") {
                try LockedContentKey(file, of: account.root.account).open(with: passphrase("correct horse"))
            }
        }
    }

    @Test(arguments: [
        (0, 8, 1), (25, 1, 1), (24, 8, 1), (17, 65_535, 1), (17, 0, 1), (17, 8, 0), (17, 8, 17),
    ])
    func `a file that asks for too much memory or time is refused before it is used`(
        logarithm: Int, blockSize: Int, rounds: Int
    ) throws {
        var bytes = try lock().encoded()
        bytes[1] = UInt8(logarithm)
        (bytes[2], bytes[3]) = (UInt8(blockSize >> 8), UInt8(blockSize & 255))
        (bytes[4], bytes[5]) = (UInt8(rounds >> 8), UInt8(rounds & 255))
        let error = #expect(throws: SecurityError.self) {
            try LockedContentKey(forged(bytes), of: account.root.account)
        }
        #expect(error?.message.contains("too much memory or time") == true)
    }

    // MARK: On disk

    private var names: [String] { get throws { try TemporaryFolder.names(in: folder.path) } }

    private func requireLocked(by text: String) throws {
        let loaded = try folder.load()
        #expect(loaded.contentKey == nil)
        let locked = try #require(loaded.protection.lockedKey)
        #expect(try locked.open(with: passphrase(text)).secret.copy() == key.secret.copy())
        #expect(try !names.contains("content.key") && !names.contains("content.key.new"))
        #expect(try TemporaryFolder.mode(folder.path + "/content.locked") == 0o600)
    }

    private func requirePlain() throws {
        #expect(try folder.load().contentKey?.secret.copy() == key.secret.copy())
        #expect(try !names.contains("content.locked") && !names.contains("content.locked.new"))
    }

    @Test func `a passphrase is set, changed and removed, and nothing else of the folder changes`() throws {
        try folder.create(account.owner)
        let before = try names
        try folder.setLock(lock("one"))
        try requireLocked(by: "one")
        try folder.setLock(lock("two"))
        try requireLocked(by: "two")
        try folder.removeLock(key)
        try requirePlain()
        #expect(try names == before)
        #expect(throws: SecurityError(.malformed, "")) { try folder.removeLock(key) }
    }

    @Test func `another account's key can neither lock nor unlock the folder`() throws {
        try folder.create(account.owner)
        let other = try TestAccount()
        let foreign = try #require(other.owner.contentKey)
        let locked = try LockedContentKey(
            foreign, of: other.root.account, passphrase: passphrase("one"), cost: Self.cost)
        #expect(throws: SecurityError(.malformed, "")) { try folder.setLock(locked) }
        try requirePlain()
        try folder.setLock(lock("one"))
        #expect(throws: SecurityError(.malformed, "")) { try folder.removeLock(foreign) }
        try requireLocked(by: "one")
    }

    @Test func `renewing a certificate and becoming an owner keep the lock`() throws {
        let laptop = try account.makeDevice(now: TestAccount.now - 400 * 86_400)
        try folder.create(laptop)
        try folder.setLock(lock("one"))
        let certificate = try account.authority.certify(
            laptop.deviceKey.publicKey, name: "laptop", now: TestAccount.now)
        try folder.renew(try account.credentials(laptop.deviceKey, certificate))
        let promoted = try folder.load().promoted(by: account.root, keepingKey: true, now: TestAccount.now)
        #expect(promoted.contentKey == nil && promoted.ownerAuthority != nil)
        try folder.promote(promoted)
        try requireLocked(by: "one")
        #expect(try folder.load().ownerKey != nil)
    }

    @Test func `the plain key is overwritten on the disk before its name is removed`() throws {
        try folder.create(account.owner)
        // A second name of the file shows its blocks after the first name is gone.
        let witness = temporary.path + "/witness"
        let plain = try TemporaryFolder.read(folder.path + "/content.key")
        #expect(link(folder.path + "/content.key", witness) == 0)
        try folder.setLock(lock("one"))
        let left = try TemporaryFolder.read(witness)
        #expect(left.count == plain.count && zip(left, plain).count { $0 == $1 } < plain.count / 4)
        // The file of an earlier passphrase is overwritten, too.
        let earlier = temporary.path + "/earlier"
        let old = try TemporaryFolder.read(folder.path + "/content.locked")
        #expect(link(folder.path + "/content.locked", earlier) == 0)
        try folder.setLock(lock("two"))
        let overwritten = try TemporaryFolder.read(earlier)
        #expect(overwritten.count == old.count && zip(overwritten, old).count { $0 == $1 } < old.count / 4)
        try requireLocked(by: "two")
    }

    /// A step at which setting a passphrase can be interrupted.
    enum SettingCut: CaseIterable {
        case beforeFile, inFile, beforeName, afterName, inErasing, beforeRemoving, none
    }

    @Test(arguments: SettingCut.allCases)
    func `setting a passphrase that is interrupted anywhere takes effect completely or not at all`(
        cut: SettingCut
    ) throws {
        try folder.create(account.owner)
        let (plain, locked) = (folder.path + "/content.key", folder.path + "/content.locked")
        let (key, file) = (try TemporaryFolder.read(plain), try lock("one").encoded())
        switch cut {
        case .beforeFile: break
        case .inFile: try TemporaryFolder.write(Array(file.prefix(file.count / 2)), to: locked + ".new")
        case .beforeName: try TemporaryFolder.write(file, to: locked + ".new")
        case .afterName, .inErasing, .beforeRemoving, .none: try TemporaryFolder.write(file, to: locked)
        }
        if cut == .inErasing { try TemporaryFolder.write([1, 2, 3, 4] + key.dropFirst(4), to: plain) }
        if cut == .beforeRemoving { try TemporaryFolder.write(key.map { $0 ^ 0x55 }, to: plain) }
        if cut == .none { unlink(plain) }
        let isLocked = [.afterName, .inErasing, .beforeRemoving, .none].contains(cut)
        // The folder says the truth before anything is cleared up.
        #expect(try (folder.load().contentKey == nil) == isLocked)
        try folder.finishLockChange()
        if isLocked { try requireLocked(by: "one") } else { try requirePlain() }
        // An interruption does not prevent the next attempt.
        try folder.setLock(lock("two"))
        try requireLocked(by: "two")
        try folder.finishLockChange()
        try requireLocked(by: "two")
    }

    /// A step at which removing a passphrase can be interrupted.
    enum RemovingCut: CaseIterable {
        case beforeFile, inFile, beforeName, afterName, none
    }

    @Test(arguments: RemovingCut.allCases)
    func `removing a passphrase that is interrupted anywhere takes effect completely or not at all`(
        cut: RemovingCut
    ) throws {
        try folder.create(account.owner)
        let (plain, locked) = (folder.path + "/content.key", folder.path + "/content.locked")
        let file = try TemporaryFolder.read(plain)
        try folder.setLock(lock("one"))
        switch cut {
        case .beforeFile: break
        case .inFile: try TemporaryFolder.write(Array(file.prefix(20)), to: plain + ".new")
        case .beforeName: try TemporaryFolder.write(file, to: plain + ".new")
        case .afterName, .none: try TemporaryFolder.write(file, to: plain)
        }
        if cut == .none { unlink(locked) }
        #expect(try (folder.load().contentKey == nil) == (cut != .none))
        try folder.finishLockChange()
        if cut == .none { try requirePlain() } else { try requireLocked(by: "one") }
        if cut != .none { try folder.removeLock(key) }
        try requirePlain()
        #expect(try !names.contains("content.key.new"))
    }

    @Test func `a key that differs from the locked one is kept and reported`() throws {
        try folder.create(account.owner)
        let plain = try TemporaryFolder.read(folder.path + "/content.key")
        let other = try ContentKey(secret: SecretBytes(copying: Array(0..<32)))
        let locked = try LockedContentKey(
            other, of: account.root.account, passphrase: passphrase("one"), cost: Self.cost)
        try TemporaryFolder.write(locked.encoded(), to: folder.path + "/content.locked")
        let error = #expect(throws: SecurityError.self) { try folder.finishLockChange() }
        #expect(error?.code == .damaged && error?.message.contains("two different") == true)
        #expect(try TemporaryFolder.read(folder.path + "/content.key") == plain)
    }

    @Test func `a damaged file with the locked key is reported, and the plain key beside it is kept`() throws
    {
        try folder.create(account.owner)
        let plain = try TemporaryFolder.read(folder.path + "/content.key")
        var bytes = try lock().encoded()
        bytes[50] ^= 1
        try TemporaryFolder.write(bytes, to: folder.path + "/content.locked")
        #expect(throws: SecurityError(.damaged, "")) { try folder.load() }
        #expect(throws: SecurityError(.damaged, "")) { try folder.finishLockChange() }
        #expect(try TemporaryFolder.read(folder.path + "/content.key") == plain)
    }
}
