package import BatonCore
package import Glibc

/// Replaces a small file, of which readers see the old or the new content, and never a part.
package struct FileReplacement {
    private let path: String
    /// The file in the same folder that is written first; only one process at a time uses its name.
    private let part: String
    /// The code of failures.
    private let code: LocalFailure.Code

    package init(of path: String, part: String, failing code: LocalFailure.Code) {
        (self.path, self.part, self.code) = (path, part, code)
    }

    /// Replaces the file, or makes it if there is none.
    package func write(_ text: String, mode: mode_t) throws(LocalFailure) {
        // A process that was killed while it wrote has left the file.
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure("\(part) can't be created") }
        defer { close(descriptor) }
        do throws(LocalFailure) {
            try fill(descriptor, Array(text.utf8)[...])
            guard fsync(descriptor) == 0, rename(part, path) == 0 else {
                throw failure("\(path) can't be written")
            }
        } catch {
            unlink(part)
            throw error
        }
    }

    private func fill(_ descriptor: Int32, _ all: ArraySlice<UInt8>) throws(LocalFailure) {
        var bytes = all
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                throw failure("\(path) can't be written")
            }
        }
    }

    private func failure(_ what: String) -> LocalFailure {
        LocalFailure(code, "\(VisibleText(what).text): \(SystemText.of(errno)).")
    }
}
