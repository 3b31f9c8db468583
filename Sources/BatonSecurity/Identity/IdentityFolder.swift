import BatonCore
import Glibc

/// The folder with a device's credentials for one account: files that only this user can read.
///
/// The folder is created under a temporary name and then renamed. So it is never seen incomplete.
package struct IdentityFolder: Sendable {
    /// The folder's path, without a slash at its end.
    package let path: String

    /// The account's root certificate.
    private static let rootFile = "root.pem"
    /// The certificates of the device and of its owner; they are in one file because they are renewed together.
    private static let deviceFile = "device.pem"
    /// The device's private key.
    private static let deviceKeyFile = "device-key.pem"
    /// The owner's private key; the file is missing if the device is not an owner.
    private static let ownerKeyFile = "owner-key.pem"
    /// The next owner key during a promotion.
    ///
    /// It becomes the owner key when the certificates are replaced.
    private static let nextOwnerKeyFile = "owner-key.pem.next"

    /// The key of the account's protected content, and a check of the key and the account.
    private static let contentKeyFile = "content.key"
    /// The same key, encrypted under a passphrase.
    ///
    /// There is either this file or `contentKeyFile`. If an interruption left both, this one counts, and the node removes
    /// the other one at its next start.
    private static let lockedKeyFile = "content.locked"

    /// The names of all files.
    private static let files = [
        rootFile, deviceFile, deviceKeyFile, ownerKeyFile, nextOwnerKeyFile, contentKeyFile,
        lockedKeyFile,
    ]
    /// The maximum size of a file, in bytes.
    private static let fileByteLimit = 64 * 1024

    /// Makes a value for a folder, which need not exist; the folder above it must exist.
    package init(path: String) {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        self.path = String(path)
    }

    /// Loads the credentials, and checks that they are complete, belong together, and are closed to other users.
    ///
    /// The certificates may have expired, because a device renews its own certificate. Throws `.notInitialised`,
    /// `.permissions` or `.damaged`.
    package func load() throws(SecurityError) -> Credentials {
        let folder = try openFolder()
        try folder.handle.requirePrivate(mode: "700")
        let root = try read(Self.rootFile, in: folder)
        let device = try read(Self.deviceFile, in: folder)
        let deviceKey = try read(Self.deviceKeyFile, in: folder)
        let lockedKey = try folder.read(Self.lockedKeyFile, limit: Self.fileByteLimit)
        let contentKey =
            lockedKey == nil
            ? try read(Self.contentKeyFile, in: folder)
            : nil
        let ownerKeys = [
            try folder.read(Self.ownerKeyFile, limit: Self.fileByteLimit),
            try folder.read(Self.nextOwnerKeyFile, limit: Self.fileByteLimit),
        ]
        do {
            let certificates = try Certificate.read(pem: device.copy(), count: 2)
            let chain = AccountChain(
                root: try Certificate(pem: root.copy()), owner: certificates[1], device: certificates[0])
            return try Credentials(
                chain: chain, deviceKey: try PrivateKey(pem: deviceKey),
                ownerKey: try Self.ownerKey(of: chain.owner, among: ownerKeys),
                protection: try Self.protection(
                    plain: contentKey, locked: lockedKey, of: chain.root.publicKey.account),
                at: nil)
        } catch {
            throw SecurityError(
                .damaged, "The identity in \(path) is damaged. \(error.message)", reasons: error.reasons)
        }
    }

    /// Returns the owner key that matches the owner's certificate: the current key or the next key.
    ///
    /// If neither key matches, the current key is returned, and the caller then reports damage. A next key that does
    /// not match was never used, and is ignored.
    private static func ownerKey(
        of owner: Certificate, among files: [SecretBytes?]
    ) throws(SecurityError) -> PrivateKey? {
        var present: PrivateKey?, next: PrivateKey?
        if let file = files[0] { present = try PrivateKey(pem: file) }
        if let file = files[1] { next = try PrivateKey(pem: file) }
        if let next, owner.checkPrivateKey(next) { return next }
        return present
    }

    /// Returns the contents of the file with a content key of an account.
    ///
    /// The key is followed by the beginning of a hash of the key and the account, so that a damaged file and the file of
    /// another account are noticed. Otherwise, a wrong key would seal what no other device can open.
    private static func contents(
        of key: ContentKey, of account: AccountIdentifier
    ) throws(SecurityError) -> SecretBytes {
        let bytes = key.secret.copy()
        let check = try Cryptography.digest(of: bytes + Array(account.description.utf8))
        return try SecretBytes(copying: bytes + check.prefix(contentKeyCheckByteCount))
    }

    private static let contentKeyCheckByteCount = 16

    /// Reads the content key of an account from its file.
    private static func contentKey(
        in file: SecretBytes, of account: AccountIdentifier
    ) throws(SecurityError) -> ContentKey {
        let bytes = file.copy()
        let key = try ContentKey(secret: SecretBytes(copying: bytes.prefix(ContentKey.byteCount)))
        guard bytes == (try contents(of: key, of: account)).copy() else {
            throw SecurityError(.damaged, "The content key is damaged, or belongs to another account.")
        }
        return key
    }

    private static func protection(
        plain: SecretBytes?, locked: SecretBytes?, of account: AccountIdentifier
    ) throws(SecurityError) -> ContentProtection {
        if let locked { return .locked(try LockedContentKey(locked.copy(), of: account)) }
        guard let plain else { throw SecurityError(.damaged, "The content key is missing.") }
        return .plain(try contentKey(in: plain, of: account))
    }

    private func openFolder() throws(SecurityError) -> FolderHandle {
        guard let folder = try FolderHandle.open(path, followingLink: true),
            Self.files.contains(where: { folder.contains($0) })
        else {
            throw SecurityError(
                .notInitialised,
                "There is no identity in \(path). Run `baton init`, or `baton join` with a code.")
        }
        return folder
    }

    private func read(_ name: String, in folder: borrowing FolderHandle) throws(SecurityError) -> SecretBytes
    {
        guard let contents = try folder.read(name, limit: Self.fileByteLimit) else {
            throw SecurityError(.damaged, "The identity in \(path) is damaged: \(name) is missing.")
        }
        return contents
    }

    // MARK: Creation

    /// The temporary name under which the folder is created.
    ///
    /// If a creation is interrupted, the folder stays under this name. It is never loaded, and the next creation
    /// removes its files.
    package var temporaryPath: String { path + ".new" }

    /// Creates the folder with these credentials, and waits until they are on disk.
    ///
    /// Throws `.alreadyInitialised` if there already is an identity, or if another process is creating one.
    package func create(_ credentials: Credentials) throws(SecurityError) {
        try requireNoIdentity()
        let folder = try openTemporary()
        do {
            try clear(folder)
            try write(credentials, to: folder)
            try folder.handle.synchronise()
            try publish()
        } catch {
            throw discard(folder, after: error)
        }
        try synchroniseParent()
    }

    /// Removes the temporary folder after an error, so that no keys stay in it.
    ///
    /// Returns the error. If something could not be removed, the message of the error also says so.
    private func discard(_ folder: borrowing FolderHandle, after error: SecurityError) -> SecurityError {
        do {
            try clear(folder)
            guard unsafe rmdir(temporaryPath) == 0 else { return error }
        } catch let left {
            return SecurityError(error.code, "\(error.message) Remove \(temporaryPath): \(left.message)")
        }
        return error
    }

    /// Removes the files of an identity, and no other files.
    private func clear(_ folder: borrowing FolderHandle) throws(SecurityError) {
        for name in Self.files { try folder.remove(name) }
    }

    /// Opens and locks the folder under its temporary name; it may contain files of an interrupted creation.
    private func openTemporary() throws(SecurityError) -> FolderHandle {
        if unsafe mkdir(temporaryPath, 0o700) != 0, errno != EEXIST {
            throw SecurityError(
                .file, "Could not create the folder \(temporaryPath): \(FileSystemCall.text(of: errno)).")
        }
        guard let folder = try FolderHandle.open(temporaryPath, followingLink: false),
            flock(folder.handle.descriptor, LOCK_EX | LOCK_NB) == 0, try isTemporary(folder)
        else {
            throw SecurityError(
                .alreadyInitialised, "Another process is creating the identity in \(path).")
        }
        try FileSystemCall.check("restrict access to", temporaryPath) {
            fchmod(folder.handle.descriptor, 0o700)
        }
        return folder
    }

    /// Whether the temporary name still leads to the opened folder, and not to a folder that was made later.
    ///
    /// A process that held the lock before may have given the opened folder its final name.
    private func isTemporary(_ folder: borrowing FolderHandle) throws(SecurityError) -> Bool {
        var status = stat()
        guard unsafe lstat(temporaryPath, &status) == 0 else { return false }
        let opened = try folder.handle.status()
        return (opened.st_dev, opened.st_ino) == (status.st_dev, status.st_ino) && opened.st_uid == geteuid()
    }

    private func write(
        _ credentials: Credentials, to folder: borrowing FolderHandle
    ) throws(SecurityError) {
        let root = try SecretBytes(copying: try credentials.root.pem())
        try folder.create(Self.rootFile, contents: root)
        try folder.create(Self.deviceFile, contents: try Self.deviceContents(credentials))
        try folder.create(Self.deviceKeyFile, contents: try credentials.deviceKey.pem())
        switch credentials.protection {
        case .plain(let key):
            try folder.create(
                Self.contentKeyFile, contents: try Self.contents(of: key, of: credentials.account))
        case .unlocked(_, let locked), .locked(let locked):
            try folder.create(
                Self.lockedKeyFile, contents: try SecretBytes(copying: try locked.encoded()))
        }
        if let ownerKey = credentials.ownerKey {
            try folder.create(Self.ownerKeyFile, contents: try ownerKey.pem())
        }
    }

    /// Renames the folder to its final name.
    ///
    /// The system replaces only an empty folder, so no identity is ever overwritten.
    private func publish() throws(SecurityError) {
        guard unsafe rename(temporaryPath, path) == 0 else {
            let number = errno
            if number == ENOTEMPTY || number == EEXIST { try requireNoIdentity() }
            throw SecurityError(
                .file, "Could not create the folder \(path): \(FileSystemCall.text(of: number)).")
        }
    }

    /// Waits until the name of the folder is on disk.
    private func synchroniseParent() throws(SecurityError) {
        let parent = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        try FolderHandle.open(parent, followingLink: true)?.handle.synchronise()
    }

    private func requireNoIdentity() throws(SecurityError) {
        guard let folder = try FolderHandle.open(path, followingLink: true) else { return }
        if Self.files.contains(where: { folder.contains($0) }) {
            throw SecurityError(.alreadyInitialised, "There is already an identity in \(path).")
        }
    }

    // MARK: Changes

    /// Replaces the certificates of the device and its owner by renewed certificates for the same key.
    package func renew(_ credentials: Credentials) throws(SecurityError) {
        let current = try load()
        guard current.device == credentials.device, current.account == credentials.account else {
            throw SecurityError(.malformed, "The renewed certificate belongs to another device or account.")
        }
        if let ownerKey = current.ownerKey, !credentials.owner.checkPrivateKey(ownerKey) {
            throw SecurityError(
                .malformed, "The renewed certificate of an owner's device must be signed by that owner.")
        }
        try openFolder().replace(Self.deviceFile, contents: try Self.deviceContents(credentials))
    }

    /// Makes the device an owner, or changes its owner key or certificate; the device keeps its own key.
    ///
    /// The new owner key is first written under a temporary name. The change takes effect when the file with both
    /// certificates is replaced, because `load()` uses the key that matches the certificate. So an interruption at any
    /// step leaves either the old state or the new state.
    package func promote(_ credentials: Credentials) throws(SecurityError) {
        let current = try load()
        guard current.device == credentials.device, current.account == credentials.account,
            let ownerKey = credentials.ownerKey
        else {
            throw SecurityError(.malformed, "The new owner's credentials belong to another device.")
        }
        try finishOwnerKeyChange(of: current)
        let folder = try openFolder()
        // The next key is replaced atomically, because `load()` also reads it.
        try folder.replace(Self.nextOwnerKeyFile, contents: try ownerKey.pem())
        try folder.replace(Self.deviceFile, contents: try Self.deviceContents(credentials))
        try finishOwnerKeyChange(of: credentials)
    }

    /// Finishes an interrupted promotion: renames the next owner key, or removes it if it was never used.
    private func finishOwnerKeyChange(of credentials: Credentials) throws(SecurityError) {
        let folder = try openFolder()
        guard let file = try folder.read(Self.nextOwnerKeyFile, limit: Self.fileByteLimit) else { return }
        if credentials.owner.checkPrivateKey(try PrivateKey(pem: file)) {
            try folder.move(Self.nextOwnerKeyFile, to: Self.ownerKeyFile)
        } else {
            try folder.remove(Self.nextOwnerKeyFile)
        }
    }

    /// Returns the contents of the file with both certificates.
    private static func deviceContents(_ credentials: Credentials) throws(SecurityError) -> SecretBytes {
        try SecretBytes(copying: try credentials.certificate.pem() + credentials.owner.pem())
    }

    // MARK: The passphrase

    /// Protects the content key by a passphrase, or by another passphrase.
    ///
    /// The encrypted key counts from the moment when its file has its name. Only then is the plain key overwritten and
    /// removed. If this is interrupted before that moment, nothing has changed. If it is interrupted later,
    /// `finishLockChange` removes the plain key.
    package func setLock(_ locked: LockedContentKey) throws(SecurityError) {
        let current = try load()
        let identifier = current.protection.lockedKey?.identifier ?? current.contentKey?.identifier
        guard current.account == locked.account, identifier == locked.identifier else {
            throw SecurityError(.malformed, "The locked content key belongs to another account.")
        }
        let folder = try openFolder()
        try folder.replaceAndErase(
            Self.lockedKeyFile, contents: try SecretBytes(copying: try locked.encoded()))
        try erasePlainKey(in: folder)
    }

    /// Stores the content key as it is, without a passphrase.
    ///
    /// As long as the encrypted key is there, it counts. So an interruption leaves either the passphrase in force, with
    /// a key beside it that `finishLockChange` removes, or no passphrase.
    package func removeLock(_ key: ContentKey) throws(SecurityError) {
        let current = try load()
        guard current.protection.lockedKey?.identifier == key.identifier else {
            throw SecurityError(.malformed, "The content key is not the one that is locked.")
        }
        let folder = try openFolder()
        try folder.replace(Self.contentKeyFile, contents: try Self.contents(of: key, of: current.account))
        try folder.remove(Self.lockedKeyFile)
        try folder.handle.synchronise()
    }

    /// Finishes an interrupted `setLock` or `removeLock`; the node calls this before it uses the folder.
    ///
    /// If both files are there, the encrypted key counts, and the other one is overwritten and removed. It stays if it
    /// is intact and another key than the encrypted one, which no interruption can cause.
    package func finishLockChange() throws(SecurityError) {
        let folder = try openFolder()
        let (plain, locked) = (Self.contentKeyFile, Self.lockedKeyFile)
        let leftovers = [FolderHandle.temporaryName(of: plain), FolderHandle.temporaryName(of: locked)]
        guard
            folder.contains(plain) && folder.contains(locked)
                || leftovers.contains(where: { folder.contains($0) })
        else { return }
        let current = try load()
        guard let locked = current.protection.lockedKey else {
            return try folder.erase(FolderHandle.temporaryName(of: Self.lockedKeyFile))
        }
        if let file = try folder.read(Self.contentKeyFile, limit: Self.fileByteLimit),
            let key = try? Self.contentKey(in: file, of: current.account), key.identifier != locked.identifier
        {
            throw SecurityError(
                .damaged,
                "\(path) has two different content keys. Move \(Self.contentKeyFile) or \(Self.lockedKeyFile) away."
            )
        }
        try erasePlainKey(in: folder)
    }

    private func erasePlainKey(in folder: borrowing FolderHandle) throws(SecurityError) {
        try folder.erase(Self.contentKeyFile)
        try folder.erase(FolderHandle.temporaryName(of: Self.contentKeyFile))
    }
}
