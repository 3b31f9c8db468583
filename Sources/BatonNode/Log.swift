import BatonCore
import BatonNetwork
import Glibc

/// The log of a node for the person who watches it, one line per event.
package struct Log {
    /// The importance of a line, with the numbers that the system's journal uses.
    package enum Weight: Int, Sendable {
        /// Something is wrong, and somebody should know.
        case trouble = 4
        /// An ordinary event.
        case event = 6
    }

    /// Called with each line.
    private let write: (Weight, String) -> Void

    package init(_ write: @escaping (String) -> Void) { self.write = { _, line in write(line) } }

    /// Logs an ordinary event.
    ///
    /// Text from elsewhere is escaped, so that it can't forge a line or send commands to a terminal.
    package func tell(_ text: String) { write(.event, VisibleText(text).text) }

    /// Logs that something is wrong.
    package func warn(_ text: String) { write(.trouble, VisibleText(text).text) }

    /// Returns a log that puts these words in front of each line.
    func prefixed(_ words: String) -> Log {
        let words = VisibleText(words).text
        return Log { [write] weight, line in write(weight, words + line) }
    }

    private init(_ write: @escaping (Weight, String) -> Void) { self.write = write }
}

extension Log {
    /// A log that writes to standard error.
    ///
    /// Each line begins with the time of day or, if the system's journal reads the stream, with the journal's prefix
    /// for the importance.
    ///
    /// A terminal that was stopped, or a pipe that nobody reads, must not stop the node: lines are dropped then, and
    /// the next line that gets through says how many.
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
            // A failure to write to the log can't be reported anywhere.
            _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
            leftOut = 0
        }
    }

    /// Whether the system's journal reads the standard error: it passes the identity of the stream to this process.
    package static var isJournal: Bool {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    /// The longest line: together with its prefix it fits into any pipe that reports itself writable.
    private static let lineBytes = 2048

    private static func isWritable(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1
    }
}
