package import BatonCore
import CSQLite
import Synchronization

/// A file system for SQLite that stands before another one, and sees to it that no byte of a database is taken for what
/// it is not: pages of databases bear checksums, and those of journals are compared.
///
/// SQLite finds it by its name for as long as it lives; connections that use it go before.
@safe
package final class CheckedFileSystem {
    /// The name by which SQLite knows it.
    package let name: String
    private let system: UnsafeMutablePointer<sqlite3_vfs>
    private static let count = Atomic(0)

    /// Stands before the file system that SQLite knows by that name, or before the usual one.
    package init(over below: String?) throws(StoreFailure) {
        guard let real = unsafe sqlite3_vfs_find(below) else {
            throw StoreFailure(.failed, "SQLite knows no file system \(below ?? "at all")")
        }
        name = "baton-\(Self.count.add(1, ordering: .relaxed).newValue)"
        let bytes = Array(name.utf8CString)
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        unsafe text.initialize(from: bytes, count: bytes.count)
        unsafe system = .allocate(capacity: 1)
        unsafe system.initialize(to: sqlite3_vfs())
        unsafe system.pointee.zName = UnsafePointer(text)
        unsafe system.pointee.fillIn(over: real)
        let code = unsafe sqlite3_vfs_register(system, 0)
        guard code == SQLITE_OK else { throw StoreFailure(code: code, doing: "register", detail: nil) }
    }

    deinit {
        unsafe sqlite3_vfs_unregister(system)
        unsafe system.pointee.zName.deallocate()
        unsafe system.deallocate()
    }
}

extension UnsafeMutablePointer<sqlite3_vfs>? {
    /// The file system below.
    fileprivate var real: UnsafeMutablePointer<sqlite3_vfs> {
        guard let data = unsafe self?.pointee.pAppData else {
            preconditionFailure("SQLite calls what was registered")
        }
        return unsafe data.assumingMemoryBound(to: sqlite3_vfs.self)
    }
}

extension sqlite3_vfs {
    /// Fills in the functions that SQLite calls; all but the opening of files are those of the file system below.
    fileprivate mutating func fillIn(over real: UnsafeMutablePointer<sqlite3_vfs>) {
        unsafe iVersion = 2
        unsafe szOsFile = Int32(CheckedHandle.byteCount) + real.pointee.szOsFile
        unsafe mxPathname = real.pointee.mxPathname
        unsafe pAppData = UnsafeMutableRawPointer(real)
        unsafe fillInFiles()
        unsafe fillInMachine()
    }

    private mutating func fillInFiles() {
        unsafe xOpen = { system, path, handle, flags, result in
            unsafe CheckedHandle.open(system.real, path, handle, flags, result)
        }
        unsafe xDelete = { system, path, syncsFolder in
            unsafe system.real.pointee.xDelete(system.real, path, syncsFolder)
        }
        unsafe xAccess = { system, path, flags, result in
            unsafe system.real.pointee.xAccess(system.real, path, flags, result)
        }
        unsafe xFullPathname = { system, path, count, result in
            unsafe system.real.pointee.xFullPathname(system.real, path, count, result)
        }
    }

    private mutating func fillInMachine() {
        unsafe xRandomness = { system, count, bytes in
            unsafe system.real.pointee.xRandomness(system.real, count, bytes)
        }
        unsafe xSleep = { system, time in unsafe system.real.pointee.xSleep(system.real, time) }
        unsafe xGetLastError = { system, count, text in
            unsafe system.real.pointee.xGetLastError(system.real, count, text)
        }
        unsafe xCurrentTime = { system, time in
            unsafe system.real.pointee.xCurrentTime(system.real, time)
        }
        unsafe xCurrentTimeInt64 = { system, time in
            unsafe system.real.pointee.xCurrentTimeInt64(system.real, time)
        }
    }
}
