import CSQLite

/// What SQLite keeps of a file that is open: the table of functions, and the file; behind it stands what the file
/// system below keeps.
@safe
struct CheckedHandle {
    private var base = unsafe sqlite3_file()
    /// Held until it is closed.
    fileprivate var file: Unmanaged<CheckedFile>?

    /// How many bytes stand before those of the file system below, which begin where anything may.
    static let byteCount = (MemoryLayout<CheckedHandle>.size + 15) / 16 * 16

    private init(_ file: CheckedFile, methods: UnsafePointer<sqlite3_io_methods>) {
        unsafe base = sqlite3_file(pMethods: methods)
        unsafe self.file = Unmanaged.passRetained(file)
    }

    /// Opens a file: a database or a journal in WAL mode to be checked, any other as the file system below does.
    static func open(
        _ system: UnsafeMutablePointer<sqlite3_vfs>, _ path: UnsafePointer<CChar>?,
        _ handle: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ result: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let handle = unsafe handle, let open = unsafe system.pointee.xOpen else {
            return SQLITE_CANTOPEN
        }
        guard flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) != 0 else {
            return unsafe open(system, path, handle, flags, result)
        }
        let real = unsafe handle.real
        unsafe real.pointee.pMethods = nil
        unsafe handle.pointee.pMethods = nil
        let code = unsafe open(system, path, real, flags, result)
        guard let methods = unsafe real.pointee.pMethods else { return code }
        let file =
            flags & SQLITE_OPEN_WAL != 0 ? unsafe CheckedJournal(real) : unsafe CheckedDatabase(real)
        let table = unsafe methods.pointee.iVersion > 1 ? CheckedMethods.all : CheckedMethods.withoutMemory
        unsafe handle.checked.initialize(to: CheckedHandle(file, methods: table))
        return code
    }
}

extension UnsafeMutablePointer<sqlite3_file> {
    /// The handle that begins here.
    fileprivate var checked: UnsafeMutablePointer<CheckedHandle> {
        unsafe UnsafeMutableRawPointer(self).assumingMemoryBound(to: CheckedHandle.self)
    }

    /// What the file system below keeps.
    fileprivate var real: UnsafeMutablePointer<sqlite3_file> {
        unsafe (UnsafeMutableRawPointer(self) + CheckedHandle.byteCount)
            .assumingMemoryBound(to: sqlite3_file.self)
    }
}

extension UnsafeMutablePointer<sqlite3_file>? {
    /// What the file system below keeps.
    var real: UnsafeMutablePointer<sqlite3_file> {
        guard let handle = self else { preconditionFailure("SQLite uses files that are open") }
        return unsafe handle.real
    }

    /// The functions of the file system below.
    var below: sqlite3_io_methods { unsafe real.pointee.pMethods.pointee }

    /// The file of a handle that was opened.
    var file: CheckedFile {
        guard let file = unsafe self?.checked.pointee.file else {
            preconditionFailure("SQLite uses files that are open")
        }
        return unsafe file.takeUnretainedValue()
    }

    /// Lets go of the file, which is closed.
    func release() {
        unsafe self?.checked.pointee.file?.release()
        unsafe self?.checked.pointee.file = nil
    }
}
