import CLinux
import Glibc

/// Checks that a folder belongs to this user, and that no other user has access to the folder.
///
/// If another user can write to the folder of a socket, that user can replace the socket, and then receives data that
/// is meant for the node. So both the node and its clients refuse such a folder.
package enum PrivateFolder {
    /// Makes a folder, and missing folders above it, with access only for this user; existing folders are not changed.
    package static func make(_ path: String) throws(NetworkError) {
        let (result, error) = SystemCall.attempt { unsafe mkdir(path, 0o700) }
        // Another process may make the folder at the same time.
        if result == 0 || error == EEXIST { return }
        guard error == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex else {
            throw NetworkError(number: error, operation: "make the folder \(path)")
        }
        try make(String(path[..<end]))
        let (last, reason) = SystemCall.attempt { unsafe mkdir(path, 0o700) }
        guard last == 0 || reason == EEXIST else {
            throw NetworkError(number: reason, operation: "make the folder \(path)")
        }
    }

    /// Throws `.foreign` if a folder belongs to another user, is a symbolic link, or is accessible to other users.
    ///
    /// Throws `.notFound` if the folder is missing.
    package static func demand(_ path: String) throws(NetworkError) {
        let operation = "use the folder \(path)"
        var status = stat()
        try SystemCall.run(operation) { unsafe lstat(path, &status) }
        guard let problem = problem(with: status, at: path) else { return }
        throw NetworkError(.foreign, operation: operation, reason: problem)
    }

    /// Returns whether a file or folder exists and belongs to this user; a symbolic link is not followed.
    package static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// A file or folder that belongs to another user, or that other users have access to.
    package struct OpenFile: Equatable, Sendable {
        package let path: String
        /// The ID of the user that owns the file.
        package let owner: UInt32
        /// The permission bits of the file.
        package let mode: UInt32

        /// Whether the file belongs to the user of this process.
        package var isOwn: Bool { owner == geteuid() }
    }

    /// The number of levels of folders below the given path that are checked.
    private static let depth = 5

    /// Returns the first file or folder, at a path or below it, that other users own or have access to.
    ///
    /// Symbolic links below the path are not followed. The result is nil if the path does not exist. The folder
    /// `exception` is not checked.
    package static func firstOpen(at path: String, besides exception: String) -> OpenFile? {
        firstOpen(at: path, besides: exception, level: 0)
    }

    private static func firstOpen(at path: String, besides exception: String, level: Int) -> OpenFile? {
        guard path != exception else { return nil }
        var status = stat()
        let (answer, _) = SystemCall.attempt {
            unsafe level == 0 ? stat(path, &status) : lstat(path, &status)
        }
        guard answer == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFDIR || kind == S_IFREG else { return nil }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            return OpenFile(path: path, owner: status.st_uid, mode: status.st_mode & 0o7777)
        }
        guard kind == S_IFDIR, level < depth else { return nil }
        for name in FolderContents.names(in: path) {
            if let open = firstOpen(at: "\(path)/\(name)", besides: exception, level: level + 1) {
                return open
            }
        }
        return nil
    }

    /// Returns a message with the problem of a folder and the solution; nil if the folder is private.
    private static func problem(with status: stat, at path: String) -> String? {
        if status.st_mode & S_IFMT == S_IFLNK { return "it is a symbolic link. Remove it and try again" }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "it is not a folder. Remove it and try again" }
        guard status.st_uid == geteuid() else {
            return
                "it belongs to user \(status.st_uid), who could listen there in the node's place. Act as that user "
                + "(`sudo -u '#\(status.st_uid)'`), or set XDG_RUNTIME_DIR to a folder of your own "
                + "(usually /run/user/\(geteuid()))"
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            return
                "other users have access to it (mode \(mode)). Check what is in it, type `chmod go= \(path)` and try again"
        }
        return nil
    }
}
