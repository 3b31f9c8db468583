import Glibc

/// An open folder, whose files can be used even if the folder is renamed.
struct FolderHandle: ~Copyable {
    /// The folder's descriptor.
    let handle: FileHandle

    /// The path that was opened.
    var path: String { handle.path }

    /// Opens a folder; returns nil if it does not exist.
    ///
    /// A symbolic link is followed only if `followingLink` is true.
    static func open(_ path: String, followingLink: Bool) throws(SecurityError) -> FolderHandle? {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLink ? 0 : O_NOFOLLOW)
        let descriptor = unsafe Glibc.open(path, flags)
        if descriptor < 0, errno == ENOENT { return nil }
        try FileSystemCall.check("open the folder", path) { descriptor }
        return FolderHandle(handle: FileHandle(owning: descriptor, path: path))
    }

    /// Whether the folder contains a file with this name.
    func contains(_ name: String) -> Bool {
        unsafe faccessat(handle.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Reads a file, or returns nil if it does not exist; throws if other users have access to the file.
    func read(_ name: String, limit: Int) throws(SecurityError) -> SecretBytes? {
        let path = "\(path)/\(name)"
        let descriptor = unsafe openat(
            handle.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        try FileSystemCall.check("open", path) { descriptor }
        let file = FileHandle(owning: descriptor, path: path)
        guard try file.status().st_mode & S_IFMT == S_IFREG else {
            throw SecurityError(.damaged, "\(path) is not a regular file.")
        }
        try file.requirePrivate(mode: "600")
        return try file.read(limit: limit)
    }

    /// Creates a file that only this user has access to, and waits until its contents are on disk.
    func create(_ name: String, contents: SecretBytes) throws(SecurityError) {
        let path = "\(path)/\(name)"
        let descriptor = try FileSystemCall.check("create", path) {
            unsafe openat(
                handle.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600 as mode_t
            )
        }
        let file = FileHandle(owning: descriptor, path: path)
        try unsafe contents.withBytes { (bytes) throws(SecurityError) in try unsafe file.write(bytes) }
        try file.synchronise()
    }

    /// Replaces a file atomically: a reader sees either the complete old file or the complete new file.
    func replace(_ name: String, contents: SecretBytes) throws(SecurityError) {
        let temporary = Self.temporaryName(of: name)
        try erase(temporary)
        try create(temporary, contents: contents)
        try FileSystemCall.check("replace", "\(path)/\(name)") {
            unsafe renameat(handle.descriptor, temporary, handle.descriptor, name)
        }
        try handle.synchronise()
    }

    /// Replaces a file as `replace` does, and then overwrites the old contents on the disk.
    func replaceAndErase(_ name: String, contents: SecretBytes) throws(SecurityError) {
        guard contains(name) else { return try replace(name, contents: contents) }
        let old = try openForErasing(name)
        try replace(name, contents: contents)
        try old.overwrite()
    }

    /// The name under which the new contents of a file are written before they replace the file.
    static func temporaryName(of name: String) -> String { "\(name).new" }

    /// Overwrites a file with random bytes, waits until they are on the disk, and then removes the file.
    ///
    /// A disk that writes elsewhere than it is told, as flash disks do, may keep the old contents.
    func erase(_ name: String) throws(SecurityError) {
        guard contains(name) else { return }
        try openForErasing(name).overwrite()
        try remove(name)
        try handle.synchronise()
    }

    private func openForErasing(_ name: String) throws(SecurityError) -> FileHandle {
        let path = "\(path)/\(name)"
        let descriptor = try FileSystemCall.check("overwrite", path) {
            unsafe openat(handle.descriptor, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        let file = FileHandle(owning: descriptor, path: path)
        guard try file.status().st_mode & S_IFMT == S_IFREG else {
            throw SecurityError(.damaged, "\(path) is not a regular file.")
        }
        return file
    }

    /// Renames a file; an existing file with the new name is replaced.
    func move(_ name: String, to next: String) throws(SecurityError) {
        try FileSystemCall.check("replace", "\(path)/\(next)") {
            unsafe renameat(handle.descriptor, name, handle.descriptor, next)
        }
        try handle.synchronise()
    }

    /// Removes a file if it exists.
    func remove(_ name: String) throws(SecurityError) {
        guard contains(name) else { return }
        try FileSystemCall.check("remove", "\(path)/\(name)") { unsafe unlinkat(handle.descriptor, name, 0) }
    }
}
