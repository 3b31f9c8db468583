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
    func requirePrivate(mode: String) throws(SecurityError) {
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

/// A system call's answer: a result, or an error that names the file.
enum FileSystemCall {
    /// Makes a call that answers a negative number for failure; one that was interrupted is made again.
    @discardableResult static func check<Answer: SignedInteger>(
        _ purpose: String, _ path: String, _ call: () -> Answer
    ) throws(SecurityError) -> Answer {
        while true {
            let answer = call()
            if answer >= 0 { return answer }
            let number = errno
            if number == EINTR { continue }
            throw SecurityError(.file, "Could not \(purpose) \(path): \(text(of: number)).")
        }
    }

    /// What the system calls an error.
    static func text(of number: CInt) -> String { unsafe String(cString: strerror(number)) }

    /// A path as one word for a shell, for commands that a person is to type.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        guard !isPlain || path.isEmpty else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
