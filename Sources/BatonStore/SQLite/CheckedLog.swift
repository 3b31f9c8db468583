import CSQLite

/// A write-ahead log of SQLite, of which each frame is checked when it is read.
///
/// SQLite writes a checksum into each frame, but compares the checksums only when it opens the log. This class compares
/// them whenever a page is read.
///
/// The checksum of a frame continues the checksum of the previous frame, and the first one continues that of the log's
/// header. If a transaction writes a page into an existing frame, the checksums from that frame on are wrong until the
/// transaction is committed.
///
/// If there is a cipher, the header and the page of a frame are encrypted each by itself, because SQLite also writes them
/// separately. The header is encrypted, too, because the checksum in it would reveal up to eight bytes of the page to
/// somebody who knows the rest. The header of the log stays plain. It has no content.
@safe
final class CheckedLog: CheckedFile {
    /// A buffer for a frame.
    private let frame = UnsafeMutableRawPointer.allocate(byteCount: frameBytes, alignment: 16)
    /// The number of the first frame whose checksum may be outdated; nil if all checksums are up to date.
    private var doubtful: Int64?
    /// The number of the frame whose header was written last, until the end of its page was written, too.
    private var unfinished: Int64?
    /// Whether the checksums are computed from big-endian numbers, which the header of the log says.
    private var isBigEndian: Bool?

    private static let headBytes: Int64 = 32
    private static let frameHeadBytes = 24
    private static let frameBytes = frameHeadBytes + DatabasePage.byteCount

    deinit { unsafe frame.deallocate() }

