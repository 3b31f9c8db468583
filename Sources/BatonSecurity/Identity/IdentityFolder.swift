import Glibc

/// The folder in which a device keeps its credentials for one account: PEM files, closed to other users.
///
/// It is created under a temporary name and then renamed, so it appears complete or not at all.
package struct IdentityFolder: Sendable {
    /// The folder's path, without a slash at its end.
    package let path: String

    /// The account's root certificate.
    private static let rootFile = "root.pem"
    /// The device's certificate and its owner's, in one file because they are renewed together.
    private static let deviceFile = "device.pem"
    /// The device's private key.
    private static let deviceKeyFile = "device-key.pem"
    /// The owner's private key; missing unless the device is an owner.
    private static let ownerKeyFile = "owner-key.pem"
    /// The next owner key, while a promotion is under way; it becomes the owner key when the certificate is replaced.
    private static let nextOwnerKeyFile = "owner-key.pem.next"

    /// The names of all files, in the order in which they are created.
    private static let files = [rootFile, deviceFile, deviceKeyFile, ownerKeyFile, nextOwnerKeyFile]
    /// The most bytes that a file may have.
    private static let fileByteLimit = 64 * 1024

    /// Makes a value for a folder that need not exist yet; its parent must.
    package init(path: String) {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        self.path = String(path)
    }

    /// Loads the credentials, if they are complete, belong together, and are closed to other users.
    ///
    /// They may have expired, because a device renews its own. Throws `.notInitialised`, `.permissions` or `.damaged`.
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

    /// Returns whichever of the current and the next owner key matches the owner's certificate.
    ///
    /// If neither matches, it returns the current one, which is then reported as damage. A next key without a match was
    /// never used, and is ignored.
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

    /// The name under which the folder is created.
    ///
    /// An interrupted creation leaves it behind; it is never loaded, and the next creation clears it.
    package var temporaryPath: String { path + ".new" }

    /// Creates the folder with these credentials, and waits until they are on disk.
    ///
    /// Throws `.alreadyInitialised` if there is an identity, or if another process is creating one.
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

    /// Removes the temporary folder after an error, so that no keys are left in it.
    ///
    /// Returns the error, with what could not be removed added to it.
    private func discard(_ folder: borrowing FolderHandle, after error: SecurityError) -> SecurityError {
        do {
            try clear(folder)
            guard unsafe rmdir(temporaryPath) == 0 else { return error }
        } catch let left {
            return SecurityError(error.code, "\(error.message) Remove \(temporaryPath): \(left.message)")
        }
        return error
    }

    /// Removes the identity's files and no others.
    private func clear(_ folder: borrowing FolderHandle) throws(SecurityError) {
        for name in Self.files { try folder.remove(name) }
    }

    /// Opens the folder under its temporary name, which may contain files of an interrupted creation, and locks it.
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

    /// Whether the opened folder still has the temporary name; a process that held the lock before may have renamed it.
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

    /// Gives the folder its final name.
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

    /// Waits until the folder's name is on disk.
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

    /// Replaces the certificates of the device and its owner by renewed ones for the same key.
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

    /// Makes the device an owner, or changes its owner key or certificate; it stays the same device.
    ///
    /// The change takes effect when the file with both certificates is replaced. By then the new key is beside it under
    /// a temporary name, and `load()` uses the key that matches the certificate. So an interruption at any step leaves
    /// the old state or the new one.
    package func promote(_ credentials: Credentials) throws(SecurityError) {
        let current = try load()
        guard current.device == credentials.device, current.account == credentials.account,
            let ownerKey = credentials.ownerKey
        else {
            throw SecurityError(.malformed, "The new owner's credentials belong to another device.")
        }
        try finishOwnerKeyChange(of: current)
        let folder = try openFolder()
        // The file is replaced atomically, because `load()` reads it too.
        try folder.replace(Self.nextOwnerKeyFile, contents: try ownerKey.pem())
        try folder.replace(Self.deviceFile, contents: try Self.deviceContents(credentials))
        try finishOwnerKeyChange(of: credentials)
    }

    /// Renames the next owner key after an interrupted promotion, or removes it if it was never used.
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
}
