package import BatonCore
import CSQLite
import Synchronization

/// A file system for SQLite that wraps another one and detects changed bytes.
///
/// The pages of databases have checksums. In the log, SQLite's own checksums are compared whenever a page is read.
///
/// With a cipher, the pages of databases and the frames of logs are encrypted. The index of the log, which connections
/// share in memory, stays plain. It has the numbers of pages. All that it knows of their content is the checksum of the
/// last frame. SQLite's other files may have content, so they are refused, except the rollback journal. A store has a
/// rollback journal only while it creates a database, which has no content then.
///
/// The file system is registered with SQLite under its name while this object exists. All connections that use it must
/// be closed before it is released.
@safe
package final class CheckedFileSystem {
    /// The name under which the file system is registered with SQLite.
    package let name: String
    private let system: UnsafeMutablePointer<sqlite3_vfs>
    /// The underlying file system and the damage that was found.
    ///
    /// `system` has a pointer to this object.
    private let context: CheckedContext
    private static let count = Atomic(0)
    /// Turns off SQLite's memory statistics.
    ///
    /// SQLite refuses this if other code of the process has already used SQLite. The refusal does no harm.
    private static let countsNoMemory = CSQLite_count_no_memory() == SQLITE_OK

    /// Wraps the file system that is registered with SQLite under this name, or the default one if `below` is nil.
    ///
    /// `cipher` encrypts the files, which must belong to the lane; nil leaves them plain.
    package init(
        over below: String?, cipher: (any PageCipher)? = nil, lane: Lane = .index
    ) throws(StoreFailure) {
        _ = Self.countsNoMemory
        guard let real = unsafe sqlite3_vfs_find(below) else {
            throw StoreFailure(.failed, "SQLite knows no file system \(below ?? "at all")")
        }
        let context = unsafe CheckedContext(over: real, cipher.map { FileCipher($0, of: lane) })
        self.context = context
        name = "baton-\(Self.count.add(1, ordering: .relaxed).newValue)"
        let bytes = Array(name.utf8CString)
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        unsafe text.initialize(from: bytes, count: bytes.count)
        unsafe system = .allocate(capacity: 1)
        unsafe system.initialize(to: sqlite3_vfs())
        unsafe system.pointee.zName = UnsafePointer(text)
        unsafe system.pointee.fillIn(over: real, context)
        let code = unsafe sqlite3_vfs_register(system, 0)
        guard code == SQLITE_OK else { throw StoreFailure(code: code, doing: "register", detail: nil) }
    }

    /// The number of the page that was found damaged last; nil if no damage was found.
    var damagedPage: Int? { context.damagedPage }

    deinit {
        unsafe sqlite3_vfs_unregister(system)
        unsafe system.pointee.zName.deallocate()
        unsafe system.deallocate()
    }
}

/// The state that all files of a `CheckedFileSystem` share.
///
/// Only one connection uses this state, and so only one thread at a time.
@safe
final class CheckedContext {
    /// The underlying file system.
    fileprivate let real: UnsafeMutablePointer<sqlite3_vfs>
    /// The cipher of the files; nil if they are plain.
    let cipher: FileCipher?
    /// The number of the page that was found damaged last; the first page has the number 1.
    fileprivate(set) var damagedPage: Int?

    /// Wraps a file system.
    fileprivate init(over real: UnsafeMutablePointer<sqlite3_vfs>, _ cipher: FileCipher?) {
        unsafe self.real = real
        self.cipher = cipher
    }

    /// Notes a damaged page, and returns the code of SQLite for a wrong checksum.
    func recordDamagedPage(_ number: Int) -> Int32 {
        damagedPage = number
        return CheckedFile.damage
    }
}

extension UnsafeMutablePointer<sqlite3_vfs>? {
    /// The state that the files of the file system share.
    fileprivate var context: CheckedContext {
        guard let data = unsafe self?.pointee.pAppData else {
            preconditionFailure("SQLite passes the file system that was registered")
        }
        return unsafe Unmanaged<CheckedContext>.fromOpaque(data).takeUnretainedValue()
    }

    /// The underlying file system.
    fileprivate var real: UnsafeMutablePointer<sqlite3_vfs> { unsafe context.real }
}

extension sqlite3_vfs {
    /// Sets the functions that SQLite calls.
    ///
    /// All functions except `xOpen` only call the underlying file system.
    fileprivate mutating func fillIn(
        over real: UnsafeMutablePointer<sqlite3_vfs>, _ context: CheckedContext
    ) {
        unsafe iVersion = 2
        unsafe szOsFile = Int32(CheckedHandle.byteCount) + real.pointee.szOsFile
        unsafe mxPathname = real.pointee.mxPathname
        unsafe pAppData = Unmanaged.passUnretained(context).toOpaque()
        unsafe fillInFiles()
        unsafe fillInMachine()
    }

    private mutating func fillInFiles() {
        unsafe xOpen = { system, path, handle, flags, result in
            unsafe CheckedHandle.open(system.real, system.context, path, handle, flags, result)
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
