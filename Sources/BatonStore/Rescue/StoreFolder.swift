package import BatonCore
import Glibc

/// The folder of a store's databases, and the operations on files that SQLite does not offer.
package struct StoreFolder {
    package let path: String
    /// The name of the file system in SQLite; nil for the default one.
    package let fileSystem: String?
    /// Whether there is a file with this path.
    package let exists: (String) -> Bool
    /// Renames a file, and replaces a file that already has the new name.
    package let move: (String, String) throws(StoreFailure) -> Void
    /// Removes a file, if it exists.
    package let remove: (String) throws(StoreFailure) -> Void

    /// Describes a folder on the file system that is registered with SQLite under this name.
    package init(
        path: String, fileSystem: String, exists: @escaping (String) -> Bool,
        move: @escaping (String, String) throws(StoreFailure) -> Void,
        remove: @escaping (String) throws(StoreFailure) -> Void
    ) {
        (self.path, self.fileSystem) = (path, fileSystem)
        (self.exists, self.move, self.remove) = (exists, move, remove)
    }

    /// Describes a folder of this machine.
    package init(path: String) {
        (self.path, fileSystem) = (path, nil)
        exists = { unsafe access($0, F_OK) == 0 }
        move = { (from, to) throws(StoreFailure) in
            guard unsafe rename(from, to) == 0 else {
                throw Self.failure("\(from) can't be renamed to \(to)")
            }
            try Self.sync(path)
        }
        remove = { (path) throws(StoreFailure) in
            guard unsafe unlink(path) != 0, errno != ENOENT else { return }
            throw Self.failure("\(path) can't be removed")
        }
    }

    /// Syncs a folder to the disk, so that renamed files are still renamed after a power loss.
    package static func sync(_ path: String) throws(StoreFailure) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("\(path) can't be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("\(path) can't be synced") }
    }

    /// Creates a failure from the last error of the system (`errno`).
    package static func failure(_ text: String) -> StoreFailure {
        let reason = errno
        let code: StoreFailure.Code =
            switch reason {
            case ENOSPC, EDQUOT: .full
            case EROFS: .readOnly
            default: .failed
            }
        return StoreFailure(code, "\(text): \(unsafe String(cString: strerror(reason)))")
    }
}
