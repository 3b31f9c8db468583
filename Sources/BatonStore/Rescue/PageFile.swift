import BatonCore

/// The pages of a database after its last complete transaction, read from the file and the journal without SQLite.
///
/// The files may contain any bytes. So a page is returned only if its checksum is right.
final class PageFile {
    /// The number of pages.
    ///
    /// The first page has the number 1.
    let count: Int
    /// The database file; nil if there is none.
    private let database: RawFile?
    /// The journal, and the offset of each page that the journal has; `log` is nil if there is no journal.
    private let log: RawFile?
    private var places: [Int: Int64] = [:]

    /// The number of bytes of a page that SQLite uses, not counting the checksum.
    static let usableBytes = DatabasePage.byteCount - DatabasePage.checksumBytes

    /// Opens the database of a lane, and the journal.
    ///
    /// If `isAlone` is true, the journal is ignored.
    init(_ files: LaneFiles, isAlone: Bool) throws(StoreFailure) {
        let (folder, path) = (files.folder, files.path)
        let database =
            folder.exists(path) ? try RawFile(path: path, fileSystem: folder.fileSystem) : nil
        self.database = database
        let pages = Int((database?.byteCount ?? 0) / Int64(DatabasePage.byteCount))
        guard !isAlone, folder.exists(path + "-wal") else {
            (log, count) = (nil, pages)
            return
        }
        let log = try RawFile(path: path + "-wal", fileSystem: folder.fileSystem, isLog: true)
        self.log = log
        let known = try LogFrames(log)
        (places, count) = (known.places, known.pageCount ?? pages)
    }

    /// Returns the content of a page; nil if the page is damaged or does not exist.
    func page(_ number: Int) throws(StoreFailure) -> [UInt8]? {
        guard 1...max(count, 1) ~= number else { return nil }
        if let log, let place = places[number] { return try log.bytes(DatabasePage.byteCount, at: place) }
        let offset = Int64(number - 1) * Int64(DatabasePage.byteCount)
        guard let page = try database?.bytes(DatabasePage.byteCount, at: offset) else { return nil }
        let isSound = unsafe page.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe DatabasePage.checksum(start, number: UInt64(number - 1))
                == DatabasePage.standingChecksum(start)
        }
        return isSound ? page : nil
    }
}

/// The pages in a journal, up to the last complete transaction.
///
/// The journal is read up to the first frame with a wrong checksum, as SQLite does.
private struct LogFrames {
    /// The offset in the journal of the latest content of each page.
    private(set) var places: [Int: Int64] = [:]
    /// The number of pages of the database after the last transaction; nil if the journal has no complete transaction.
    private(set) var pageCount: Int?

    private static let headBytes = 32
    private static let frameHeadBytes = 24

    init(_ log: RawFile) throws(StoreFailure) {
        guard let head = try log.bytes(Self.headBytes, at: 0), head.fourBytes(at: 0) & ~1 == 0x377f_0682,
            head.fourBytes(at: 8) == DatabasePage.byteCount
        else { return }
        var sum = LogSum(isBigEndian: head.fourBytes(at: 0) & 1 == 1)
        sum.add(head[..<24])
        guard sum.stands(in: head, at: 24) else { return }
        let step = Self.frameHeadBytes + DatabasePage.byteCount
        var (offset, pending): (Int64, [Int: Int64]) = (Int64(Self.headBytes), [:])
        while let frame = try log.bytes(step, at: offset) {
            sum.add(frame[..<8])
            sum.add(frame[Self.frameHeadBytes...])
            guard frame[8..<16] == head[16..<24], frame.fourBytes(at: 0) > 0, sum.stands(in: frame, at: 16)
            else {
                return
            }
            pending[frame.fourBytes(at: 0)] = offset + Int64(Self.frameHeadBytes)
            if frame.fourBytes(at: 4) > 0 {
                places.merge(pending) { $1 }
                (pageCount, pending) = (frame.fourBytes(at: 4), [:])
            }
            offset += Int64(step)
        }
    }
}

/// The checksum of a journal, as SQLite's file format defines it.
private struct LogSum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds bytes to the checksum.
    ///
    /// The number of bytes must be a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { bytes in
            var place = 0
            while place + 8 <= bytes.count {
                let left = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let right = unsafe bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                first =
                    first &+ second &+ (isBigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left))
                second =
                    second &+ first &+ (isBigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right))
                place += 8
            }
        }
    }

    /// Whether this checksum is stored in `bytes` at a place.
    func stands(in bytes: [UInt8], at place: Int) -> Bool {
        bytes.fourBytes(at: place) == Int(first) && bytes.fourBytes(at: place + 4) == Int(second)
    }
}

extension [UInt8] {
    /// Reads a big-endian number of four bytes.
    func fourBytes(at place: Int) -> Int {
        Int(self[place]) << 24 | Int(self[place + 1]) << 16 | Int(self[place + 2]) << 8 | Int(self[place + 3])
    }

    /// Reads a big-endian number of two bytes.
    func twoBytes(at place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }
}
