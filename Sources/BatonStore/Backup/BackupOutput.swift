package import BatonCore
import Glibc

/// Writes a backup to a file.
///
/// The file gets its final name when it is complete and synced to the disk.
///
/// Until then, the name of the file ends in `.baton-part`. If the backup fails, the file is removed. If the process is
/// killed, the next backup to the same folder removes the file.
package final class BackupOutput: BackupSink {
    private let path: String
    private let part: String
    private let replaces: Bool
    private let descriptor: Int32
    /// Whether the `.baton-part` file belongs to this backup and is not complete yet.
    private var isUnderWay = false

    /// Begins the file.
    ///
    /// An existing backup at `path` is replaced only if `replaces` is true.
    package init(path: String, replaces: Bool) throws(StoreFailure) {
        (self.path, self.replaces, part) = (path, replaces, path + BackupLeftovers.suffix)
        guard path.hasPrefix("/"), !path.hasSuffix("/") else {
            throw StoreFailure(.failed, "\(path) is not the path of a file")
        }
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw StoreFailure(.failed, "\(path) exists and is not a file")
            }
            guard replaces else { throw Self.isThere(path) }
        }
        // If a backup was killed just after it gave its file the final name, the `.baton-part` name of the file still
        // exists.
        if unsafe lstat(part, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1,
            status.st_uid == geteuid()
        {
            unsafe unlink(part)
        }
        BackupLeftovers.clear(in: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/")
        descriptor = unsafe Glibc.open(part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw StoreFolder.failure("\(part) can't be made") }
        try begin()
    }

    deinit {
        if isUnderWay { unsafe unlink(part) }
        close(descriptor)
    }

    /// Locks the `.baton-part` file, checks that it is no foreign file, and empties it.
    ///
    /// Throws if another process is writing the file.
    private func begin() throws(StoreFailure) {
        var (status, named) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            // Another process may just have finished the file, renamed it and released its lock. The file is then a
            // complete backup.
            unsafe lstat(part, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev
        else { throw StoreFailure(.locked, "another backup is being written to \(path)") }
        // Root can also open another user's file, and that user would then own the backup.
        guard status.st_uid == geteuid() else {
            throw StoreFailure(.failed, "\(part) belongs to another user; move it away")
        }
        var first = [UInt8](repeating: 0, count: BackupPiece.mark.count)
        let count = unsafe pread(descriptor, &first, first.count, 0)
        guard count >= 0, first.prefix(count) == BackupPiece.mark.prefix(count) else {
            throw StoreFailure(.failed, "\(part) is in the way; move it away")
        }
        isUnderWay = true
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            throw StoreFolder.failure("\(part) can't be begun")
        }
    }

    package func write(_ bytes: [UInt8]) throws(StoreFailure) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreFolder.failure("\(part) can't be written") }
            written += count
        }
    }

    /// Syncs the complete file, and gives it its final name.
    package func end() throws(StoreFailure) {
        guard fsync(descriptor) == 0 else { throw StoreFolder.failure("\(part) can't be synced") }
        if replaces {
            guard unsafe rename(part, path) == 0 else { throw nameFailure }
        } else if unsafe link(part, path) == 0 {
            unsafe unlink(part)
        } else {
            guard errno != EEXIST else { throw Self.isThere(path) }
            // Some file systems have no hard links, for example those of memory cards.
            guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw nameFailure }
            guard unsafe access(path, F_OK) != 0 else { throw Self.isThere(path) }
            guard unsafe rename(part, path) == 0 else { throw nameFailure }
        }
        isUnderWay = false
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
        try StoreFolder.sync(folder)
    }

    private var nameFailure: StoreFailure { StoreFolder.failure("\(part) can't be renamed to \(path)") }

    private static func isThere(_ path: String) -> StoreFailure {
        StoreFailure(.failed, "\(path) already exists; use --force to replace it")
    }
}
