package import BatonCore
import Glibc

/// A file that names programs to start, so other users must not be able to change it.
package struct TrustedFile {
    private let path: String
    /// The folder of the file, which other users must not be able to change either; nil if the folder is not checked.
    private let folder: String?
    /// The kind of file, for messages; for example, "configuration file".
    private let kind: String
    /// The size of the largest file that is read, in bytes.
    private let most: Int

    package init(path: String, folder: String? = nil, kind: String, most: Int) {
        self.path = path
        self.folder = folder
        self.kind = kind
        self.most = most
    }

    /// Reads the bytes; returns nil if an optional file does not exist.
    package func read(isOptional: Bool) throws(LocalFailure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT, isOptional { return nil }
            throw failure("can't be opened: \(SystemText.of(errno))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("can't be read: \(SystemText.of(errno))") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("is not a file") }
        try demandOwn(status, of: path)
        if let folder {
            guard stat(folder, &status) == 0 else { throw failure("can't be read: \(SystemText.of(errno))") }
            try demandOwn(status, of: folder)
        }
        do throws(SmallFile.Failure) {
            return try SmallFile.read(file, most: most)
        } catch {
            switch error {
            case .refused(let number): throw failure("can't be read: \(SystemText.of(number))")
            case .tooLarge:
                throw LocalFailure(
                    .tooLarge,
                    "The \(kind) \(VisibleText(path).text) is larger than \(most >> 10) KiB, the limit.")
            }
        }
    }

    /// Throws if other users can change a file or a folder.
    ///
    /// The group may have write permission if it is this user's own group, which some systems create for each user.
    private func demandOwn(_ status: stat, of path: String) throws(LocalFailure) {
        let isOwned = status.st_uid == geteuid() || status.st_uid == 0
        let isOthers =
            status.st_mode & 0o002 != 0 || status.st_mode & 0o020 != 0 && status.st_gid != getegid()
        guard !isOwned || isOthers else { return }
        let shown = VisibleText(path).text
        throw LocalFailure(
            .notAllowed,
            "Other users can change \(shown), which decides what is started here.\n"
                + "Make it yours alone: \(isOwned ? "chmod go-w" : "chown \(geteuid())") \(shown)")
    }

    private func failure(_ text: String) -> LocalFailure {
        LocalFailure(.failed, "The \(kind) \(VisibleText(path).text) \(text).")
    }
}
