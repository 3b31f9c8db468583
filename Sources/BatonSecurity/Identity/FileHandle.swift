import Glibc

/// A file descriptor, closed when it is let go.
struct FileHandle: ~Copyable {
    /// The descriptor; owned.
    let descriptor: CInt
    /// What it was opened as, for errors.
    let path: String

    /// Takes over a descriptor.
    init(owning descriptor: CInt, path: String) { (self.descriptor, self.path) = (descriptor, path) }

    deinit { close(descriptor) }

    /// What the system knows of the file.
    func status() throws(SecurityError) -> stat {
        var status = stat()
        try FileSystemCall.check("look at", path) { unsafe fstat(descriptor, &status) }
        return status
    }

    /// Refuses a file or folder that is another user's, or that others may use; says how to mend it.
    func demandPrivacy(mode: String) throws(SecurityError) {
        let status = try status()
        guard status.st_uid == geteuid() else {
            throw SecurityError(
                .permissions, "\(path) belongs to another user. Keys are only read from one's own.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw SecurityError(
                .permissions,
                "Others may use \(path), which holds keys. Type: chmod \(mode) \(FileSystemCall.quoted(path))"
            )
        }
    }

    /// Waits until the file, or the folder's list of files, is on the disk.
    func synchronise() throws(SecurityError) {
        try FileSystemCall.check("write", path) { fsync(descriptor) }
    }

    /// Writes all of it.
    @unsafe func write(_ bytes: UnsafeRawBufferPointer) throws(SecurityError) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let count = try FileSystemCall.check("write", path) {
                unsafe Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            }
            unsafe rest = rest.dropFirst(count)
        }
    }

    /// Reads all of it, up to a limit that no such file reaches.
    func read(limit: Int) throws(SecurityError) -> SecretBytes {
        var bytes = [UInt8](repeating: 0, count: limit)
        defer { wipe(&bytes) }
        var count = 0
        while count < limit {
            let added = try FileSystemCall.check("read", path) {
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                    return unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
                }
            }
            if added == 0 { return try SecretBytes(copying: bytes.prefix(count)) }
            count += added
        }
        throw SecurityError(.damaged, "\(path) is too large for what it should hold.")
    }
}
