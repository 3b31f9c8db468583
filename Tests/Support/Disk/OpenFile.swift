import CSQLite

/// A file as one connection of SQLite has it open.
final class OpenFile {
    private let shared: SharedFile
    /// The name that is removed when the file is closed.
    private let passingName: String?
    /// Whether the first sync also syncs the folder, because the file may be new.
    private var syncsFolder: Bool

    private init(_ shared: SharedFile, passingName: String?, syncsFolder: Bool) {
        (self.shared, self.passingName, self.syncsFolder) = (shared, passingName, syncsFolder)
        shared.join(identifier)
    }

    /// Opens a file as SQLite's flags say; nil if that is not possible.
    convenience init?(_ name: String?, _ flags: Int32, on disk: TestDisk) {
        let shared = disk.open(
            name, makes: flags & SQLITE_OPEN_CREATE != 0, isExclusive: flags & SQLITE_OPEN_EXCLUSIVE != 0)
        guard let shared else { return nil }
        let journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
        self.init(
            shared, passingName: flags & SQLITE_OPEN_DELETEONCLOSE != 0 ? name : nil,
            syncsFolder: flags & SQLITE_OPEN_CREATE != 0 && flags & journals != 0)
    }

    private var identifier: ObjectIdentifier { ObjectIdentifier(self) }
    private var disk: TestDisk { shared.disk }
    var hasSharedMemory: Bool { disk.faults.sharesMemory }
    /// The properties of the disk on which SQLite may rely.
    var characteristics: Int32 { disk.faults.harmsNeighbours ? 0 : SQLITE_IOCAP_POWERSAFE_OVERWRITE }

    func close() {
        if let passingName { _ = disk.delete(passingName, syncsFolder: false) }
        shared.leave(identifier)
    }

    // MARK: Bytes

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        disk.read(shared.number, at: offset, into: buffer)
    }

    func write(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        disk.write(shared.number, at: offset, bytes)
    }

    func truncate(to count: Int) -> Int32 { disk.truncate(shared.number, to: count) }

    func sync() -> Int32 {
        let code = disk.sync(shared.number, withFolder: syncsFolder)
        if code == DiskCode.ok { syncsFolder = false }
        return code
    }

    var count: Int { disk.count(shared.number) }

    // MARK: Locks and memory

    func lock(_ level: Int32) -> Int32 { shared.lock(level, for: identifier) }

    func unlock(_ level: Int32) -> Int32 {
        shared.unlock(level, for: identifier)
        return DiskCode.ok
    }

    var isReserved: Bool { shared.isReserved }

    func map(_ region: Int, bytes: Int, makes: Bool) -> (code: Int32, memory: UnsafeMutableRawPointer?) {
        // The memory is a file, too, which must be made.
        guard !disk.faults.isReadOnly else { return (DiskCode.cannotOpen, nil) }
        return (DiskCode.ok, shared.map(region, bytes: bytes, makes: makes, for: identifier))
    }

    func lockMemory(_ places: Range<Int>, _ flags: Int32) -> Int32 {
        guard flags & SQLITE_SHM_LOCK != 0 else {
            shared.unlockMemory(places, for: identifier)
            return DiskCode.ok
        }
        return shared.lockMemory(places, isShared: flags & SQLITE_SHM_SHARED != 0, for: identifier)
    }

    func unmap() -> Int32 {
        shared.unmap(identifier)
        return DiskCode.ok
    }
}
