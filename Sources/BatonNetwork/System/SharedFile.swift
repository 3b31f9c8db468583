import CLinux
import Glibc

/// A file that several processes of this user change, one process at a time.
///
/// The file is locked as long as this value exists.
package struct SharedFile: ~Copyable {
    private let file: FileDescriptor
    private let path: String

    /// How long to wait between two attempts to lock the file, in microseconds.
    private static let pause: UInt32 = 2000

    /// Opens a file, and locks it; throws `.timedOut` if another process keeps it locked until the deadline.
    ///
    /// A missing file or folder is created. The folder must belong to this user.
    package init(lockedAt path: String, deadline: MonotonicTime) throws(NetworkError) {
        if let end = path.lastIndex(of: "/"), end > path.startIndex {
            try PrivateFolder.make(String(path[..<end]))
        }
        let opened = try FileDescriptor.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        let number = opened.number
        // The first byte is locked while a process waits. So a process that has just released the file can't get the
        // lock again before a waiting process.
        try Self.wait(for: path, until: deadline) { SystemCall.attempt { CLinux_lock_first_byte(number, 1) } }
        try Self.wait(for: path, until: deadline) { SystemCall.attempt { flock(number, LOCK_EX | LOCK_NB) } }
        try SystemCall.run("unlock \(path)") { CLinux_lock_first_byte(number, 0) }
        self.path = path
        file = opened
    }

    /// Tries repeatedly to get a lock, until it succeeds or the deadline passes.
    private static func wait(
        for path: String, until deadline: MonotonicTime, _ attempt: () -> (Int32, Int32)
    ) throws(NetworkError) {
        while true {
            let (result, error) = attempt()
            if result == 0 { return }
            guard error == EWOULDBLOCK || error == EACCES else {
                throw NetworkError(number: error, operation: "lock \(path)")
            }
            guard MonotonicTime.now < deadline else {
                throw NetworkError(number: ETIMEDOUT, operation: "lock \(path)")
            }
            usleep(pause)
        }
    }

    /// Returns the size of the file at a path; 0 if there is no file.
    package static func size(of path: String) -> Int {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return 0 }
        return Int(status.st_size)
    }

    /// The size of this file.
    package var size: Int {
        get throws(NetworkError) {
            var status = stat()
            let number = file.number
            try SystemCall.run("look at \(path)") { unsafe fstat(number, &status) }
            return Int(status.st_size)
        }
    }

    /// Reads `count` bytes at an offset; fewer bytes at the end of the file.
    package func read(_ count: Int, at place: Int) throws(NetworkError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var portion = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 20))
            let (number, from) = (file.number, off_t(place + bytes.count))
            let most = portion.count
            let read = try SystemCall.run("read \(path)") { unsafe pread(number, &portion, most, from) }
            guard read > 0 else { break }
            bytes += portion.prefix(read)
        }
        return bytes
    }

    /// Writes all bytes at an offset.
    package func write(_ bytes: [UInt8], at place: Int) throws(NetworkError) {
        var done = 0
        while done < bytes.count {
            let (number, to) = (file.number, off_t(place + done))
            let rest = bytes[done...]
            let (count, error) = unsafe rest.withUnsafeBytes { rest in
                SystemCall.attempt { unsafe pwrite(number, rest.baseAddress, rest.count, to) }
            }
            guard count >= 0 else { throw NetworkError(number: error, operation: "write to \(path)") }
            done += count
        }
    }

    /// Waits until everything that was written would survive a loss of power.
    package func sync() throws(NetworkError) {
        let number = file.number
        try SystemCall.run("write \(path) to the disk") { fdatasync(number) }
    }

    /// Waits until the name of the file in its folder would survive a loss of power.
    package func syncName() throws(NetworkError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let opened = try FileDescriptor.open(folder.isEmpty ? "/" : folder, flags: O_RDONLY | O_DIRECTORY)
        let number = opened.number
        try SystemCall.run("write \(folder) to the disk") { fsync(number) }
    }

    /// Changes the size of the file; a smaller size removes the bytes at the end.
    package func truncate(to size: Int) throws(NetworkError) {
        let number = file.number
        try SystemCall.run("cut \(path) off") { ftruncate(number, off_t(size)) }
    }
}
