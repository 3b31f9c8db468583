import CSQLite

/// A file that SQLite has opened through `CheckedFileSystem`.
///
/// A read returns the bytes that were written, or an error.
///
/// The file belongs to one connection, so only one thread at a time uses it.
@safe
class CheckedFile {
    /// The file of the underlying file system.
    fileprivate let real: UnsafeMutablePointer<sqlite3_file>
    /// The shared state of the file system, in which the file notes a damaged page.
    let context: CheckedContext

    @unsafe init(_ real: UnsafeMutablePointer<sqlite3_file>, _ context: CheckedContext) {
        unsafe self.real = real
        self.context = context
    }

    /// The code that SQLite defines for a page with a wrong checksum (`SQLITE_IOERR_DATA`).
    static let damage = SQLITE_IOERR | 32 << 8

    /// Reads bytes; returns a code of SQLite.
    func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        preconditionFailure("subclasses override this method")
    }

    /// Writes bytes; returns a code of SQLite.
    func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        preconditionFailure("subclasses override this method")
    }

    /// The code of SQLite for a read that ends after the end of the file.
    ///
    /// The missing bytes are zeros.
    static let shortRead = SQLITE_IOERR | 2 << 8

    /// Reads bytes from the underlying file without checking or decrypting them.
    final func readUnchecked(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard let read = unsafe real.pointee.pMethods.pointee.xRead else { return SQLITE_IOERR }
        return unsafe read(real, buffer, Int32(count), offset)
    }

    /// Writes bytes to the underlying file without changing them.
    final func writeUnchanged(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard let write = unsafe real.pointee.pMethods.pointee.xWrite else { return SQLITE_IOERR }
        return unsafe write(real, bytes, Int32(count), offset)
    }
}

/// A database file with a checksum in each page.
///
/// Writing a page computes its checksum, and reading a page compares it.
@safe
final class CheckedDatabase: CheckedFile {
    /// A buffer for a page and its checksum.
    ///
    /// Pages are copied into it before they are written, because SQLite's own buffer must not be changed.
    private let page = UnsafeMutableRawPointer.allocate(byteCount: DatabasePage.byteCount, alignment: 16)

    /// The largest known number of a page in the file; nil before this connection has written a page.
    private var largest: UInt64?

    deinit { unsafe page.deallocate() }

    override func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard count == DatabasePage.byteCount, offset % Int64(count) == 0 else {
            return unsafe readPart(buffer, count, at: offset)
        }
        let code = unsafe readUnchecked(buffer, count, at: offset)
        // Reading after the end of the file is no error. But if the file ends within the page, SQLite would use zeros
        // for the missing bytes.
        let number = Int(offset / Int64(count))
        guard code == SQLITE_OK else {
            let isEmpty = unsafe isEmpty(buffer)
            return code == Self.shortRead && !isEmpty ? context.recordDamagedPage(number + 1) : code
        }
        if let cipher = context.cipher {
            let code = unsafe cipher.decrypt(buffer, count, .page, UInt64(number))
            guard code == SQLITE_OK else { return code }
        }
        let sum = unsafe DatabasePage.checksum(buffer, number: UInt64(number))
        return unsafe sum == DatabasePage.standingChecksum(buffer)
            ? SQLITE_OK : context.recordDamagedPage(number + 1)
    }

    /// Reads bytes that are not one page.
    ///
    /// SQLite reads a few bytes of the header to learn the page size. Later, it reads the whole page from the file or
    /// from the log. If SQLite reads more bytes that are not one page, the header has a wrong page size.
    private func readPart(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        if let cipher = context.cipher { return unsafe readPart(buffer, count, at: offset, cipher) }
        let code = unsafe readUnchecked(buffer, count, at: offset)
        return code == SQLITE_OK && count >= Self.leastPageBytes ? context.recordDamagedPage(1) : code
    }

    /// Reads a few bytes of an encrypted page.
    ///
    /// The checksum of the page is not compared. SQLite reads the header without a lock when it opens the file, and
    /// another connection may write the page at that time.
    private func readPart(
        _ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64, _ cipher: FileCipher
    ) -> Int32 {
        let (number, place) = offset.quotientAndRemainder(dividingBy: Int64(DatabasePage.byteCount))
        guard count < Self.leastPageBytes, Int(place) + count <= DatabasePage.byteCount else {
            return context.recordDamagedPage(1)
        }
        let start = number * Int64(DatabasePage.byteCount)
        var code = unsafe readUnchecked(page, DatabasePage.byteCount, at: start)
        if code == SQLITE_OK {
            code = unsafe cipher.decrypt(page, DatabasePage.byteCount, .page, UInt64(number))
        }
        // A part of an encrypted page can't be decrypted. After the end of the file, SQLite expects zeros.
        guard code == SQLITE_OK || code == Self.shortRead && (unsafe isEmpty(page)) else {
            return code == Self.shortRead ? context.recordDamagedPage(Int(number) + 1) : code
        }
        unsafe buffer.copyMemory(from: page + Int(place), byteCount: count)
        return code
    }

    override func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        // SQLite writes only whole pages, and the pages of all databases of a store have this size.
        guard count == DatabasePage.byteCount, offset % Int64(count) == 0 else { return SQLITE_IOERR }
        let number = UInt64(offset / Int64(count))
        unsafe page.copyMemory(from: bytes, byteCount: count)
        if canTellTrees(with: number) { unsafe DatabasePage.eraseUnused(page, number: number) }
        unsafe DatabasePage.seal(page, number: number)
        if let cipher = context.cipher {
            let code = unsafe cipher.encrypt(page, count, .page, number)
            guard code == SQLITE_OK else { return code }
        }
        return unsafe writeUnchanged(page, count, at: offset)
    }

    /// Whether the first byte of a page says if the page belongs to a B-tree.
    ///
    /// A page that does not belong to a B-tree begins with the number of another page. In a database of up to 128 GiB,
    /// the first byte of such a number is 0 or 1, which no page of a B-tree begins with.
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

    /// Half of the number of pages in 128 GiB.
    ///
    /// The number of a page that is not in the file yet is less than twice the largest number in the file.
    private static let pagesOfTrees: UInt64 = 1 << 24

    /// The number of bytes in SQLite's smallest page.
    private static let leastPageBytes = 512

    /// Whether the buffer has only zeros.
    private func isEmpty(_ buffer: UnsafeMutableRawPointer) -> Bool {
        unsafe UnsafeRawBufferPointer(start: buffer, count: DatabasePage.byteCount).allSatisfy { $0 == 0 }
    }
}
