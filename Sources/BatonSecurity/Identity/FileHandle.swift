import Glibc

/// An open file descriptor, which is closed when its owner is released.
struct FileHandle: ~Copyable {
    /// The descriptor, which this value owns.
    let descriptor: CInt
    /// The path that was opened, for error messages.
    let path: String

    /// Takes ownership of a descriptor.
    init(owning descriptor: CInt, path: String) { (self.descriptor, self.path) = (descriptor, path) }

    deinit { close(descriptor) }

    /// Returns the file's status.
    func status() throws(SecurityError) -> stat {
        var status = stat()
        try FileSystemCall.check("read the status of", path) { unsafe fstat(descriptor, &status) }
        return status
    }

    /// Throws if the file or folder belongs to another user, or others have access; the error says how to fix this.
    func requirePrivate(mode: String) throws(SecurityError) {
        let status = try status()
        guard status.st_uid == geteuid() else {
            throw SecurityError(
                .permissions, "\(path) belongs to another user. Baton reads keys only from your own files.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw SecurityError(
                .permissions,
                """
                Other users have access to \(path), which contains keys. \
                Run: chmod \(mode) \(FileSystemCall.quoted(path))
                """)
        }
    }

    /// Waits until the contents of the file, or the entries of the folder, are on disk.
    func synchronise() throws(SecurityError) {
        try FileSystemCall.check("write", path) { fsync(descriptor) }
    }

    /// Writes all bytes.
    @unsafe func write(_ bytes: UnsafeRawBufferPointer) throws(SecurityError) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let count = try FileSystemCall.check("write", path) {
                unsafe Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            }
            unsafe rest = rest.dropFirst(count)
        }
    }

    /// Overwrites the contents with random bytes, in place, and waits until they are on the disk.
    func overwrite() throws(SecurityError) {
        let count = Int(try status().st_size)
        guard count > 0 else { return }
        let random = try SecretBytes.random(count: count)
        try unsafe random.withBytes { (bytes) throws(SecurityError) in try unsafe write(bytes) }
        try synchronise()
    }

    /// Reads the whole file; throws if it is larger than the limit.
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
        throw SecurityError(.damaged, "\(path) is too large.")
    }
}

/// Makes system calls, and turns their failures into errors that name the file.
enum FileSystemCall {
    /// Makes a call that returns a negative number on failure; repeats the call if a signal interrupted it.
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

    /// Returns the system's text for an error number.
    static func text(of number: CInt) -> String { unsafe String(cString: strerror(number)) }

    /// Quotes a path for a shell, to show a command that a person should type.
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
