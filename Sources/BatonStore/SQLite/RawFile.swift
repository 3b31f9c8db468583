import BatonCore
import CSQLite

/// A file that is read without SQLite, but through the file system that SQLite uses.
///
/// SQLite's file system for Unix closes such a file without dropping the locks that this process has on it. The system
/// call `close` would drop these locks.
@safe
final class RawFile {
    /// The handle of the open file.
    private let handle: UnsafeMutablePointer<sqlite3_file>
    /// The path in the form that SQLite's file systems expect.
    private let name: UnsafePointer<CChar>
    /// The path of the file, for error messages.
    private let path: String
    /// The number of bytes in the file.
    let byteCount: Int64

    /// Opens a file for reading.
    init(path: String, fileSystem: String?, isLog: Bool = false) throws(StoreFailure) {
        guard let system = unsafe sqlite3_vfs_find(fileSystem), let open = unsafe system.pointee.xOpen,
            let name = unsafe sqlite3_create_filename(path, "", "", 0, nil)
        else { throw StoreFailure(.failed, "\(path) can't be opened") }
        let size = max(Int(unsafe system.pointee.szOsFile), unsafe MemoryLayout<sqlite3_file>.size)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let handle = unsafe memory.assumingMemoryBound(to: sqlite3_file.self)
        var flags = SQLITE_OPEN_READONLY | (isLog ? SQLITE_OPEN_WAL : SQLITE_OPEN_MAIN_DB)
        let code = unsafe open(system, name, handle, flags, &flags)
        var count: Int64 = 0
        guard code == SQLITE_OK, let methods = unsafe handle.pointee.pMethods,
            unsafe methods.pointee.xFileSize(handle, &count) == SQLITE_OK
        else {
            unsafe Self.release(handle, name)
            throw StoreFailure(
                code: code == SQLITE_OK ? SQLITE_IOERR : code, doing: "open \(path)", detail: nil)
        }
        unsafe (self.handle, self.name) = (handle, name)
        (self.path, byteCount) = (path, count)
    }

    deinit { unsafe Self.release(handle, name) }

    /// Closes a file and frees its memory.
    private static func release(
        _ handle: UnsafeMutablePointer<sqlite3_file>, _ name: UnsafePointer<CChar>
    ) {
        if let methods = unsafe handle.pointee.pMethods { _ = unsafe methods.pointee.xClose(handle) }
        unsafe UnsafeMutableRawPointer(handle).deallocate()
        unsafe sqlite3_free_filename(name)
    }

    /// Returns `count` bytes of the file; nil if the file ends before the last of these bytes.
    func bytes(_ count: Int, at offset: Int64) throws(StoreFailure) -> [UInt8]? {
        let (end, isBeyond) = offset.addingReportingOverflow(Int64(count))
        guard !isBeyond, end <= byteCount, let methods = unsafe handle.pointee.pMethods else { return nil }
        var code = SQLITE_OK
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            code = unsafe methods.pointee.xRead(handle, buffer.baseAddress, Int32(count), offset)
            filled = count
        }
        guard code == SQLITE_OK else {
            throw StoreFailure(code: code, doing: "read \(path)", detail: nil)
        }
        return bytes
    }
}
