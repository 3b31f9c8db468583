import BatonClient
package import BatonCore
import Glibc

/// A file that appears under its name once it is complete.
///
/// If the process ends earlier, nothing is left of the file on a file system that has `O_TMPFILE`.
package struct NewFile: ~Copyable {
    private let path: String
    private let descriptor: Int32
    /// Its temporary path; nil if it has none.
    private var passingPath: String?

    /// C's `O_TMPFILE`, which Swift does not import.
    private static let nameless = 0o20_000_000 | O_DIRECTORY

    /// Creates a file without content in the folder of that path.
    package init(_ path: String) throws(LocalFailure) {
        self.path = path
        let folder = Self.folder(of: path)
        var descriptor = open(folder, Self.nameless | O_WRONLY | O_CLOEXEC, 0o666)
        if descriptor < 0 {
            let passing = Self.passingPath(in: folder)
            descriptor = open(passing, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else {
                throw LocalFailure(
                    .failed, "A file can't be made in \(VisibleText(folder).text): \(SystemText.of(errno)).")
            }
            passingPath = passing
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if let passingPath { unlink(passingPath) }
    }

    /// Throws if something at the path already exists.
    package static func demandFree(_ path: String) throws(LocalFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 || errno != ENOENT else { return }
        throw taken(path)
    }

    private static func taken(_ path: String) -> LocalFailure {
        LocalFailure(
            .failed,
            "There is already something called “\(VisibleText(path).text)” here.\nAdd --force to replace it, or go to another folder."
        )
    }

    /// Writes bytes to the end.
    package func write(_ bytes: ArraySlice<UInt8>) throws(LocalFailure) {
        let number = OutputBytes.write(bytes, to: descriptor)
        guard number == 0 else {
            throw LocalFailure(
                .failed, "“\(VisibleText(path).text)” can't be written: \(SystemText.of(number)).")
        }
    }

    /// Gives the file its name; if `replaces`, in place of an existing file.
    package mutating func keep(replacing replaces: Bool) throws(LocalFailure) {
        var result: Int32
        if let passingPath {
            result = replaces ? rename(passingPath, path) : link(passingPath, path)
            if result == 0, replaces { self.passingPath = nil }
        } else {
            let own = "/proc/self/fd/\(descriptor)"
            if replaces {
                let passing = Self.passingPath(in: Self.folder(of: path))
                result = linkat(AT_FDCWD, own, AT_FDCWD, passing, AT_SYMLINK_FOLLOW)
                if result == 0 {
                    result = rename(passing, path)
                    if result != 0 {
                        let number = errno
                        unlink(passing)
                        errno = number
                    }
                }
            } else {
                result = linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW)
            }
        }
        guard result != 0 else { return }
        guard errno != EEXIST || replaces else { throw Self.taken(path) }
        throw LocalFailure(
            .failed, "“\(VisibleText(path).text)” can't be saved: \(SystemText.of(errno)).")
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func passingPath(in folder: String) -> String {
        "\(folder)/.baton-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    }
}

/// Bytes on a descriptor.
package enum OutputBytes {
    /// Writes all of the bytes; returns zero, or the number of the error.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another program that shares the descriptor has made it non-blocking.
                _ = Waiting.forOne(of: [(descriptor, Int16(POLLOUT))])
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
