package import Support

/// Everything that is on a disk at one moment; copying it is cheap.
package struct DiskImage: Sendable {
    /// Files by number; a file exists as long as it has a name or a process has it open.
    private(set) var files: [Int: DiskFile] = [:]
    /// The folder as processes see it.
    private var names: [String: Int] = [:]
    /// The folder as it would be after a power loss.
    private var syncedNames: [String: Int] = [:]
    private var lastNumber = 0

    /// Creates an empty disk.
    package init() {}

    // MARK: Commands

    /// Makes a file, which may have no name.
    mutating func create(_ name: String?) -> Int {
        lastNumber += 1
        files[lastNumber] = DiskFile()
        if let name { names[name] = lastNumber }
        return lastNumber
    }

    /// Removes the name of a file.
    mutating func remove(_ name: String) { names[name] = nil }

    /// Renames a file, replacing the one that has the new name.
    mutating func move(_ name: String, to other: String) {
        guard let number = names.removeValue(forKey: name) else { return }
        names[other] = number
    }

    /// Syncs the folder: names that were added and removed stay so.
    mutating func syncFolder() { syncedNames = names }

    /// Makes everything that was written survive, as if all had been synced.
    package mutating func settle() {
        for number in files.keys { files[number]?.sync() }
        syncFolder()
    }

    /// Changes a file.
    mutating func update(_ number: Int, _ body: (inout DiskFile) -> Void) {
        body(&files[number, default: DiskFile()])
    }

    /// Makes a file with these bytes, replacing the one that has the name.
    package mutating func put(_ bytes: [UInt8], as name: String) {
        let number = create(name)
        bytes.withUnsafeBytes { bytes in update(number) { $0.write(bytes, at: 0) } }
        settle()
    }

    /// Changes a byte of a file for good.
    package mutating func flip(_ name: String, at offset: Int, by bits: UInt8) {
        guard let number = names[name] else { return }
        update(number) { $0.flip(at: offset, by: bits) }
    }

    // MARK: Queries

    /// Returns the number of the file with a name.
    func number(of name: String) -> Int? { names[name] }

    /// The names of all files, in order.
    package var fileNames: [String] { names.keys.sorted() }

    /// Returns the size of a file in bytes; zero if there is none.
    package func count(of name: String) -> Int {
        names[name].flatMap { files[$0]?.content.count } ?? 0
    }

    /// Returns all bytes of a file.
    package func bytes(of name: String) -> [UInt8] {
        guard let number = names[name], let content = files[number]?.content else { return [] }
        return [UInt8](unsafeUninitializedCapacity: content.count) { buffer, count in
            count = content.read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// The size of all named files in bytes.
    package var count: Int { names.values.reduce(0) { $0 + (files[$1]?.content.count ?? 0) } }

    /// Returns the disk as it is after a power loss.
    package func afterPowerLoss(_ loss: PowerLoss, _ generator: inout SeededGenerator) -> DiskImage {
        var found = DiskImage()
        found.lastNumber = lastNumber
        for name in Set(names.keys).union(syncedNames.keys).sorted() {
            let isKept = loss == .keeps || (loss == .tears && generator.chance(50))
            guard let number = isKept ? names[name] : syncedNames[name] else { continue }
            found.names[name] = number
            found.files[number] = files[number]?.survivor(of: loss, &generator)
        }
        found.syncedNames = found.names
        return found
    }

    /// Returns the disk as it is after all processes ended: everything written is there.
    package var afterProcesses: DiskImage {
        var found = self
        let numbers = Set(names.values).union(syncedNames.values)
        found.files = files.filter { numbers.contains($0.key) }
        return found
    }
}
