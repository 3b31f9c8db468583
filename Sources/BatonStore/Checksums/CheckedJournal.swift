import CSQLite

/// SQLite's journal in WAL mode, of which each frame bears a checksum that SQLite itself makes, and compares only when
/// it opens the journal; here it is compared whenever a page is read.
///
/// A checksum begins with that of the frame before, or of the head of the journal. A page that was written into a frame
/// once more has a wrong one until the transaction is committed, and so have all frames behind it.
@safe
final class CheckedJournal: CheckedFile {
    /// Room for a frame.
    private let frame = UnsafeMutableRawPointer.allocate(byteCount: frameBytes, alignment: 16)
    /// The first frame of which the checksum may not be made yet.
    private var doubtful: Int64?
    /// The frame of which the head was written last.
    private var latest: Int64?
    /// Whether numbers are added up that have their largest byte first, as the head of the journal says.
    private var isBigEndian: Bool?

    private static let headBytes: Int64 = 32
    private static let frameHeadBytes = 24
    private static let frameBytes = frameHeadBytes + DatabasePage.byteCount

    deinit { unsafe frame.deallocate() }

    override func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let (number, place) = Self.frame(at: offset)
        guard count == DatabasePage.byteCount, place == Self.frameHeadBytes,
            doubtful.map({ number < $0 }) ?? true
        else { return unsafe readUnchecked(buffer, count, at: offset) }
        let code = unsafe readUnchecked(frame, Self.frameBytes, at: offset - Int64(Self.frameHeadBytes))
        guard code == SQLITE_OK else { return code }
        let before = readSum(before: number)
        guard before.code == SQLITE_OK else { return before.code }
        let standing = unsafe bigEndianPair(frame + 16)
        guard sum(after: before.sum) == standing else { return Self.damage }
        unsafe buffer.copyMemory(from: frame + Self.frameHeadBytes, byteCount: count)
        return SQLITE_OK
    }

    override func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        if offset < Self.headBytes {
            (doubtful, latest, isBigEndian) = (nil, nil, nil)
        } else {
            let (number, place) = Self.frame(at: offset)
            if place == 0 { noteHead(of: number) } else { notePage(of: number) }
        }
        return unsafe writeUnchanged(bytes, count, at: offset)
    }

    private static func frame(at offset: Int64) -> (number: Int64, place: Int) {
        guard offset >= headBytes else { return (-1, 0) }
        let (number, place) = (offset - headBytes).quotientAndRemainder(dividingBy: Int64(frameBytes))
        return (number, Int(place))
    }

    // MARK: What may not be compared

    /// The head of a frame is written with its checksum: one that was in doubt is not any more, and one before that
    /// begins what takes the place of all that was in doubt.
    private func noteHead(of number: Int64) {
        latest = number
        guard let doubtful, number <= doubtful else { return }
        self.doubtful = number == doubtful ? number + 1 : nil
    }

    /// A page that is written without the head of its frame leaves the checksum as it was.
    private func notePage(of number: Int64) {
        guard number != latest else { return }
        doubtful = min(doubtful ?? number, number)
    }

    // MARK: Checksums

    /// Two numbers that are one checksum.
    private struct Sum: Equatable {
        var first: UInt32
        var second: UInt32
    }

    /// The checksum with which that of a frame begins.
    private func readSum(before number: Int64) -> (code: Int32, sum: Sum) {
        let none = Sum(first: 0, second: 0)
        if number == 0 || isBigEndian == nil {
            var head: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            let (code, sum, isBigEndian) = unsafe withUnsafeMutableBytes(of: &head) { bytes in
                guard let start = bytes.baseAddress else { return (SQLITE_IOERR, none, false) }
                let code = unsafe readUnchecked(start, Int(Self.headBytes), at: 0)
                return unsafe (code, bigEndianPair(start + 24), bytes[3] & 1 == 1)
            }
            guard code == SQLITE_OK else { return (code, none) }
            self.isBigEndian = isBigEndian
            if number == 0 { return (code, sum) }
        }
        var pair: UInt64 = 0
        return unsafe withUnsafeMutableBytes(of: &pair) { bytes in
            guard let start = bytes.baseAddress else { return (SQLITE_IOERR, none) }
            let offset = Self.headBytes + (number - 1) * Int64(Self.frameBytes) + 16
            let code = unsafe readUnchecked(start, 8, at: offset)
            return unsafe (code, bigEndianPair(start))
        }
    }

    private func bigEndianPair(_ place: UnsafeRawPointer) -> Sum {
        Sum(
            first: unsafe UInt32(bigEndian: place.loadUnaligned(as: UInt32.self)),
            second: unsafe UInt32(bigEndian: place.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }

    /// The checksum of the frame that was read, as SQLite's file format defines it: of the first eight bytes of its
    /// head, and of the page.
    private func sum(after before: Sum) -> Sum {
        var sum = before
        add(0..<8, to: &sum)
        add(Self.frameHeadBytes..<Self.frameBytes, to: &sum)
        return sum
    }

    private func add(_ range: Range<Int>, to sum: inout Sum) {
        let isBigEndian = isBigEndian ?? false
        var (first, second, place) = (sum.first, sum.second, range.lowerBound)
        while place < range.upperBound {
            let left = unsafe frame.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            let right = unsafe frame.loadUnaligned(fromByteOffset: place &+ 4, as: UInt32.self)
            first = first &+ second &+ (isBigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left))
            second = second &+ first &+ (isBigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right))
            place &+= 8
        }
        sum = Sum(first: first, second: second)
    }
}
