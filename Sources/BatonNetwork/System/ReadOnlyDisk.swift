import Glibc

/// Finds disks that are mounted read-only.
package enum ReadOnlyDisk {
    /// Returns the path if it is on a read-only disk; nil if it is not.
    ///
    /// If the path does not exist, the nearest existing folder above it is checked and returned.
    package static func folder(of path: String) -> String? {
        var path = path
        while true {
            let (result, error) = SystemCall.attempt { unsafe access(path, W_OK) }
            if result < 0, error == EROFS { return path }
            guard result < 0, error == ENOENT, path != "/", path != "." else { return nil }
            path =
                path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        }
    }
}
