package import BatonCore
import Glibc

/// The path of a file that the node is to use, which works in another folder.
package enum BackupPath {
    /// The whole path of a file that a person named from the folder they are in.
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

    /// Whether this process may make files beside that one.
    package static func isFolderWritable(of path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return access(folder, W_OK | X_OK) == 0
    }

    /// How many bytes a file has; nothing if it is not there.
    package static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
