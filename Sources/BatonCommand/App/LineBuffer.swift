import BatonCore

/// Splits bytes into lines as they arrive.
///
/// The buffer holds at most one line of the maximum length, and the bytes that were fed last.
package struct LineBuffer {
    private var bytes: [UInt8] = []
    /// The offset of the first byte that was not returned yet.
    private var start = 0
    /// The offset up to which the bytes contain no newline.
    private var seen = 0
    /// Whether the rest of a line is skipped, because the line was too long.
    private var isSkipping = false
    private let most: Int

    /// The maximum length of a line that a program may send.
    ///
    /// A request to the node can't be longer.
    package static let lineBytes = Limits.frameBytes

    package init(most: Int = Self.lineBytes) { self.most = most }

    package enum Line: Equatable, Sendable {
        case whole([UInt8])
        case tooLong
    }

    /// Appends bytes to the buffer.
    package mutating func feed(_ more: some Collection<UInt8>) {
        bytes.removeFirst(start)
        seen -= start
        start = 0
        bytes += more
    }

    /// Returns the next line without its newline, or nil if no complete line has arrived.
    ///
    /// A line that is too long is reported once, as early as possible.
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

    /// Returns the last line of the input if it has no newline, or nil if there is no such line.
    package mutating func rest() -> Line? {
        let line = bytes[start...]
        defer { (bytes, start, seen, isSkipping) = ([], 0, 0, false) }
        return line.isEmpty || isSkipping ? nil : .whole(Array(line))
    }
}
