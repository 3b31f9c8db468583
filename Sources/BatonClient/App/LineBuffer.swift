import BatonCore

/// Cuts what arrives into lines; holds at most one that is as long as a line may be, and what was fed last.
package struct LineBuffer {
    private var bytes: [UInt8] = []
    /// How much of it was handed on.
    private var start = 0
    /// How much of it is known to have no end of a line.
    private var seen = 0
    /// Whether the rest of a line that was too long is on its way.
    private var isSkipping = false
    private let most: Int

    /// The longest line that a program may send: what fits a request to the node.
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

    /// The next line without its end; one that is too long is told once, as soon as that is known.
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

    /// What stands behind the last end of a line once nothing more comes; nothing if nothing does.
    package mutating func rest() -> Line? {
        let line = bytes[start...]
        defer { (bytes, start, seen, isSkipping) = ([], 0, 0, false) }
        return line.isEmpty || isSkipping ? nil : .whole(Array(line))
    }
}
