import CLinux
import Glibc

/// A file of this user alone that several processes change, one at a time; the lock ends with the owner of this value.
package struct SharedFile: ~Copyable {
    private let file: FileDescriptor
    private let path: String

    /// How long to wait between two attempts to lock the file, in microseconds.
    private static let pause: UInt32 = 2000

    /// Opens a file, which is made if it is missing, and locks it; throws `.timedOut` if another process keeps it
    /// locked.
    ///
    /// The folder must belong to this user; missing folders are made.
    package init(lockedAt path: String, deadline: MonotonicTime) throws(NetworkError) {
        if let end = path.lastIndex(of: "/"), end > path.startIndex {
            try PrivateFolder.make(String(path[..<end]))
        }
        let opened = try FileDescriptor.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        let number = opened.number
        // The first byte is locked during the wait, so that a process that has just released the file can't overtake a
        // waiting one.
        try Self.wait(for: path, until: deadline) { SystemCall.attempt { CLinux_lock_first_byte(number, 1) } }
        try Self.wait(for: path, until: deadline) { SystemCall.attempt { flock(number, LOCK_EX | LOCK_NB) } }
        try SystemCall.run("unlock \(path)") { CLinux_lock_first_byte(number, 0) }
        self.path = path
        file = opened
    }

    /// Tries to lock something until that succeeds, or the time is over.
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

    /// The size of a file; 0 if there is none.
    package static func size(of path: String) -> Int {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return 0 }
        return Int(status.st_size)
    }

    /// The size of the file.
    package var size: Int {
        get throws(NetworkError) {
            var status = stat()
            let number = file.number
            try SystemCall.run("look at \(path)") { unsafe fstat(number, &status) }
            return Int(status.st_size)
        }
    }

    /// Reads `count` bytes at a place; fewer at the end of the file.
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

    /// Writes all of the bytes at a place.
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

    /// Returns once everything that was written would survive a loss of power.
    package func sync() throws(NetworkError) {
        let number = file.number
        try SystemCall.run("write \(path) to the disk") { fdatasync(number) }
    }

    /// Returns once the name of the file would survive a loss of power.
    package func syncName() throws(NetworkError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let opened = try FileDescriptor.open(folder.isEmpty ? "/" : folder, flags: O_RDONLY | O_DIRECTORY)
        let number = opened.number
        try SystemCall.run("write \(folder) to the disk") { fsync(number) }
    }

    /// Truncates the file.
    package func truncate(to size: Int) throws(NetworkError) {
        let number = file.number
        try SystemCall.run("cut \(path) off") { ftruncate(number, off_t(size)) }
    }
}
