import BatonSecurity
import Glibc
import Support
import Testing

/// Credentials on disk: complete, private, or not there at all.
@Suite struct `An identity folder` {
    let account: TestAccount
    let temporary: TemporaryFolder
    let folder: IdentityFolder

    static let files = ["root.pem", "device.pem", "device-key.pem", "owner-key.pem", "content.key"]

    init() throws {
        (account, temporary) = (try TestAccount(), try TemporaryFolder())
        folder = IdentityFolder(path: temporary.path + "/identity/")
    }

    @Test func `an identity folder loads what was stored, with and without an owner key`() throws {
        let laptop = try account.makeDevice()
        for (name, credentials) in [("owner", account.owner), ("laptop", laptop)] {
            let folder = IdentityFolder(path: "\(temporary.path)/\(name)")
            try folder.create(credentials)
            let loaded = try folder.load()
            #expect(loaded.identity == credentials.identity)
            #expect(loaded.root == credentials.root && loaded.owner == credentials.owner)
            #expect(loaded.deviceKey.publicKey == credentials.deviceKey.publicKey)
            #expect(loaded.ownerKey?.publicKey == credentials.ownerKey?.publicKey)
            #expect(loaded.contentKey?.secret.copy() == credentials.contentKey?.secret.copy())
        }
    }

