import Glibc

/// Incomplete files that remained when the process of a backup was killed.
enum BackupLeftovers {
    /// The suffix of a backup's file name while the backup is incomplete.
    static let suffix = ".baton-part"

    /// Removes the incomplete backups in a folder, whatever their names are.
    ///
    /// A file is kept if a process still writes it, which then holds a lock on the file. A file is also kept if it may
    /// be something else, or if it can't be removed. None of this makes a new backup fail.
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
