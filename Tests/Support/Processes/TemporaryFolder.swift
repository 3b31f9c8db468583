import Foundation

/// A folder for one test, deleted with its content when this object is deallocated; it is on the disk unless another
/// parent is given.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(in parent: String = "/tmp") throws {
        var template = Array("\(parent)/baton-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("make a temporary folder") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // A process that is just ending may still remove files of its own, which makes one attempt fail.
        _ = try? eventually("an end of \(path)", within: .seconds(5)) {
            try? FileManager.default.removeItem(atPath: path)
            return !FileManager.default.fileExists(atPath: path)
        }
    }
}

/// A failed system call that a test needs.
package struct SystemError: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error that names the operation; the reason is the present error number.
    package init(_ operation: String, number: Int32 = errno) {
        description = "can't \(operation): \(String(cString: strerror(number)))"
    }
}

/// File operations for tests.
package enum File {
    /// Returns all text of a file, or nil if there is no such file.
    package static func read(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Creates a file, or overwrites it.
    package static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "we") else { throw SystemError("write \(path)") }
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw SystemError("write \(path)") }
    }

    /// C's `F_SETLEASE`, which Swift does not import.
    private static let setLease: Int32 = 1024

    /// Creates a file that can be run at once.
    package static func writeProgram(_ text: String, to path: String) throws {
        try write(text, to: path)
        guard chmod(path, 0o700) == 0 else { throw SystemError("let \(path) be run") }
        try awaitRunnable(path)
    }

    /// Waits until a program that was just written can be run.
    ///
    /// A process that another thread is starting just now may still have the file open for writing, and the system
    /// runs no file that anybody could write. The system grants a read lease once nobody can.
    package static func awaitRunnable(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("read \(path)") }
        defer { close(descriptor) }
        try eventually("an end of all who could write \(path)") {
            // Where there are no leases, that can't be known.
            fcntl(descriptor, setLease, F_RDLCK) == 0 || errno != EAGAIN
        }
    }
}
