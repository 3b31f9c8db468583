package import BatonCore
import BatonNetwork
import Glibc

extension Home {
    /// Refuses a home in which any file belongs to another user, or may be read or written by others.
    ///
    /// Other users could get the keys of this device, or everything that all devices do. A home that does not exist yet
    /// is fine.
    package func demandPrivacy() throws(LocalFailure) {
        var status = stat()
        if stat(data, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw LocalFailure(.failed, "\(data) is not a folder, so it can't be a home.")
        }
        guard let path = firstOpen(data, depth: 0) else { return }
        throw LocalFailure(
            .failed,
            "\(path) belongs to another user, or others have access to it; its content is private.\n"
                + "Type `chmod -R go= \(Self.quoted(data))`, and check with `ls -la` whose it is.")
    }

    /// How deep the folders of a home are nested, including those that a person puts beside them; deeper folders are
    /// not checked.
    private static let depth = 5

    /// Returns the first file or folder below a path that others may use; symbolic links in it are not followed.
    private func firstOpen(_ path: String, depth: Int) -> String? {
        var status = stat()
        let answer = depth == 0 ? stat(path, &status) : lstat(path, &status)
        guard answer == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFDIR || kind == S_IFREG else { return nil }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { return path }
        guard kind == S_IFDIR, depth < Self.depth else { return nil }
        for name in FolderContents.names(in: path) {
            if let open = firstOpen("\(path)/\(name)", depth: depth + 1) { return open }
        }
        return nil
    }

    /// Returns a path as one word for a shell.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        return isPlain
            ? path
            : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
                + "'"
    }
}
