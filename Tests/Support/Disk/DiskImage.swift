package import Support

/// All that is on a disk at one moment; a copy of it is cheap.
package struct DiskImage: Sendable {
    /// Files by number; one lives as long as a name or a process has it.
    private(set) var files: [Int: DiskFile] = [:]
    /// The folder as processes see it.
    private var names: [String: Int] = [:]
    /// The folder as it would be found after the loss of power.
    private var syncedNames: [String: Int] = [:]
    private var lastNumber = 0

    /// An empty disk.
    package init() {}

    // MARK: Commands

    /// Makes a file; without a name nobody finds it again.
    mutating func create(_ name: String?) -> Int {
        lastNumber += 1
        files[lastNumber] = DiskFile()
        if let name { names[name] = lastNumber }
        return lastNumber
    }

    /// Takes the name of a file away.
    mutating func remove(_ name: String) { names[name] = nil }

    /// Gives a file another name, in place of what may have that.
    mutating func move(_ name: String, to other: String) {
        guard let number = names.removeValue(forKey: name) else { return }
        names[other] = number
    }

    /// What was made and removed in the folder stays so from now on.
    mutating func syncFolder() { syncedNames = names }

    /// All that was written survives from now on, as if everything had been synced.
    package mutating func settle() {
        for number in files.keys { files[number]?.sync() }
        syncFolder()
    }

    /// Changes a file.
    mutating func update(_ number: Int, _ body: (inout DiskFile) -> Void) {
        body(&files[number, default: DiskFile()])
    }

    /// Puts a file there with these bytes, in place of what may bear the name.
    package mutating func put(_ bytes: [UInt8], as name: String) {
        let number = create(name)
        bytes.withUnsafeBytes { bytes in update(number) { $0.write(bytes, at: 0) } }
        settle()
    }

    /// Makes a byte of a file another one, for good.
    package mutating func flip(_ name: String, at offset: Int, by bits: UInt8) {
        guard let number = names[name] else { return }
        update(number) { $0.flip(at: offset, by: bits) }
    }

    // MARK: Queries

    /// The number of the file that processes find by a name.
    func number(of name: String) -> Int? { names[name] }

    /// The names of all files, in order.
    package var fileNames: [String] { names.keys.sorted() }

    /// How many bytes a file has; none if there is no such file.
    package func count(of name: String) -> Int {
        names[name].flatMap { files[$0]?.content.count } ?? 0
    }

    /// All bytes of a file.
    package func bytes(of name: String) -> [UInt8] {
        guard let number = names[name], let content = files[number]?.content else { return [] }
        return [UInt8](unsafeUninitializedCapacity: content.count) { buffer, count in
            count = content.read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// How many bytes all files have that have a name.
    package var count: Int { names.values.reduce(0) { $0 + (files[$1]?.content.count ?? 0) } }

    /// The disk as it is found when the power is back.
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

    /// The disk as it is found when no process has anything of it any more: what was written is there.
    package var afterProcesses: DiskImage {
        var found = self
        let numbers = Set(names.values).union(syncedNames.values)
        found.files = files.filter { numbers.contains($0.key) }
        return found
    }
}
