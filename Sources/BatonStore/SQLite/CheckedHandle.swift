import CSQLite

/// The handle that SQLite has of an open file.
///
/// It has the table of functions and the file. In memory, the handle of the underlying file system follows.
@safe
struct CheckedHandle {
    private var base = unsafe sqlite3_file()
    /// The file, which is retained until SQLite closes it.
    fileprivate var file: Unmanaged<CheckedFile>?

    /// The size of this handle, rounded up so that the next handle is aligned for any type.
    static let byteCount = (MemoryLayout<CheckedHandle>.size + 15) / 16 * 16

    private init(_ file: CheckedFile, methods: UnsafePointer<sqlite3_io_methods>) {
        unsafe base = sqlite3_file(pMethods: methods)
        unsafe self.file = Unmanaged.passRetained(file)
    }

    /// Opens a file.
    ///
    /// A database or a write-ahead log is opened as a checked file, and any other file as the underlying file system
    /// does. If there is a cipher, a temporary file is refused.
    static func open(
        _ system: UnsafeMutablePointer<sqlite3_vfs>, _ context: CheckedContext, _ path: UnsafePointer<CChar>?,
        _ handle: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ result: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let handle = unsafe handle, let open = unsafe system.pointee.xOpen else {
            return SQLITE_CANTOPEN
        }
        guard flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) != 0 else {
            guard context.cipher == nil || flags & SQLITE_OPEN_MAIN_JOURNAL != 0 else {
                unsafe handle.pointee.pMethods = nil
                return SQLITE_CANTOPEN
            }
            return unsafe open(system, path, handle, flags, result)
        }
        let real = unsafe handle.real
        unsafe real.pointee.pMethods = nil
        unsafe handle.pointee.pMethods = nil
        let code = unsafe open(system, path, real, flags, result)
        guard let methods = unsafe real.pointee.pMethods else { return code }
        let file =
            flags & SQLITE_OPEN_WAL != 0
            ? unsafe CheckedLog(real, context) : unsafe CheckedDatabase(real, context)
        let table = unsafe methods.pointee.iVersion > 1 ? CheckedMethods.all : CheckedMethods.withoutMemory
        unsafe handle.checked.initialize(to: CheckedHandle(file, methods: table))
        return code
    }
}

extension UnsafeMutablePointer<sqlite3_file> {
    /// The checked handle at this address.
    fileprivate var checked: UnsafeMutablePointer<CheckedHandle> {
        unsafe UnsafeMutableRawPointer(self).assumingMemoryBound(to: CheckedHandle.self)
    }

    /// The handle of the underlying file system, which follows the checked handle in memory.
    fileprivate var real: UnsafeMutablePointer<sqlite3_file> {
        unsafe (UnsafeMutableRawPointer(self) + CheckedHandle.byteCount)
            .assumingMemoryBound(to: sqlite3_file.self)
    }
}

extension UnsafeMutablePointer<sqlite3_file>? {
    /// The handle of the underlying file system.
    var real: UnsafeMutablePointer<sqlite3_file> {
        guard let handle = self else { preconditionFailure("SQLite uses files that are open") }
        return unsafe handle.real
    }

    /// The functions of the underlying file.
    var below: sqlite3_io_methods { unsafe real.pointee.pMethods.pointee }

    /// The file of an open handle.
    var file: CheckedFile {
        guard let file = unsafe self?.checked.pointee.file else {
            preconditionFailure("SQLite uses files that are open")
        }
        return unsafe file.takeUnretainedValue()
    }

    /// Releases the file after SQLite has closed it.
    func release() {
        unsafe self?.checked.pointee.file?.release()
        unsafe self?.checked.pointee.file = nil
    }
}
