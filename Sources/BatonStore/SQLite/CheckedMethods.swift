import CSQLite

/// The functions that SQLite calls for a checked file.
///
/// All functions except those for reading and writing only call the underlying file system.
@safe
enum CheckedMethods {
    // This is initialized once, before it is read.
    nonisolated(unsafe) static let all = unsafe table(version: 2)
    // This is initialized once, before it is read. Version 1 of the functions has no shared memory.
    nonisolated(unsafe) static let withoutMemory = unsafe table(version: 1)

    private static func table(version: Int32) -> UnsafePointer<sqlite3_io_methods> {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe table.initialize(to: sqlite3_io_methods())
        unsafe table.pointee.iVersion = version
        unsafe table.pointee.fillInBytes()
        unsafe table.pointee.fillInLocks()
        unsafe table.pointee.fillInMemory()
        return unsafe UnsafePointer(table)
    }

    /// SQLite's flag of a file system that can read parts of pages.
    ///
    /// Reading a part of a page would bypass its checksum.
    fileprivate static let readsPartsOfPages: Int32 = 0x8000
}

extension sqlite3_io_methods {
    fileprivate mutating func fillInBytes() {
        unsafe xClose = { handle in
            defer { unsafe handle.release() }
            return unsafe handle.below.xClose(handle.real)
        }
        unsafe xRead = { handle, buffer, count, offset in
            guard let buffer = unsafe buffer else { return SQLITE_IOERR }
            return unsafe handle.file.read(buffer, Int(count), at: offset)
        }
        unsafe xWrite = { handle, bytes, count, offset in
            guard let bytes = unsafe bytes else { return SQLITE_IOERR }
            return unsafe handle.file.write(bytes, Int(count), at: offset)
        }
        unsafe xTruncate = { handle, count in unsafe handle.below.xTruncate(handle.real, count) }
        unsafe xSync = { handle, flags in unsafe handle.below.xSync(handle.real, flags) }
        unsafe xFileSize = { handle, size in unsafe handle.below.xFileSize(handle.real, size) }
        unsafe xFileControl = { handle, operation, data in
            unsafe handle.below.xFileControl(handle.real, operation, data)
        }
        unsafe xSectorSize = { handle in unsafe handle.below.xSectorSize(handle.real) }
        unsafe xDeviceCharacteristics = { handle in
            unsafe handle.below.xDeviceCharacteristics(handle.real) & ~CheckedMethods.readsPartsOfPages
        }
    }

    fileprivate mutating func fillInLocks() {
        unsafe xLock = { handle, level in unsafe handle.below.xLock(handle.real, level) }
        unsafe xUnlock = { handle, level in unsafe handle.below.xUnlock(handle.real, level) }
        unsafe xCheckReservedLock = { handle, result in
            unsafe handle.below.xCheckReservedLock(handle.real, result)
        }
    }

    fileprivate mutating func fillInMemory() {
        unsafe xShmMap = { handle, region, bytes, makes, result in
            unsafe handle.below.xShmMap(handle.real, region, bytes, makes, result)
        }
        unsafe xShmLock = { handle, first, count, flags in
            unsafe handle.below.xShmLock(handle.real, first, count, flags)
        }
        unsafe xShmBarrier = { handle in unsafe handle.below.xShmBarrier(handle.real) }
        unsafe xShmUnmap = { handle, deletes in unsafe handle.below.xShmUnmap(handle.real, deletes) }
    }
}
