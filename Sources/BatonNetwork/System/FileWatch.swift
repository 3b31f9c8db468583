import CLinux
import Glibc

/// Reports when a program has written to a file and closed it, and when the file was removed.
package struct FileWatch: ~Copyable {
    private let queue: FileDescriptor
    private let path: String

    /// The changes of a file after the last call of `changes()`.
    package struct Changes: Equatable, Sendable {
        package var isWritten = false
        package var isRemoved = false
    }

    /// Watches a file, which must exist.
    package init(_ path: String) throws(NetworkError) {
        let number = try SystemCall.run("watch \(path)") {
            inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        }
        let queue = FileDescriptor(owning: number)
        let asked = UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ATTRIB)
        let watched = queue.number
        try SystemCall.run("watch \(path)") { unsafe inotify_add_watch(watched, path, asked) }
        self.queue = queue
        self.path = path
    }

    /// The descriptor to poll; it is readable when there are changes.
    package var descriptor: Int32 { queue.number }

    /// Returns the changes since the last call.
    package func changes() -> Changes {
        var changes = Changes()
        var buffer = [UInt8](repeating: 0, count: 4096)
        let number = queue.number
        while true {
            let (count, _) = SystemCall.attempt { unsafe read(number, &buffer, 4096) }
            guard count > 0 else { return changes }
            // In each event, the kinds are at offset 4, and the length of the name is at offset 12.
            var place = 0
            while place + 16 <= count {
                let word = { (at: Int) in
                    (0..<4).reduce(UInt32(0)) { $0 | UInt32(buffer[at + $1]) << UInt32(8 * $1) }
                }
                let kinds = word(place + 4)
                if kinds & UInt32(IN_CLOSE_WRITE) != 0 { changes.isWritten = true }
                if kinds & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 {
                    changes.isRemoved = true
                }
                // If a program still has the file open, removing the file at first removes only its name.
                if kinds & UInt32(IN_ATTRIB) != 0, unsafe access(path, F_OK) != 0 { changes.isRemoved = true }
                place += 16 + Int(word(place + 12))
            }
        }
    }
}
