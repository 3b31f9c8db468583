import CSQLite

/// A file that SQLite has open through `CheckedFileSystem`; what is read from it is what was written, or an error.
///
/// It belongs to one connection, and so to one thread at a time.
@safe
class CheckedFile {
    /// The file of the file system below.
    fileprivate let real: UnsafeMutablePointer<sqlite3_file>

    @unsafe init(_ real: UnsafeMutablePointer<sqlite3_file>) { unsafe self.real = real }

    /// What SQLite is told of a page that is not what was written: the code exists for file systems such as this one.
    static let damage = SQLITE_IOERR | 32 << 8

    /// Reads bytes; answers with a code of SQLite.
    func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        preconditionFailure("a file is of a kind")
    }

    /// Writes bytes; answers with a code of SQLite.
    func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        preconditionFailure("a file is of a kind")
    }

    /// Reads bytes without a look at them.
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

/// A database: each of its pages bears a checksum, which is made when it is written and compared when it is read.
@safe
final class CheckedDatabase: CheckedFile {
    /// Where a page is put together that is written: the one that SQLite hands over is not ours to change.
    private let page = UnsafeMutableRawPointer.allocate(byteCount: DatabasePage.byteCount, alignment: 16)

    deinit { unsafe page.deallocate() }

    override func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let code = unsafe readUnchecked(buffer, count, at: offset)
        guard count == DatabasePage.byteCount, offset % Int64(count) == 0 else {
            // SQLite reads the beginning of the first page by itself, to learn how large pages are. If the loss of power
            // tore that page, a journal has it whole; else it is read once more, as a page.
            return code == SQLITE_OK && count >= Self.leastPageBytes ? Self.damage : code
        }
        // Behind the end of the file there is nothing; of a page that is cut SQLite would take the rest for zeros.
        guard code == SQLITE_OK else {
            let isEmpty = unsafe isEmpty(buffer)
            return code == Self.shortRead && !isEmpty ? Self.damage : code
        }
        let sum = unsafe DatabasePage.checksum(buffer, number: UInt64(offset / Int64(count)))
        return unsafe sum == DatabasePage.standingChecksum(buffer) ? SQLITE_OK : Self.damage
    }

    override func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        // Only whole pages are ever written, as all databases of a store have pages of this size.
        guard count == DatabasePage.byteCount, offset % Int64(count) == 0 else { return SQLITE_IOERR }
        unsafe page.copyMemory(from: bytes, byteCount: count)
        unsafe DatabasePage.seal(page, number: UInt64(offset / Int64(count)))
        return unsafe writeUnchanged(page, count, at: offset)
    }

    private static let shortRead = SQLITE_IOERR | 2 << 8
    /// No page of a database of SQLite has fewer bytes.
    private static let leastPageBytes = 512

    /// Whether nothing but zeros was read.
    private func isEmpty(_ buffer: UnsafeMutableRawPointer) -> Bool {
        unsafe UnsafeRawBufferPointer(start: buffer, count: DatabasePage.byteCount).allSatisfy { $0 == 0 }
    }
}
