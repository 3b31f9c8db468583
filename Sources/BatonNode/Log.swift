import BatonCore
import BatonNetwork
import Glibc

/// What a node tells the person who watches it, a line an event.
package struct Log {
    /// How much a line matters, by the numbers that the system's journal has for it.
    package enum Weight: Int, Sendable {
        /// Something is wrong, and somebody should know.
        case trouble = 4
        /// How it went.
        case event = 6
    }

    /// Who gets the lines.
    private let write: (Weight, String) -> Void

    package init(_ write: @escaping (String) -> Void) { self.write = { _, line in write(line) } }

    /// Tells something.
    ///
    /// What others wrote can't pass for a line of its own, or for commands to a terminal.
    package func tell(_ text: String) { write(.event, VisibleText(text).text) }

    /// Tells of something that is wrong.
    package func warn(_ text: String) { write(.trouble, VisibleText(text).text) }

    /// The same, with words in front of each line.
    func prefixed(_ words: String) -> Log {
        let words = VisibleText(words).text
        return Log { [write] weight, line in write(weight, words + line) }
    }

    private init(_ write: @escaping (Weight, String) -> Void) { self.write = write }
}

extension Log {
    /// Writes to the standard error: with the time of day in front, or, where the system's journal reads it, with what
    /// it takes for the weight of a line.
    ///
    /// A terminal that was stopped, or a pipe that nobody reads, must not stop the node: then lines are left
    /// out, and the next one that gets through says how many.
    package static var standardError: Log {
        var leftOut = 0
        let isJournal = isJournal
        return Log { weight, line in
            guard isWritable(STDERR_FILENO) else {
                leftOut += 1
                return
            }
            let head = isJournal ? "<\(weight.rawValue)>" : WallTime.now.local.timeOfDay + " "
            let gap = leftOut == 0 ? "" : "\(head)(\(leftOut) lines were left out)\n"
            let bytes = Array("\(gap)\(head)\(line.prefix(fittingBytes: lineBytes))\n".utf8)
            // Where nobody can be told, there is nobody to tell that to.
            _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
            leftOut = 0
        }
    }

    /// Whether the system's journal reads the standard error: it says which stream it gave to this process.
    package static var isJournal: Bool {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    /// The longest line: with what stands in front it fits a pipe that says that it is writable.
    private static let lineBytes = 2048

    private static func isWritable(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1
    }
}