    override func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let (number, place) = Self.frame(at: offset)
        guard count == DatabasePage.byteCount, place == Self.frameHeadBytes,
            doubtful.map({ number < $0 }) ?? true
        else { return unsafe readDecrypted(buffer, count, at: offset) }
        let code = unsafe readDecrypted(frame, Self.frameBytes, at: offset - Int64(Self.frameHeadBytes))
        guard code == SQLITE_OK else { return code }
        let before = readSum(before: number)
        guard before.code == SQLITE_OK else { return before.code }
        let standing = unsafe bigEndianPair(frame + 16)
        guard sum(after: before.sum) == standing else {
            // The damaged frame says which page it has, but this number may be damaged, too.
            return unsafe context.recordDamagedPage(Int(bigEndianPair(frame).first))
        }
        unsafe buffer.copyMemory(from: frame + Self.frameHeadBytes, byteCount: count)
        return SQLITE_OK
    }

    override func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        if offset < Self.headBytes {
            (doubtful, unfinished, isBigEndian) = (nil, nil, nil)
        } else {
            let (number, place) = Self.frame(at: offset)
            if place == 0 { noteHead(of: number) } else { notePage(of: number, until: place + count) }
        }
        guard offset >= Self.headBytes, let cipher = context.cipher else {
            return unsafe writeUnchanged(bytes, count, at: offset)
        }
        return unsafe writeEncrypted(bytes, count, at: offset, cipher)
    }

    private static func frame(at offset: Int64) -> (number: Int64, place: Int) {
        guard offset >= headBytes else { return (-1, 0) }
        let (number, place) = (offset - headBytes).quotientAndRemainder(dividingBy: Int64(frameBytes))
        return (number, Int(place))
    }

    // MARK: Encryption

    /// Reads bytes without comparing checksums.
    ///
    /// If there is a cipher, the bytes must belong to one frame or to the header of the log. SQLite reads no others.
    private func readDecrypted(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard let cipher = context.cipher, offset >= Self.headBytes else {
            return unsafe readUnchecked(buffer, count, at: offset)
        }
        let (number, place) = Self.frame(at: offset)
        let end = place + count
        let isInHead = end <= Self.frameHeadBytes
        let first = place < Self.frameHeadBytes ? 0 : Self.frameHeadBytes
        let last = isInHead ? Self.frameHeadBytes : Self.frameBytes
        guard end <= last else { return SQLITE_IOERR }
        guard place == first, end == last else {
            // SQLite reads a checksum alone before it continues it. `frame` is not in use then.
            let start = offset - Int64(place - first)
            let code = unsafe readDecrypted(frame + first, last - first, at: start)
            unsafe buffer.copyMemory(from: frame + place, byteCount: count)
            return code
        }
        var code = unsafe readUnchecked(buffer, count, at: offset)
        if code == SQLITE_OK, first == 0 {
            code = unsafe cipher.decrypt(buffer, Self.frameHeadBytes, .frameHead, UInt64(number))
        }
        if code == SQLITE_OK, !isInHead {
            let page = unsafe buffer + (Self.frameHeadBytes - first)
            code = unsafe cipher.decrypt(page, DatabasePage.byteCount, .framePage, UInt64(number))
        }
        return code
    }

    /// Encrypts bytes and writes them into the header or into the page of a frame.
    ///
    /// SQLite writes either of them as a whole, except if the file system may change bytes beside those that are written
    /// (it has no `SQLITE_IOCAP_POWERSAFE_OVERWRITE`) and each commit is synced. Then SQLite fills the last sector of
    /// the log with copies of the last frame. It writes the header or the page around the end of the sector in two
    /// parts, with the sync in between. Here, the first part is written with old bytes or zeros in place of the second
    /// part. This only makes the checksum of that copy wrong until the second part is written, as it would be without a
    /// cipher. No commit needs the copy.
    private func writeEncrypted(
        _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64, _ cipher: FileCipher
    ) -> Int32 {
        let (number, place) = Self.frame(at: offset)
        let isHead = place < Self.frameHeadBytes
        let (first, last) = isHead ? (0, Self.frameHeadBytes) : (Self.frameHeadBytes, Self.frameBytes)
        guard place + count <= last else { return SQLITE_IOERR }
        let (piece, size) = unsafe (frame + first, last - first)
        let start = offset - Int64(place - first)
        if count < size {
            let code = unsafe readDecrypted(piece, size, at: start)
            guard code == SQLITE_OK || code == Self.shortRead else { return code }
            // The part of a piece that the file has can't be decrypted.
            if code == Self.shortRead {
                unsafe piece.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            }
        }
        unsafe (frame + place).copyMemory(from: bytes, byteCount: count)
        let code = unsafe cipher.encrypt(piece, size, isHead ? .frameHead : .framePage, UInt64(number))
        return code == SQLITE_OK ? unsafe writeUnchanged(piece, size, at: start) : code
    }

    // MARK: Frames that can't be compared yet

    /// Notes that the header of a frame was written, which includes the checksum.
    ///
    /// If this is the first doubtful frame, the next frame becomes the first doubtful one. If this is an earlier frame,
    /// the log is being overwritten from there, and no frame is doubtful.
    private func noteHead(of number: Int64) {
        unfinished = number
        guard let doubtful, number <= doubtful else { return }
        self.doubtful = number == doubtful ? number + 1 : nil
    }

    /// Notes that the page of a frame was written up to this place.
    ///
    /// The checksum of the frame is outdated until the frame's header is written, too. SQLite appends a frame by writing
    /// its header and then its page, so the page that follows its header has the right checksum.
    private func notePage(of number: Int64, until end: Int) {
        if number == unfinished {
            // The same page may be written again before another frame is appended.
            if end == Self.frameBytes { unfinished = nil }
        } else {
            doubtful = min(doubtful ?? number, number)
        }
    }

    // MARK: Checksums

    /// A checksum of SQLite's log, which is a pair of numbers.
    private struct Sum: Equatable {
        var first: UInt32
        var second: UInt32
    }

    /// Reads the checksum that the checksum of this frame continues.
    ///
    /// This is the checksum of the previous frame or, for the first frame, that of the log's header.
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
        // The whole header is read, because a part of it can't be decrypted.
        var head: (UInt64, UInt64, UInt64) = (0, 0, 0)
        return unsafe withUnsafeMutableBytes(of: &head) { bytes in
            guard let start = bytes.baseAddress else { return (SQLITE_IOERR, none) }
            let offset = Self.headBytes + (number - 1) * Int64(Self.frameBytes)
            let code = unsafe readDecrypted(start, Self.frameHeadBytes, at: offset)
            return unsafe (code, bigEndianPair(start + 16))
        }
    }

    private func bigEndianPair(_ place: UnsafeRawPointer) -> Sum {
        Sum(
            first: unsafe UInt32(bigEndian: place.loadUnaligned(as: UInt32.self)),
            second: unsafe UInt32(bigEndian: place.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }

    /// Returns the checksum of the frame in `frame`.
    ///
    /// By SQLite's file format, it covers the first eight bytes of the frame's header, and the page.
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
