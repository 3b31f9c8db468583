import CLinux
import Glibc

/// An open file descriptor with exactly one owner.
///
/// It is closed with its owner, or earlier by `close()`. An event loop must stop watching it before that.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number of the open file, or -1 once it is closed; use it for one system call at a time.
    package private(set) var number: Int32

    /// Takes ownership of a descriptor that a system call has just returned.
    init(owning number: Int32) {
        precondition(number >= 0, "a failed call has no descriptor")
        self.number = number
    }

    deinit {
        if number >= 0 { Self.release(number) }
    }

    /// True until `close()` or `take()`.
    package var isOpen: Bool { number >= 0 }

    /// Closes the file now; does nothing if it is closed.
    package mutating func close() {
        guard number >= 0 else { return }
        Self.release(number)
        number = -1
    }

    /// Transfers ownership; this value then counts as closed.
    mutating func take() -> FileDescriptor {
        let taken = FileDescriptor(owning: number)
        number = -1
        return taken
    }

    /// Gives the number back to the kernel.
    ///
    /// The result is of no use: on Linux the descriptor is gone whatever `close` says, and what is behind these
    /// descriptors has nothing left to write.
    private static func release(_ number: Int32) {
        _ = Glibc.close(number)
    }
}

extension FileDescriptor {
    /// Opens a file, which is closed when another program is started; with `O_CREAT` a new file gets the mode.
    package static func open(
        _ path: String, flags: Int32, mode: UInt32 = 0
    ) throws(NetworkError) -> FileDescriptor {
        let number = try SystemCall.run("open \(path)") { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) }
        return FileDescriptor(owning: number)
    }

    /// Returns the contents of a short file, such as one below `/proc`, up to a limit.
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
