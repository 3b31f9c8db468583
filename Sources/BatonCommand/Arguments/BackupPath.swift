import BatonClient
package import BatonCore
import Glibc

/// Handles the paths of backups.
///
/// The node has another working folder, so it needs absolute paths.
package enum BackupPath {
    /// Makes a path absolute that a person typed, relative to the current folder.
    package static func whole(_ path: String) throws(LocalFailure) -> String {
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw LocalFailure(.usage, "“\(path)” is not the name of a file.")
        }
        guard !path.hasPrefix("/") else { return path }
        guard let folder = getcwd(nil, 0) else {
            throw LocalFailure(.failed, "The current folder can't be found: \(SystemText.of(errno)).")
        }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Whether this process may create files in the folder that contains the path.
    package static func isFolderWritable(of path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return access(folder, W_OK | X_OK) == 0
    }

    /// The size of a file in bytes, or nil if the file does not exist.
    package static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
