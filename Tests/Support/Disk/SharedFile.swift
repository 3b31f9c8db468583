import CSQLite

/// The locks and the memory of an open file, which all connections that have it open share.
final class SharedFile {
    let number: Int
    let disk: TestDisk
    /// The connections that have it open, each with its lock on the file.
    private var locks: [ObjectIdentifier: Int32] = [:]
    /// The connections that have its memory mapped.
    private var mappers: Set<ObjectIdentifier> = []
    private var memory: [UnsafeMutableRawPointer] = []
    /// The holders of each lock on the memory.
    private var memoryLocks = [MemoryLock](repeating: MemoryLock(), count: Int(SQLITE_SHM_NLOCK))

    private struct MemoryLock {
        var sharers: Set<ObjectIdentifier> = []
        var owner: ObjectIdentifier?
    }

    init(number: Int, on disk: TestDisk) { (self.number, self.disk) = (number, disk) }

    func join(_ user: ObjectIdentifier) { locks[user] = SQLITE_LOCK_NONE }

    func leave(_ user: ObjectIdentifier) {
        unmap(user)
        locks[user] = nil
        if locks.isEmpty { disk.close(self) }
    }

    // MARK: Locks on the file

    func lock(_ level: Int32, for user: ObjectIdentifier) -> Int32 {
        guard disk.faults.hasLocks else { return DiskCode.lock }
        let own = locks[user] ?? SQLITE_LOCK_NONE
        guard own < level else { return DiskCode.ok }
        let highest = locks.filter { $0.key != user }.values.max() ?? SQLITE_LOCK_NONE
        switch level {
        case SQLITE_LOCK_SHARED where highest >= SQLITE_LOCK_PENDING: return DiskCode.busy
        case SQLITE_LOCK_RESERVED where highest >= SQLITE_LOCK_RESERVED: return DiskCode.busy
        case SQLITE_LOCK_EXCLUSIVE where highest >= SQLITE_LOCK_PENDING: return DiskCode.busy
        case SQLITE_LOCK_EXCLUSIVE where highest >= SQLITE_LOCK_SHARED:
            // A pending lock waits for readers, and admits no new one.
            locks[user] = SQLITE_LOCK_PENDING
            return DiskCode.busy
        default:
            locks[user] = level
            return DiskCode.ok
        }
    }

    func unlock(_ level: Int32, for user: ObjectIdentifier) {
        if let own = locks[user], own > level { locks[user] = level }
    }

    var isReserved: Bool { locks.values.contains { $0 >= SQLITE_LOCK_RESERVED } }

    // MARK: Memory

    /// Returns a region of the memory, which is made if there is none and that is allowed.
    func map(_ region: Int, bytes: Int, makes: Bool, for user: ObjectIdentifier) -> UnsafeMutableRawPointer? {
        mappers.insert(user)
        while makes, memory.count <= region {
            let made = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
            made.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
            memory.append(made)
        }
        return region < memory.count ? memory[region] : nil
    }

    /// Unmaps the memory, which is removed with its last mapping.
    func unmap(_ user: ObjectIdentifier) {
        unlockMemory(memoryLocks.indices, for: user)
        mappers.remove(user)
        guard mappers.isEmpty else { return }
        for region in memory { region.deallocate() }
        memory = []
    }

    func lockMemory(_ places: Range<Int>, isShared: Bool, for user: ObjectIdentifier) -> Int32 {
        guard disk.faults.hasLocks else { return DiskCode.sharedMemoryLock }
        for place in places {
            let lock = memoryLocks[place]
            let isTaken = lock.owner.map { $0 != user } ?? false
            if isTaken || (!isShared && lock.sharers.contains { $0 != user }) { return DiskCode.busy }
        }
        for place in places {
            if isShared { memoryLocks[place].sharers.insert(user) } else { memoryLocks[place].owner = user }
        }
        return DiskCode.ok
    }

    func unlockMemory(_ places: Range<Int>, for user: ObjectIdentifier) {
        for place in places {
            memoryLocks[place].sharers.remove(user)
            if memoryLocks[place].owner == user { memoryLocks[place].owner = nil }
        }
    }
}
