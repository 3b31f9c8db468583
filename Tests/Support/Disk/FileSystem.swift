import CSQLite
import Glibc

extension UnsafeMutablePointer<sqlite3_vfs>? {
    /// The disk that was registered.
    fileprivate var disk: TestDisk {
        guard let data = self?.pointee.pAppData else {
            preconditionFailure("SQLite calls what was registered")
        }
        return Unmanaged<TestDisk>.fromOpaque(data).takeUnretainedValue()
    }
}

extension sqlite3_vfs {
    /// Fills in the functions that SQLite calls for a file system; each forwards the call.
    mutating func fillIn() {
        iVersion = 2
        szOsFile = Int32(MemoryLayout<FileHandle>.size)
        mxPathname = 512
        fillInFiles()
        fillInMachine()
    }

    private mutating func fillInFiles() {
        xOpen = { system, path, handle, flags, result in
            let disk = system.disk
            var flags = flags
            if disk.faults.isReadOnly, flags & SQLITE_OPEN_READWRITE != 0 {
                // SQLite's file system for Unix tries this, too.
                flags = flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY
            }
            let file = OpenFile(path.map(fileName), flags, on: disk)
            handle?.hold(file)
            result?.pointee = flags
            return file == nil ? DiskCode.cannotOpen : DiskCode.ok
        }
        xDelete = { system, path, syncsFolder in
            system.disk.delete(path.map(fileName) ?? "", syncsFolder: syncsFolder != 0)
        }
        xAccess = { system, path, flags, result in
            let disk = system.disk
            let isThere = path.map { disk.exists(fileName($0)) } ?? false
            result?.pointee = isThere && (flags != SQLITE_ACCESS_READWRITE || !disk.faults.isReadOnly) ? 1 : 0
            return DiskCode.ok
        }
        xFullPathname = { _, path, count, result in
            guard let path, let result, strlen(path) < count else { return DiskCode.cannotOpen }
            strcpy(result, path)
            return DiskCode.ok
        }
    }

    private mutating func fillInMachine() {
        xRandomness = { system, count, bytes in
            system.disk.random(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        // All connections are on one thread, so waiting for a lock would not help.
        xSleep = { _, time in time }
        xGetLastError = { _, _, _ in 0 }
        xCurrentTime = { _, time in
            time?.pointee = 2_460_000.5
            return DiskCode.ok
        }
        xCurrentTimeInt64 = { _, time in
            time?.pointee = 212_544_000_000_000
            return DiskCode.ok
        }
    }
}

/// Returns the last part of a path, because there is one folder.
private func fileName(_ path: UnsafePointer<CChar>) -> String {
    let path = String(cString: path)
    return path.split(separator: "/").last.map(String.init) ?? path
}
