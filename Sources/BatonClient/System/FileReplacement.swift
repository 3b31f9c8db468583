package import BatonCore
package import Glibc

/// Replaces a small file, of which readers see the old or the new content, and never a part.
package struct FileReplacement {
    private let path: String
    /// The file in the same folder that gets the new content first; only one process at a time uses its name.
    private let part: String
    /// The code of failures.
    private let code: LocalFailure.Code

    /// The constant `O_TMPFILE` of C, which Swift does not import.
    private static let nameless = 0o20_000_000 | O_DIRECTORY
    /// The folder in which an open file without a name has a path.
    private static let descriptors = "/proc/self/fd"

    package init(of path: String, part: String, failing code: LocalFailure.Code) {
        (self.path, self.part, self.code) = (path, part, code)
    }

    /// Replaces the file, or makes it if there is none.
    package func write(_ text: String, mode: mode_t) throws(LocalFailure) {
        try write(Array(text.utf8), mode: mode) { (_) in }
    }

    /// Replaces the file, or makes it if there is none.
    ///
    /// The closure gets the descriptor of the new file once its content is on the disk. If it throws, the old file
    /// stays.
    package func write(
        _ bytes: [UInt8], mode: mode_t, preparing prepare: (Int32) throws(LocalFailure) -> Void
    ) throws(LocalFailure) {
        // A process that was killed just before the replacement has left the file.
        unlink(part)
        var descriptor = openNameless(mode)
        var isNamed = false
        if descriptor < 0 {
            descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            isNamed = true
        }
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        do throws(LocalFailure) {
            try fill(descriptor, bytes[...])
            guard fsync(descriptor) == 0 else { throw failure() }
            try prepare(descriptor)
            if !isNamed {
                let opened = "\(Self.descriptors)/\(descriptor)"
                isNamed = linkat(AT_FDCWD, opened, AT_FDCWD, part, AT_SYMLINK_FOLLOW) == 0
                guard isNamed else { throw failure() }
            }
            guard rename(part, path) == 0 else { throw failure() }
        } catch {
            if isNamed { unlink(part) }
            throw error
        }
    }

    /// Opens a new file without a name, which vanishes with this process; returns -1 if the system can't do that.
    private func openNameless(_ mode: mode_t) -> Int32 {
        guard access(Self.descriptors, X_OK) == 0 else { return -1 }
        let folder = part.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(part[...$0]) } ?? "."
        return open(folder, Self.nameless | O_WRONLY | O_CLOEXEC, mode)
    }

    private func fill(_ descriptor: Int32, _ all: ArraySlice<UInt8>) throws(LocalFailure) {
        var bytes = all
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                throw failure()
            }
        }
    }

    /// The failure for the present error number.
    private func failure() -> LocalFailure {
        LocalFailure(code, "\(VisibleText(path).text) can't be written: \(SystemText.of(errno)).")
    }
}
