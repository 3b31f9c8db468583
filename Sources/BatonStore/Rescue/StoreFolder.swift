package import BatonCore
import Glibc

/// The folder in which the databases of a store lie, and what is done there past SQLite.
package struct StoreFolder {
    package let path: String
    /// The file system by the name that SQLite knows it by; the usual one without.
    package let fileSystem: String?
    /// Whether there is a file of that path.
    package let exists: (String) -> Bool
    /// Gives a file another path, in place of what may be there.
    package let move: (String, String) throws(StoreFailure) -> Void
    /// Removes a file, if it is there.
    package let remove: (String) throws(StoreFailure) -> Void

    /// A folder on whatever SQLite knows by that name.
    package init(
        path: String, fileSystem: String, exists: @escaping (String) -> Bool,
        move: @escaping (String, String) throws(StoreFailure) -> Void,
        remove: @escaping (String) throws(StoreFailure) -> Void
    ) {
        (self.path, self.fileSystem) = (path, fileSystem)
        (self.exists, self.move, self.remove) = (exists, move, remove)
    }

    /// A folder of this machine.
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

    /// What was renamed stays so when the power goes.
    static func sync(_ path: String) throws(StoreFailure) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("\(path) can't be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("\(path) can't be synced") }
    }

    /// What the last error of the system means for who wanted this.
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
