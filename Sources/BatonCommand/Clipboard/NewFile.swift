import BatonClient
package import BatonCore
import Glibc

/// Writes a file that gets its name only when it is complete.
///
/// If the process ends before that, a file system with `O_TMPFILE` keeps nothing of the file.
package struct NewFile: ~Copyable {
    private let path: String
    private let descriptor: Int32
    /// The temporary path of the file, or nil if the file has no path yet.
    private var passingPath: String?

    /// The constant `O_TMPFILE` of C, which Swift does not import.
    private static let nameless = 0o20_000_000 | O_DIRECTORY

    /// Creates an empty file, without its name, in the folder that contains the path.
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

    /// Appends bytes to the file.
    package func write(_ bytes: ArraySlice<UInt8>) throws(LocalFailure) {
        let number = OutputBytes.write(bytes, to: descriptor)
        guard number == 0 else {
            throw LocalFailure(
                .failed, "“\(VisibleText(path).text)” can't be written: \(SystemText.of(number)).")
        }
    }

    /// Gives the file its name.
    ///
    /// With `replaces`, it replaces a file that already has the name.
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

/// Writes bytes to a descriptor.
package enum OutputBytes {
    /// Writes all bytes; returns zero, or the number of the error.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // The descriptor is non-blocking, because another program that shares it has made it so.
                _ = Waiting.forOne(of: [(descriptor, Int16(POLLOUT))])
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
