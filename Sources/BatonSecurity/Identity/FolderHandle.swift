import Glibc

/// An open folder, through which its files are reached, whatever happens to its path meanwhile.
struct FolderHandle: ~Copyable {
    /// The folder.
    let handle: FileHandle

    /// The path that it was opened by.
    var path: String { handle.path }

    /// Opens a folder, or answers nothing if there is none; a symbolic link is followed only where asked.
    static func open(_ path: String, followingLink: Bool) throws(SecurityError) -> FolderHandle? {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLink ? 0 : O_NOFOLLOW)
        let descriptor = unsafe Glibc.open(path, flags)
        if descriptor < 0, errno == ENOENT { return nil }
        try FileSystemCall.check("open the folder", path) { descriptor }
        return FolderHandle(handle: FileHandle(owning: descriptor, path: path))
    }

    /// Whether a file of that name is there.
    func contains(_ name: String) -> Bool {
        unsafe faccessat(handle.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Reads a file that nobody else may use, or answers nothing if there is none.
    func read(_ name: String, limit: Int) throws(SecurityError) -> SecretBytes? {
        let path = "\(path)/\(name)"
        let descriptor = unsafe openat(
            handle.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        try FileSystemCall.check("open", path) { descriptor }
        let file = FileHandle(owning: descriptor, path: path)
        guard try file.status().st_mode & S_IFMT == S_IFREG else {
            throw SecurityError(.damaged, "\(path) is not a file.")
        }
        try file.requirePrivate(mode: "600")
        return try file.read(limit: limit)
    }

    /// Makes a file that was not there, for nobody else, and waits until what is in it is on the disk.
    func create(_ name: String, contents: SecretBytes) throws(SecurityError) {
        let path = "\(path)/\(name)"
        let descriptor = try FileSystemCall.check("make", path) {
            unsafe openat(
                handle.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600 as mode_t
            )
        }
        let file = FileHandle(owning: descriptor, path: path)
        try unsafe contents.withBytes { (bytes) throws(SecurityError) in try unsafe file.write(bytes) }
        try file.synchronise()
    }

    /// Replaces a file by another at once: whoever looks sees the old one or the new one, whole.
    func replace(_ name: String, contents: SecretBytes) throws(SecurityError) {
        let temporary = "\(name).new"
        try remove(temporary)
        try create(temporary, contents: contents)
        try FileSystemCall.check("replace", "\(path)/\(name)") {
            unsafe renameat(handle.descriptor, temporary, handle.descriptor, name)
        }
        try handle.synchronise()
    }

    /// Gives a file another name, in place of what may be there.
    func move(_ name: String, to next: String) throws(SecurityError) {
        try FileSystemCall.check("replace", "\(path)/\(next)") {
            unsafe renameat(handle.descriptor, name, handle.descriptor, next)
        }
        try handle.synchronise()
    }

    /// Removes a file, if it is there.
    func remove(_ name: String) throws(SecurityError) {
        guard contains(name) else { return }
        try FileSystemCall.check("remove", "\(path)/\(name)") { unsafe unlinkat(handle.descriptor, name, 0) }
    }
}
