import BatonCore

/// Splits bytes into lines as they arrive; holds at most one line of the largest size, and the last bytes fed.
package struct LineBuffer {
    private var bytes: [UInt8] = []
    /// The number of bytes that were already returned.
    private var start = 0
    /// The number of bytes that are known to contain no end of a line.
    private var seen = 0
    /// Whether the rest of a line that was too long must be skipped.
    private var isSkipping = false
    private let most: Int

    /// The longest line that a program may send, which is what fits a request to the node.
    package static let lineBytes = Limits.frameBytes

    package init(most: Int = Self.lineBytes) { self.most = most }

    package enum Line: Equatable, Sendable {
        case whole([UInt8])
        case tooLong
    }

    /// Takes bytes as they arrive.
    package mutating func feed(_ more: some Collection<UInt8>) {
        bytes.removeFirst(start)
        seen -= start
        start = 0
        bytes += more
    }

    /// Returns the next line without its end; a line that is too long is reported once, as early as possible.
    package mutating func next() -> Line? {
        while true {
            guard let end = bytes[seen...].firstIndex(of: UInt8(ascii: "\n")) else {
                seen = bytes.count
                guard bytes.count - start > most || isSkipping else { return nil }
                defer { isSkipping = true }
                (bytes, start, seen) = ([], 0, 0)
                return isSkipping ? nil : .tooLong
            }
            let line = bytes[start..<end]
            (start, seen) = (end + 1, end + 1)
            guard !isSkipping else {
                isSkipping = false
                continue
            }
            return line.count > most ? .tooLong : .whole(Array(line))
        }
    }

    /// Returns the unfinished last line at the end of the input, or nil if it is empty.
    package mutating func rest() -> Line? {
        let line = bytes[start...]
        defer { (bytes, start, seen, isSkipping) = ([], 0, 0, false) }
        return line.isEmpty || isSkipping ? nil : .whole(Array(line))
    }
}
