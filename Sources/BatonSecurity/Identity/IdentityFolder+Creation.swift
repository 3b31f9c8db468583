import Glibc

extension IdentityFolder {
    /// The name under which the folder is made; what a cut left there is never loaded, and is cleared next time.
    package var temporaryPath: String { path + ".new" }

    /// Makes the folder with these credentials in it.
    ///
    /// When this returns, they are on the disk.
    ///
    /// Throws `.alreadyInitialised` if there is an identity, or one is being made by someone else right now.
    package func create(_ credentials: Credentials) throws(SecurityError) {
        try demandAbsence()
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
            if number == ENOTEMPTY || number == EEXIST { try demandAbsence() }
            throw SecurityError(
                .file, "Could not make the folder \(path): \(FileSystemCall.text(of: number)).")
        }
    }

    /// Waits until the folder's name is on the disk.
    private func synchroniseParent() throws(SecurityError) {
        let parent = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        try FolderHandle.open(parent, followingLink: true)?.handle.synchronise()
    }

    private func demandAbsence() throws(SecurityError) {
        guard let folder = try FolderHandle.open(path, followingLink: true) else { return }
        if Self.files.contains(where: { folder.contains($0) }) {
            throw SecurityError(.alreadyInitialised, "There already is an identity in \(path).")
        }
    }
}
