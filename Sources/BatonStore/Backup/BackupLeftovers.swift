import Glibc

/// Unfinished files of backups that were killed, in folders where other backups are written.
enum BackupLeftovers {
    /// The end of a backup's name until the backup is whole.
    static let suffix = ".baton-part"

    /// Removes the unfinished backups in a folder, whatever their names.
    ///
    /// A process that still writes a backup holds a lock on its file. Files that may be something else, and files that
    /// can't be removed, are kept; neither of them makes a new backup fail.
    static func clear(in folder: String) {
        guard let stream = unsafe opendir(folder) else { return }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(suffix) { names.append(name) }
        }
        for name in names { remove("\(folder)/\(name)") }
    }

    private static func remove(_ path: String) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        var first = [UInt8](repeating: 0, count: BackupPiece.mark.count)
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_nlink == 1, flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            unsafe pread(descriptor, &first, first.count, 0) == first.count, first == BackupPiece.mark
        else { return }
        unsafe unlink(path)
    }
}
