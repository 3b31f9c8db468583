import CSQLite
import Glibc
import Support
import Synchronization

/// A disk in memory under the files of SQLite, which knows at each moment what the loss of power would leave, and fails
/// as it is told to.
///
/// SQLite finds it by the name of a virtual file system; there is one folder, whatever the paths say. It does what
/// SQLite's own file system for Unix does, on which the databases of a node lie. It belongs to one thread, and goes
/// after all connections that use it.
package final class TestDisk {
    /// The name of the virtual file system.
    package let name: String
    /// What goes wrong from now on.
    package var faults = DiskFaults() {
        didSet { counts = [:] }
    }
    /// Hears of everything that happens.
    package var observe: ((DiskEvent) -> Void)?
    /// All that is on it now.
    package private(set) var image: DiskImage
    /// How many operations were asked for since the faults were set.
    package private(set) var counts: [DiskOperation: Int] = [:]

    /// What those who have a file open share, by the number of the file.
    private var shared: [Int: SharedFile] = [:]
    private var generator: SeededGenerator
    private let system: UnsafeMutablePointer<sqlite3_vfs>
    private static let count = Atomic(0)

    /// Makes a disk that holds what the image does; the seed draws what SQLite finds random.
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

    /// Opens a file, and makes it if it is not there and may be; nothing if that can't be.
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

    /// Nobody has the file open any more.
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

    /// Gives a file another name, as a program does without SQLite; the folder is synced.
    package func move(_ name: String, to other: String) {
        image.move(name, to: other)
        observe?(.change)
        _ = syncFolder()
    }

    /// Removes a file, if it is there, as a program does without SQLite.
    package func remove(_ name: String) { _ = delete(name, syncsFolder: false) }

    /// Whether there is a file of that name.
    package func exists(_ name: String) -> Bool { image.number(of: name) != nil }

    // MARK: Files

    func read(_ number: Int, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        guard permits(.read) else { return DiskCode.read }
        let count = image.files[number]?.content.read(at: offset, into: buffer) ?? 0
        guard count < buffer.count else { return DiskCode.ok }
        // SQLite relies on this.
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return DiskCode.shortRead
    }

    /// Writes bytes; where there is no room for all, or it is to fail, those that come first.
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

    /// All that was written so far survives the loss of power from now on, as a system sees to it by itself after a
    /// while.
    package func settle() { image.settle() }

    func count(_ number: Int) -> Int { image.files[number]?.content.count ?? 0 }

    // MARK: Chance and failure

    func random(into buffer: UnsafeMutableRawBufferPointer) {
        for place in buffer.indices { buffer[place] = UInt8(truncatingIfNeeded: generator.next()) }
    }

    /// Counts an operation; false if it is to fail.
    private func permits(_ operation: DiskOperation) -> Bool {
        let count = counts[operation, default: 0]
        counts[operation] = count + 1
        guard let failure = faults.failure, failure.operation == operation else { return true }
        return failure.isLasting ? count < failure.after : count != failure.after
    }
}
