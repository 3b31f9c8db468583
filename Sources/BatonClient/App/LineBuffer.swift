package import BatonCore
import Glibc

/// Splits bytes into lines as they arrive; holds at most one line of the largest size, and the last bytes fed.
package struct LineBuffer {
    private var bytes: [UInt8] = []
    /// The number of bytes that were returned already.
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

/// The lines of a descriptor, such as the standard input, as they arrive.
package struct InputLines: ~Copyable {
    let descriptor: Int32
    private var buffer = LineBuffer()
    /// Whether the end of the input was read.
    private(set) var isOver = false

    package init(_ descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

    /// Waits for the next line; returns nil at the end.
    package mutating func next() throws(LocalFailure) -> LineBuffer.Line? {
        while true {
            if let line = arrived() { return line }
            if isOver { return nil }
            try read()
        }
    }

    /// Takes the next line of what was read already.
    mutating func arrived() -> LineBuffer.Line? { buffer.next() ?? (isOver ? buffer.rest() : nil) }

    /// Reads once, and waits for that unless something is there.
    mutating func read() throws(LocalFailure) {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            if errno == EINTR || errno == EAGAIN { return }
            throw LocalFailure(.failed, "Reading the standard input failed: \(SystemText.of(errno)).")
        }
        isOver = count == 0
        buffer.feed(bytes.prefix(count))
    }
}