    @Test func `an identity folder and its files are closed to other users`() throws {
        let mask = umask(0)
        defer { umask(mask) }
        try folder.create(account.owner)
        #expect(try TemporaryFolder.mode(folder.path) == 0o700)
        for name in Self.files { #expect(try TemporaryFolder.mode("\(folder.path)/\(name)") == 0o600) }
    }

    @Test func `a missing or empty identity folder is reported as not initialised`() throws {
        #expect(throws: SecurityError(.notInitialised, "")) { try folder.load() }
        mkdir(folder.path, 0o700)
        #expect(throws: SecurityError(.notInitialised, "")) { try folder.load() }
        try folder.create(account.owner)
        _ = try folder.load()
    }

    @Test func `an existing identity folder is not overwritten`() throws {
        try folder.create(account.owner)
        let other = try TestAccount().owner
        #expect(throws: SecurityError(.alreadyInitialised, "")) { try folder.create(other) }
        #expect(try folder.load().device == account.owner.device)
        #expect(access(folder.temporaryPath, F_OK) != 0)
    }

    @Test func `a folder with other files is not replaced`() throws {
        mkdir(folder.path, 0o700)
        try TemporaryFolder.write([1], to: folder.path + "/diary.txt")
        #expect(throws: SecurityError(.file, "")) { try folder.create(account.owner) }
        #expect(try TemporaryFolder.read(folder.path + "/diary.txt") == [1])
        // No keys are left behind either.
        #expect(access(folder.temporaryPath, F_OK) != 0)
    }

    @Test(arguments: 0...4)
    func `an interrupted creation leaves no identity, and can be repeated`(fileCount: Int) throws {
        let whole = IdentityFolder(path: temporary.path + "/whole")
        try whole.create(account.owner)
        mkdir(folder.temporaryPath, 0o700)
        for name in Self.files.prefix(fileCount) {
            let bytes = try TemporaryFolder.read("\(whole.path)/\(name)")
            let isLast = name == Self.files[fileCount - 1]
            try TemporaryFolder.write(
                isLast ? Array(bytes.prefix(bytes.count / 2)) : bytes, to: "\(folder.temporaryPath)/\(name)")
        }
        #expect(throws: SecurityError(.notInitialised, "")) { try folder.load() }
        let laptop = try account.makeDevice()
        try folder.create(laptop)
        let loaded = try folder.load()
        #expect(loaded.device == laptop.device && loaded.ownerKey == nil)
        #expect(access(folder.temporaryPath, F_OK) != 0)
    }

    @Test func `only one process at a time can create an identity folder`() throws {
        mkdir(folder.temporaryPath, 0o700)
        let descriptor = open(folder.temporaryPath, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        flock(descriptor, LOCK_EX)
        #expect(throws: SecurityError(.alreadyInitialised, "")) { try folder.create(account.owner) }
    }

    @Test func `a folder that other users can open is refused with the command that fixes it`() throws {
        let folder = IdentityFolder(path: temporary.path + "/it's mine")
        try folder.create(account.owner)
        chmod(folder.path, 0o750)
        let error = #expect(throws: SecurityError.self) { try folder.load() }
        #expect(error?.code == .permissions)
        #expect(error?.message.hasSuffix("chmod 700 '\(temporary.path)/it'\\''s mine'") == true)
        chmod(folder.path, 0o700)
        _ = try folder.load()
    }

    @Test(arguments: files)
    func `a file that other users can read is refused with the command that fixes it`(name: String) throws {
        try folder.create(account.owner)
        let path = "\(folder.path)/\(name)"
        chmod(path, 0o604)
        let error = #expect(throws: SecurityError.self) { try folder.load() }
        #expect(error?.code == .permissions)
        #expect(error?.message.hasSuffix("chmod 600 \(path)") == true)
    }

    @Test(arguments: files.prefix(3))
    func `an identity folder without one of its files is reported as damaged`(name: String) throws {
        try folder.create(account.owner)
        unlink("\(folder.path)/\(name)")
        #expect(throws: SecurityError(.damaged, "")) { try folder.load() }
    }

    @Test(arguments: files)
    func `a truncated, empty, oversized or linked file is reported as a damaged identity`(name: String) throws
    {
        try folder.create(account.owner)
        let path = "\(folder.path)/\(name)"
        let bytes = try TemporaryFolder.read(path)
        for count in [0, 1, bytes.count / 2, bytes.count - 30] {
            try TemporaryFolder.write(Array(bytes.prefix(count)), to: path)
            #expect(throws: SecurityError(.damaged, "")) { try folder.load() }
        }
        try TemporaryFolder.write([UInt8](repeating: 10, count: 70_000), to: path)
        #expect(throws: SecurityError(.damaged, "")) { try folder.load() }
        unlink(path)
        symlink("/dev/null", path)
        #expect(throws: SecurityError.self) { try folder.load() }
    }

    @Test(arguments: files)
    func `a file of another account is reported as a damaged identity`(name: String) throws {
        try folder.create(account.owner)
        let other = IdentityFolder(path: temporary.path + "/other")
        try other.create(try TestAccount().owner)
        let bytes = try TemporaryFolder.read("\(other.path)/\(name)")
        try TemporaryFolder.write(bytes, to: "\(folder.path)/\(name)")
        #expect(throws: SecurityError(.damaged, "")) { try folder.load() }
    }

    @Test func `a renewed certificate is stored, and another device's certificate is refused`() throws {
        let laptop = try account.makeDevice(now: TestAccount.now - 400 * 86_400)
        try folder.create(laptop)
        // An expired certificate loads, because it must be renewed.
        #expect(try folder.load().certificate == laptop.certificate)
        let certificate = try account.authority.certify(
            laptop.deviceKey.publicKey, name: "laptop", now: TestAccount.now)
        try folder.renew(try account.credentials(laptop.deviceKey, certificate))
        #expect(try folder.load().certificate == certificate)
        #expect(throws: SecurityError(.malformed, "")) { try folder.renew(account.makeDevice()) }
        #expect(try folder.load().certificate == certificate)
    }

    /// The step at which a promotion is interrupted.
    enum Cut: CaseIterable {
        case beforeKey, inKey, beforeCertificate, beforeName, none
    }

    @Test(arguments: Cut.allCases, [true, false])
    func `a promotion that is interrupted anywhere takes effect completely or not at all`(
        cut: Cut, isOwner: Bool
    ) throws {
        let before = isOwner ? account.owner : try account.makeDevice()
        try folder.create(before)
        let after = try before.promoted(by: account.root, keepingKey: false, now: TestAccount.now)
        #expect(after.device == before.device && after.ownerAuthority?.owner != before.ownerAuthority?.owner)
        let (certificate, key) = ("\(folder.path)/device.pem", "\(folder.path)/owner-key.pem")
        let newKey = try after.ownerKey?.pem().copy() ?? []
        switch cut {
        case .beforeKey: break
        case .inKey: try TemporaryFolder.write(Array(newKey.prefix(newKey.count / 2)), to: key + ".next.new")
        case .beforeCertificate, .beforeName, .none: try TemporaryFolder.write(newKey, to: key + ".next")
        }
        if cut == .beforeName || cut == .none {
            try TemporaryFolder.write(
                after.certificate.pem() + after.owner.pem(), to: certificate)
        }
        if cut == .none { rename(key + ".next", key) }
        let isAfter = cut == .beforeName || cut == .none
        let found = try folder.load()
        #expect(found.certificate == (isAfter ? after : before).certificate)
        #expect(found.ownerAuthority?.owner == (isAfter ? after : before).ownerAuthority?.owner)
        // The leftovers of an interruption do not prevent the next promotion.
        let last = try found.promoted(by: account.root, keepingKey: true, now: TestAccount.now + 5)
        try folder.promote(last)
        #expect(try folder.load().ownerAuthority?.certificate == last.owner)
        #expect(try TemporaryFolder.names(in: folder.path) == Self.files.sorted())
    }

    @Test func `another account's recovery code, or another device's credentials, can't promote`() throws {
        let laptop = try account.makeDevice()
        try folder.create(laptop)
        let other = try TestAccount()
        #expect(throws: SecurityError(.untrusted, "")) {
            try laptop.promoted(by: other.root, keepingKey: true, now: TestAccount.now)
        }
        #expect(throws: SecurityError(.malformed, "")) { try folder.promote(account.owner) }
        #expect(throws: SecurityError(.malformed, "")) { try folder.promote(laptop) }
        #expect(try folder.load().certificate == laptop.certificate)
    }

    @Test func `promoting an owner again keeps its identity, and its earlier signatures stay valid`()
        throws
    {
        let later = TestAccount.now + Validity.owner - 86_400
        let again = try account.owner.promoted(by: account.root, keepingKey: true, now: later)
        #expect(again.ownerAuthority?.owner == account.owner.ownerAuthority?.owner)
        #expect(again.owner.notAfter == later + Validity.owner)
        let laptop = try account.makeDevice(now: later)
        #expect(laptop.certificate.notAfter == account.owner.owner.notAfter)
        _ = try laptop.chain.verify(at: later)
        let admission = try #require(again.ownerAuthority).readmit(
            try laptop.chain.admission(), now: later, lasting: 600)
        #expect(admission.certificate.notAfter == later + 600)
    }
}
