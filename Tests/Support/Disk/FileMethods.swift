import CSQLite

/// SQLite's handle of an open file: the table of functions and the file.
struct FileHandle {
    var base = sqlite3_file()
    /// The file, retained until it is closed.
    var file: Unmanaged<OpenFile>?
}

extension UnsafeMutablePointer<sqlite3_file> {
    /// The handle that begins here.
    fileprivate var handle: UnsafeMutablePointer<FileHandle> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: FileHandle.self)
    }

    /// Creates the handle of a file, or of none.
    func hold(_ file: OpenFile?) {
        let methods = file.map { $0.hasSharedMemory ? FileMethods.all : FileMethods.withoutMemory }
        handle.initialize(
            to: FileHandle(
                base: sqlite3_file(pMethods: methods.map { UnsafePointer($0) }),
                file: file.map { Unmanaged.passRetained($0) }))
    }
}

extension UnsafeMutablePointer<sqlite3_file>? {
    /// The file of an open handle.
    fileprivate var file: OpenFile {
        guard let file = self?.handle.pointee.file else {
            preconditionFailure("SQLite uses files that are open")
        }
        return file.takeUnretainedValue()
    }
}

/// The functions that SQLite calls for an open file; each forwards the call.
enum FileMethods {
    // Initialized once, before it is read.
    nonisolated(unsafe) static let all = table(version: 2)
    // Initialized once, before it is read; version 1 has no shared memory.
    nonisolated(unsafe) static let withoutMemory = table(version: 1)

    private static func table(version: Int32) -> UnsafeMutablePointer<sqlite3_io_methods> {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: sqlite3_io_methods())
        table.pointee.iVersion = version
        table.pointee.fillInBytes()
        table.pointee.fillInLocks()
        table.pointee.fillInMemory()
        return table
    }
}

extension sqlite3_io_methods {
    fileprivate mutating func fillInBytes() {
        xClose = { handle in
            handle.file.close()
            handle?.handle.pointee.file?.release()
            handle?.handle.pointee.file = nil
            return DiskCode.ok
        }
        xRead = { handle, buffer, count, offset in
            handle.file.read(
                at: Int(offset), into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
        }
        xWrite = { handle, bytes, count, offset in
            handle.file.write(at: Int(offset), UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
        xTruncate = { handle, count in handle.file.truncate(to: Int(count)) }
        xSync = { handle, _ in handle.file.sync() }
        xFileSize = { handle, size in
            size?.pointee = Int64(handle.file.count)
            return DiskCode.ok
        }
        // SQLite's own file system for Unix returns the same.
        xSectorSize = { _ in 4096 }
        xDeviceCharacteristics = { handle in handle.file.characteristics }
        xFileControl = { _, _, _ in DiskCode.notFound }
    }

    fileprivate mutating func fillInLocks() {
        xLock = { handle, level in handle.file.lock(level) }
        xUnlock = { handle, level in handle.file.unlock(level) }
        xCheckReservedLock = { handle, result in
            result?.pointee = handle.file.isReserved ? 1 : 0
            return DiskCode.ok
        }
    }

    fileprivate mutating func fillInMemory() {
        xShmMap = { handle, region, bytes, makes, result in
            let (code, memory) = handle.file.map(Int(region), bytes: Int(bytes), makes: makes != 0)
            result?.pointee = memory
            return code
        }
        xShmLock = { handle, first, count, flags in
            handle.file.lockMemory(Int(first)..<Int(first + count), flags)
        }
        // All connections of a disk are on one thread.
        xShmBarrier = { _ in }
        xShmUnmap = { handle, _ in handle.file.unmap() }
    }
}
