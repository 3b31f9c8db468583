import CSQLite

/// A file that SQLite has open through `CheckedFileSystem`; reading it returns what was written, or an error.
///
/// It belongs to one connection, and so to one thread at a time.
@safe
class CheckedFile {
    /// The file of the underlying file system.
    fileprivate let real: UnsafeMutablePointer<sqlite3_file>
    /// Learns which page is damaged.
    let context: CheckedContext

    @unsafe init(_ real: UnsafeMutablePointer<sqlite3_file>, _ context: CheckedContext) {
        unsafe self.real = real
        self.context = context
    }

    /// SQLite's code, made for file systems with checksums, for a page that differs from what was written.
    static let damage = SQLITE_IOERR | 32 << 8

    /// Reads bytes; returns a code of SQLite.
    func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        preconditionFailure("subclasses override this method")
    }

    /// Writes bytes; returns a code of SQLite.
    func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        preconditionFailure("subclasses override this method")
    }

    /// Reads bytes without checking them.
    final func readUnchecked(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard let read = unsafe real.pointee.pMethods.pointee.xRead else { return SQLITE_IOERR }
        return unsafe read(real, buffer, Int32(count), offset)
    }

    /// Writes bytes as they are.
    final func writeUnchanged(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard let write = unsafe real.pointee.pMethods.pointee.xWrite else { return SQLITE_IOERR }
        return unsafe write(real, bytes, Int32(count), offset)
    }
}

/// A database whose pages have checksums, which are made on writing and compared on reading.
@safe
final class CheckedDatabase: CheckedFile {
    /// A buffer for a page with its checksum; SQLite's own buffer must not be changed.
    private let page = UnsafeMutableRawPointer.allocate(byteCount: DatabasePage.byteCount, alignment: 16)

    /// The largest number of a page that the file is known to have; nil before the first page is written.
    private var largest: UInt64?

    deinit { unsafe page.deallocate() }

    override func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let code = unsafe readUnchecked(buffer, count, at: offset)
        guard count == DatabasePage.byteCount, offset % Int64(count) == 0 else {
            // A short read is SQLite looking at the header, to learn the size of pages; the page is read again as a
            // whole, or the log has it. A longer read that is not one page means that the header has a wrong page size.
            return code == SQLITE_OK && count >= Self.leastPageBytes ? context.recordDamagedPage(1) : code
        }
        // Reading past the end of the file is no error, but SQLite would take the missing rest of a cut page for zeros.
        let number = Int(offset / Int64(count))
        guard code == SQLITE_OK else {
            let isEmpty = unsafe isEmpty(buffer)
            return code == Self.shortRead && !isEmpty ? context.recordDamagedPage(number + 1) : code
        }
        let sum = unsafe DatabasePage.checksum(buffer, number: UInt64(number))
        return unsafe sum == DatabasePage.standingChecksum(buffer)
            ? SQLITE_OK : context.recordDamagedPage(number + 1)
    }

    override func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        // SQLite writes only whole pages, and all databases of a store have pages of this size.
        guard count == DatabasePage.byteCount, offset % Int64(count) == 0 else { return SQLITE_IOERR }
        let number = UInt64(offset / Int64(count))
        unsafe page.copyMemory(from: bytes, byteCount: count)
        if canTellTrees(with: number) { unsafe DatabasePage.eraseUnused(page, number: number) }
        unsafe DatabasePage.seal(page, number: number)
        return unsafe writeUnchanged(page, count, at: offset)
    }

    /// Whether the first byte of a page tells if the page belongs to a B-tree.
    ///
    /// Any other page begins with the number of a page, whose first byte is 0 or 1 in a database of up to 128 GiB.
    private func canTellTrees(with number: UInt64) -> Bool {
        if largest == nil {
            var count: Int64 = 0
            guard let size = unsafe real.pointee.pMethods.pointee.xFileSize,
                unsafe size(real, &count) == SQLITE_OK
            else { return false }
            largest = UInt64(count) / UInt64(DatabasePage.byteCount)
        }
        let now = max(largest ?? 0, number)
        largest = now
        return now < Self.pagesOfTrees
    }

    /// Half of the pages in 128 GiB, because a page that is not in the file yet has a number below twice the largest
    /// one.
    private static let pagesOfTrees: UInt64 = 1 << 24

    private static let shortRead = SQLITE_IOERR | 2 << 8
    /// The number of bytes in SQLite's smallest page.
    private static let leastPageBytes = 512

    /// Whether only zeros were read.
    private func isEmpty(_ buffer: UnsafeMutableRawPointer) -> Bool {
        unsafe UnsafeRawBufferPointer(start: buffer, count: DatabasePage.byteCount).allSatisfy { $0 == 0 }
    }
}
