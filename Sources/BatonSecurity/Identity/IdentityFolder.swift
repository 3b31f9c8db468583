import Glibc

/// Where a device keeps its credentials for one account: PEM files in a folder that nobody else may enter.
///
/// The folder appears whole or not at all, because it is made under another name and then renamed.
package struct IdentityFolder: Sendable {
    /// The folder's path, without a slash at its end.
    package let path: String

    /// The account's root certificate.
    private static let rootFile = "root.pem"
    /// The device's certificate, then that of the owner who signed it: they are renewed together.
    private static let deviceFile = "device.pem"
    /// The device's key.
    private static let deviceKeyFile = "device-key.pem"
    /// The owner's key; only on a device that is an owner.
    private static let ownerKeyFile = "owner-key.pem"
    /// The key of another owner that is about to take that one's place; it is the owner's once the certificate says so.
    private static let nextOwnerKeyFile = "owner-key.pem.next"

    /// All names, in the order in which files are made.
    private static let files = [rootFile, deviceFile, deviceKeyFile, ownerKeyFile, nextOwnerKeyFile]
    /// The most bytes that a file may have.
    private static let fileByteLimit = 64 * 1024

    /// A folder that need not be there yet; the one above it must be.
    package init(path: String) {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        self.path = String(path)
    }

    /// The credentials in the folder, if they are whole, belong together, and are nobody else's to read.
    ///
    /// They may have expired: a device renews its own. Throws `.notInitialised`, `.permissions` or `.damaged`.
    package func load() throws(SecurityError) -> Credentials {
        let folder = try openFolder()
        try folder.handle.requirePrivate(mode: "700")
        let root = try read(Self.rootFile, in: folder)
        let device = try read(Self.deviceFile, in: folder)
        let deviceKey = try read(Self.deviceKeyFile, in: folder)
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
                ownerKey: try Self.ownerKey(of: chain.owner, among: ownerKeys), at: nil)
        } catch {
            throw SecurityError(
                .damaged, "The identity in \(path) is damaged. \(error.message)", reasons: error.reasons)
        }
    }

    /// The owner's key, of the one in its place and the next: whichever the owner's certificate is about.
    ///
    /// One in its place that it is not about is a fault, unless the next one is right; a next one alone that it is not
    /// about was never used.
    private static func ownerKey(
        of owner: Certificate, among files: [SecretBytes?]
    ) throws(SecurityError) -> PrivateKey? {
        var present: PrivateKey?, next: PrivateKey?
        if let file = files[0] { present = try PrivateKey(pem: file) }
        if let file = files[1] { next = try PrivateKey(pem: file) }
        if let next, owner.checkPrivateKey(next) { return next }
        return present
    }

    private func openFolder() throws(SecurityError) -> FolderHandle {
        guard let folder = try FolderHandle.open(path, followingLink: true),
            Self.files.contains(where: { folder.contains($0) })
        else {
            throw SecurityError(
                .notInitialised,
                "There is no identity in \(path). Type `baton init`, or `baton join` with a code.")
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

    /// The name under which the folder is made; what a cut left there is never loaded, and is cleared next time.
    package var temporaryPath: String { path + ".new" }

    /// Makes the folder with these credentials in it.
    ///
    /// When this returns, they are on the disk.
    ///
    /// Throws `.alreadyInitialised` if there is an identity, or one is being made by someone else right now.
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

    /// Removes a folder that is not to be published, since keys are not left where nobody would look for them;
    /// answers with why, and with what could not be removed.
    private func discard(_ folder: borrowing FolderHandle, after error: SecurityError) -> SecurityError {
        do {
            try clear(folder)
            guard unsafe rmdir(temporaryPath) == 0 else { return error }
        } catch let left {
            return SecurityError(error.code, "\(error.message) Remove \(temporaryPath): \(left.message)")
        }
        return error
    }

    /// Removes our files, and those alone.
    private func clear(_ folder: borrowing FolderHandle) throws(SecurityError) {
        for name in Self.files { try folder.remove(name) }
    }

    /// The folder under its temporary name, empty or with what a cut left; ours alone until it is let go.
    private func openTemporary() throws(SecurityError) -> FolderHandle {
        if unsafe mkdir(temporaryPath, 0o700) != 0, errno != EEXIST {
            throw SecurityError(
                .file, "Could not make the folder \(temporaryPath): \(FileSystemCall.text(of: errno)).")
        }
        guard let folder = try FolderHandle.open(temporaryPath, followingLink: false),
            flock(folder.handle.descriptor, LOCK_EX | LOCK_NB) == 0, try isTemporary(folder)
        else {
            throw SecurityError(
                .alreadyInitialised, "Another process is just making the identity in \(path).")
        }
        try FileSystemCall.check("close to others", temporaryPath) { fchmod(folder.handle.descriptor, 0o700) }
        return folder
    }

    /// Whether what was opened still has the temporary name: whoever had the lock before may have renamed it.
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
        if let ownerKey = credentials.ownerKey {
            try folder.create(Self.ownerKeyFile, contents: try ownerKey.pem())
        }
    }

    /// Gives the folder its name.
    ///
    /// The system replaces an empty folder only, so no identity is ever overwritten.
    private func publish() throws(SecurityError) {
        guard unsafe rename(temporaryPath, path) == 0 else {
            let number = errno
            if number == ENOTEMPTY || number == EEXIST { try requireNoIdentity() }
            throw SecurityError(
                .file, "Could not make the folder \(path): \(FileSystemCall.text(of: number)).")
        }
    }

    /// Waits until the folder's name is on the disk.
    private func synchroniseParent() throws(SecurityError) {
        let parent = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        try FolderHandle.open(parent, followingLink: true)?.handle.synchronise()
    }

    private func requireNoIdentity() throws(SecurityError) {
        guard let folder = try FolderHandle.open(path, followingLink: true) else { return }
        if Self.files.contains(where: { folder.contains($0) }) {
            throw SecurityError(.alreadyInitialised, "There already is an identity in \(path).")
        }
    }

    // MARK: Changes

    /// Replaces the device's certificate, and that of the owner who signed it, by renewed ones for the same key.
    package func renew(_ credentials: Credentials) throws(SecurityError) {
        let current = try load()
        guard current.device == credentials.device, current.account == credentials.account else {
            throw SecurityError(.malformed, "The renewed certificate is that of another device or account.")
        }
        if let ownerKey = current.ownerKey, !credentials.owner.checkPrivateKey(ownerKey) {
            throw SecurityError(.malformed, "An owner's device is renewed by that owner.")
        }
        try openFolder().replace(Self.deviceFile, contents: try Self.deviceContents(credentials))
    }

    /// Makes the device an owner, or an owner with another key or certificate; it is the same device.
    ///
    /// The one moment at which that comes about is when the file with both certificates is replaced. The key lies beside
    /// it by then, under a name of its own, and `load()` takes the one that the certificate is about: so a cut at any
    /// step leaves what was there, or all of the new.
    package func promote(_ credentials: Credentials) throws(SecurityError) {
        let current = try load()
        guard current.device == credentials.device, current.account == credentials.account,
            let ownerKey = credentials.ownerKey
        else {
            throw SecurityError(.malformed, "What makes a device an owner is that of another device.")
        }
        try finishOwnerKeyChange(of: current)
        let folder = try openFolder()
        // Whole or not at all, as whoever reads the folder reads this file, too.
        try folder.replace(Self.nextOwnerKeyFile, contents: try ownerKey.pem())
        try folder.replace(Self.deviceFile, contents: try Self.deviceContents(credentials))
        try finishOwnerKeyChange(of: credentials)
    }

    /// Gives the owner's key its name, if a cut kept it from that, and removes one that came to nothing.
    private func finishOwnerKeyChange(of credentials: Credentials) throws(SecurityError) {
        let folder = try openFolder()
        guard let file = try folder.read(Self.nextOwnerKeyFile, limit: Self.fileByteLimit) else { return }
        if credentials.owner.checkPrivateKey(try PrivateKey(pem: file)) {
            try folder.move(Self.nextOwnerKeyFile, to: Self.ownerKeyFile)
        } else {
            try folder.remove(Self.nextOwnerKeyFile)
        }
    }

    /// What the device's file holds.
    private static func deviceContents(_ credentials: Credentials) throws(SecurityError) -> SecretBytes {
        try SecretBytes(copying: try credentials.certificate.pem() + credentials.owner.pem())
    }
}
