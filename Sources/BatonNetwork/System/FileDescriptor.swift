import CLinux
import Glibc

/// An open file descriptor with exactly one owner.
///
/// The descriptor is closed when its owner releases it, or earlier by `close()`. If an event loop watches the
/// descriptor, the loop must stop watching before that.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number of the descriptor, or -1 once it is closed; don't keep the number beyond one system call.
    package private(set) var number: Int32

    /// Takes ownership of a descriptor that a system call has just returned.
    init(owning number: Int32) {
        precondition(number >= 0, "a failed call has no descriptor")
        self.number = number
    }

    deinit {
        if number >= 0 { Self.release(number) }
    }

    /// True until `close()` or `take()` is called.
    package var isOpen: Bool { number >= 0 }

    /// Closes the descriptor now; does nothing if it is already closed.
    package mutating func close() {
        guard number >= 0 else { return }
        Self.release(number)
        number = -1
    }

    /// Transfers ownership to the result; this value then counts as closed.
    mutating func take() -> FileDescriptor {
        let taken = FileDescriptor(owning: number)
        number = -1
        return taken
    }

    /// Closes a descriptor in the kernel.
    ///
    /// The result of `close` is ignored. On Linux, the descriptor is closed even if the call reports an error, and none
    /// of these files has unwritten data.
    private static func release(_ number: Int32) {
        _ = Glibc.close(number)
    }
}

extension FileDescriptor {
    /// Opens a file, which is closed when the process executes another program.
    ///
    /// With `O_CREAT`, a new file gets the mode.
    package static func open(
        _ path: String, flags: Int32, mode: UInt32 = 0
    ) throws(NetworkError) -> FileDescriptor {
        let number = try SystemCall.run("open \(path)") { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) }
        return FileDescriptor(owning: number)
    }

    /// Returns the contents of a short file, such as one in `/proc`, but at most `limit` bytes.
    package static func contents(
        of path: String, limit: Int, flags: Int32 = 0
    ) throws(NetworkError) -> [UInt8] {
        let file = try open(path, flags: O_RDONLY | flags)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit, 4096))
        while bytes.count < limit {
            let count = try SystemCall.run("read \(path)") {
                unsafe Glibc.read(file.number, &buffer, min(buffer.count, limit - bytes.count))
            }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }
}
