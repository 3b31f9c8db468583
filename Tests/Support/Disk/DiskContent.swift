/// The bytes of a file, in pieces that images share until they are changed.
struct DiskContent: Equatable, Sendable {
    /// Pieces of the same size; bytes behind the end are zero.
    private var pieces: [[UInt8]] = []
    private(set) var count = 0

    private static let pieceBytes = 4096

    // MARK: Commands

    /// Writes bytes at a place; bytes between the end and the place become zero.
    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        extend(to: offset + bytes.count)
        Self.split(offset, bytes.count) { piece, place, range in
            pieces[piece].withUnsafeMutableBytes { target in
                UnsafeMutableRawBufferPointer(rebasing: target[place..<place + range.count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }

    /// Truncates the file, or extends it by zeros.
    mutating func truncate(to count: Int) {
        guard count < self.count else { return extend(to: count) }
        self.count = count
        let (whole, rest) = count.quotientAndRemainder(dividingBy: Self.pieceBytes)
        pieces.removeLast(pieces.count - whole - (rest > 0 ? 1 : 0))
        if rest > 0 { for place in rest..<Self.pieceBytes { pieces[whole][place] = 0 } }
    }

    private mutating func extend(to count: Int) {
        guard count > self.count else { return }
        self.count = count
        let needed = (count + Self.pieceBytes - 1) / Self.pieceBytes
        while pieces.count < needed { pieces.append([UInt8](repeating: 0, count: Self.pieceBytes)) }
    }

    // MARK: Queries

    /// Reads from a place on; returns how many bytes there were.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = max(0, min(buffer.count, self.count - offset))
        Self.split(offset, count) { piece, place, range in
            pieces[piece].withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: buffer[range])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[place..<place + range.count]))
            }
        }
        return count
    }

    /// Visits the pieces that a range of bytes covers: the piece, the place in it, and which of the bytes.
    private static func split(_ offset: Int, _ count: Int, _ body: (Int, Int, Range<Int>) -> Void) {
        var done = 0
        while done < count {
            let (piece, place) = (offset + done).quotientAndRemainder(dividingBy: pieceBytes)
            let part = min(pieceBytes - place, count - done)
            body(piece, place, done..<done + part)
            done += part
        }
    }
}
