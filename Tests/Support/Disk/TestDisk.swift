import CSQLite
import Glibc
import Support
import Synchronization

/// A disk in memory for the files of SQLite, which knows at each moment what a power loss would leave, and fails on
/// demand.
///
/// SQLite finds it by the name of a virtual file system. There is one folder, whatever the paths say. It behaves as
/// SQLite's own file system for Unix, which the databases of a node use. It belongs to one thread, and is released
/// after all connections that use it.
package final class TestDisk {
    /// The name of the virtual file system.
    package let name: String
    /// The faults from now on.
    package var faults = DiskFaults() {
        didSet { counts = [:] }
    }
    /// Called at each change.
    package var observe: ((DiskEvent) -> Void)?
    /// Everything that is on the disk now.
    package private(set) var image: DiskImage
    /// The number of operations since the faults were set.
    package private(set) var counts: [DiskOperation: Int] = [:]

    /// The shared parts of open files, by the number of the file.
    private var shared: [Int: SharedFile] = [:]
    private var generator: SeededGenerator
    private let system: UnsafeMutablePointer<sqlite3_vfs>
    private static let count = Atomic(0)

    /// Creates a disk with the content of an image; the seed draws SQLite's random numbers.
    package init(_ image: DiskImage = DiskImage(), seed: UInt64 = 1) {
        (self.image, generator) = (image, SeededGenerator(seed: seed))
        name = "disk-\(Self.count.add(1, ordering: .relaxed).newValue)"
        system = .allocate(capacity: 1)
        system.initialize(to: sqlite3_vfs())
        system.pointee.zName = UnsafePointer(strdup(name))
        system.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        system.pointee.fillIn()
        let code = sqlite3_vfs_register(system, 0)
        precondition(code == SQLITE_OK, "a file system can be registered")
    }

    deinit {
        precondition(shared.isEmpty, "a disk goes after the connections that use it")
        sqlite3_vfs_unregister(system)
        free(UnsafeMutablePointer(mutating: system.pointee.zName))
        system.deallocate()
    }

    // MARK: The folder

    /// Opens a file, and makes it if there is none and that is allowed; nil if that is not possible.
    func open(_ name: String?, makes: Bool, isExclusive: Bool) -> SharedFile? {
        guard permits(.open) else { return nil }
        if let name, let number = image.number(of: name) {
            guard !isExclusive else { return nil }
            let file = shared[number] ?? SharedFile(number: number, on: self)
            shared[number] = file
            return file
        }
        guard makes, !faults.isReadOnly else { return nil }
        let file = SharedFile(number: image.create(name), on: self)
        shared[file.number] = file
        observe?(.change)
        return file
    }

    /// Closes a file that no connection has open any more.
    func close(_ file: SharedFile) {
        shared[file.number] = nil
    }

    func delete(_ name: String, syncsFolder: Bool) -> Int32 {
        guard image.number(of: name) != nil else { return DiskCode.nothingToDelete }
        guard !faults.isReadOnly, permits(.delete) else { return DiskCode.delete }
        image.remove(name)
        observe?(.change)
        return syncsFolder ? syncFolder() : DiskCode.ok
    }

    /// Renames a file, as a program does without SQLite; the folder is synced.
    package func move(_ name: String, to other: String) {
        image.move(name, to: other)
        observe?(.change)
        _ = syncFolder()
    }

    /// Removes a file, if there is one, as a program does without SQLite.
    package func remove(_ name: String) { _ = delete(name, syncsFolder: false) }

    /// Whether there is a file with this name.
    package func exists(_ name: String) -> Bool { image.number(of: name) != nil }

    // MARK: Files

    func read(_ number: Int, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        guard permits(.read) else { return DiskCode.read }
        let count = image.files[number]?.content.read(at: offset, into: buffer) ?? 0
        guard count < buffer.count else { return DiskCode.ok }
        // SQLite relies on the rest being zero.
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return DiskCode.shortRead
    }

    /// Writes bytes; if there is no room for all, or the write is to fail, only the first ones.
    func write(_ number: Int, at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard !faults.isReadOnly else { return DiskCode.readOnly }
        let size = count(number)
        var room = bytes.count
        if let capacity = faults.capacity { room = max(0, size + capacity - image.count - offset) }
        let isPermitted = permits(.write)
        let most = min(
            isPermitted ? bytes.count : bytes.count / 2, offset + bytes.count > size ? room : bytes.count)
        image.update(number) { $0.write(UnsafeRawBufferPointer(rebasing: bytes[..<most]), at: offset) }
        observe?(.change)
        guard isPermitted else { return DiskCode.write }
        return most < bytes.count ? DiskCode.full : DiskCode.ok
    }

    func truncate(_ number: Int, to count: Int) -> Int32 {
        guard !faults.isReadOnly, permits(.truncate) else { return DiskCode.truncate }
        image.update(number) { $0.truncate(to: count) }
        observe?(.change)
        return DiskCode.ok
    }

    func sync(_ number: Int, withFolder: Bool) -> Int32 {
        observe?(.beforeSync)
        guard permits(.sync) else {
            if faults.forgetsFailedSyncs { image.update(number) { $0.forgetChanges() } }
            return DiskCode.sync
        }
        if !faults.liesAboutSyncs { image.update(number) { $0.sync() } }
        observe?(.afterSync)
        return withFolder ? syncFolder() : DiskCode.ok
    }

    private func syncFolder() -> Int32 {
        observe?(.beforeSync)
        if !faults.liesAboutSyncs { image.syncFolder() }
        observe?(.afterSync)
        return DiskCode.ok
    }

    /// Makes everything that was written survive a power loss, as a system does by itself after a while.
    package func settle() { image.settle() }

    func count(_ number: Int) -> Int { image.files[number]?.content.count ?? 0 }

    // MARK: Chance and failure

    func random(into buffer: UnsafeMutableRawBufferPointer) {
        for place in buffer.indices { buffer[place] = UInt8(truncatingIfNeeded: generator.next()) }
    }

    /// Counts an operation; returns false if it is to fail.
    private func permits(_ operation: DiskOperation) -> Bool {
        let count = counts[operation, default: 0]
        counts[operation] = count + 1
        guard let failure = faults.failure, failure.operation == operation else { return true }
        return failure.isLasting ? count < failure.after : count != failure.after
    }
}
