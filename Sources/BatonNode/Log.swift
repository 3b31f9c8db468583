import BatonCore
import BatonNetwork
import Glibc

/// What a node tells the person who watches it, a line an event.
package struct Log {
    /// Who gets the lines.
    private let write: (String) -> Void

    package init(_ write: @escaping (String) -> Void) { self.write = write }

    /// Writes to the standard error, with the time of day in front.
    ///
    /// A terminal that was stopped, or a pipe that nobody reads, must not stop the node: then lines are left
    /// out, and the next one that gets through says how many.
    package static var standardError: Log {
        var leftOut = 0
        return Log { line in
            guard isWritable(STDERR_FILENO) else {
                leftOut += 1
                return
            }
            let gap = leftOut == 0 ? "" : "\(timeOfDay()) (\(leftOut) lines were left out)\n"
            let bytes = Array("\(gap)\(timeOfDay()) \(line.prefix(fittingBytes: lineBytes))\n".utf8)
            // Where nobody can be told, there is nobody to tell that to.
            _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
            leftOut = 0
        }
    }

    /// Tells something.
    ///
    /// What others wrote can't pass for a line of its own, or for commands to a terminal.
    func tell(_ text: String) { write(VisibleText(text).text) }

    /// The longest line: with what stands in front it fits a pipe that says that it is writable.
    private static let lineBytes = 2048

    private static func isWritable(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    private static func timeOfDay() -> String {
        var seconds = time_t(wallClock() / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
