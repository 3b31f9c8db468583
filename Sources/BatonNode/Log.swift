import BatonCore
import BatonNetwork
import Glibc

/// The log of a node, for the person who watches it.
///
/// Each event is one line.
package struct Log {
    /// The level of a line.
    ///
    /// The raw values are the numbers of the system's journal.
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
    /// Control characters and invisible characters in the text are escaped. This keeps text from elsewhere from forging
    /// a line or sending commands to a terminal.
    package func tell(_ text: String) { write(.event, VisibleText(text).text) }

    /// Logs that something is wrong.
    package func warn(_ text: String) { write(.trouble, VisibleText(text).text) }

    /// Returns a log that begins each line with these words.
    func prefixed(_ words: String) -> Log {
        let words = VisibleText(words).text
        return Log { [write] weight, line in write(weight, words + line) }
    }

    private init(_ write: @escaping (Weight, String) -> Void) { self.write = write }
}

extension Log {
    /// A log that writes to standard error.
    ///
    /// Each line begins with the time of day. If the system's journal reads the stream, each line begins with the
    /// journal's prefix for the level instead.
    ///
    /// A stopped terminal, or a pipe that nobody reads, must not stop the node. In this case, lines are dropped. The
    /// next line that can be written says how many lines are missing.
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

    /// Whether the system's journal reads the standard error.
    ///
    /// The journal passes the identity of its stream to this process in an environment variable.
    package static var isJournal: Bool {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    /// The largest size of a line in bytes.
    ///
    /// With its prefix, such a line fits into any pipe that reports itself as writable.
    private static let lineBytes = 2048

    private static func isWritable(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1
    }
}
