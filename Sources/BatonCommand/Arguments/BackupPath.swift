import BatonClient
package import BatonCore
import Glibc

/// The paths of backups, which the node must understand from its own working folder.
package enum BackupPath {
    /// Makes the path that a person typed absolute.
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

    /// Whether this process may create files in the folder of that file.
    package static func isFolderWritable(of path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return access(folder, W_OK | X_OK) == 0
    }

    /// The size of a file in bytes, or nil if there is no file.
    package static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
