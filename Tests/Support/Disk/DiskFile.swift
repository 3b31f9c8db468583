import Support

/// A file of a disk: the bytes that processes read, and those that survive a power loss.
struct DiskFile: Sendable {
    /// The bytes that processes read.
    private(set) var content = DiskContent()
    /// The bytes that survive for certain.
    private var synced = DiskContent()
    /// The changes since then, in order; any of them may survive.
    private var changes: [Change] = []
    /// Whether processes read bytes that will never reach the disk.
    private var hasForgotten = false

    private enum Change {
        case write([UInt8], at: Int)
        case truncation(to: Int)
    }

    // MARK: Commands

    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        content.write(bytes, at: offset)
        changes.append(.write(Array(bytes), at: offset))
    }

    mutating func truncate(to count: Int) {
        content.truncate(to: count)
        changes.append(.truncation(to: count))
    }

    /// Makes everything that was written survive, except forgotten writes.
    mutating func sync() {
        if hasForgotten { changes.forEach { Self.apply($0, to: &synced) } } else { synced = content }
        changes = []
    }

    /// Forgets the writes since the last sync, as Linux does when it could not write a page.
    ///
    /// Processes still read the writes, but these never reach the disk unless they are made again.
    mutating func forgetChanges() { (changes, hasForgotten) = ([], true) }

    private static func apply(_ change: Change, to content: inout DiskContent) {
        switch change {
        case .truncation(let count): content.truncate(to: count)
        case .write(let bytes, let offset): bytes.withUnsafeBytes { content.write($0, at: offset) }
        }
    }

    /// Changes a byte for good.
    mutating func flip(at offset: Int, by bits: UInt8) {
        var byte: UInt8 = 0
        withUnsafeMutableBytes(of: &byte) { _ = content.read(at: offset, into: $0) }
        byte ^= bits
        withUnsafeBytes(of: byte) { write($0, at: offset) }
        sync()
    }

    // MARK: Losing power

    /// Returns the file as it is after a power loss.
    func survivor(of loss: PowerLoss, _ generator: inout SeededGenerator) -> DiskFile {
        var left = synced
        switch loss {
        case .forgets: break
        case .keeps: left = content
        case .tears:
            // Devices differ: some keep an order, and some do not.
            let keepsOrder = generator.chance(30)
            let last = keepsOrder ? generator.number(0...changes.count) : changes.count
            let percent = keepsOrder ? 100 : generator.pick([0, 5, 50, 95, 100])
            let sector = generator.pick([512, 4096])
            for (place, change) in changes.prefix(last).enumerated() {
                let isTorn = keepsOrder && place == last - 1
                Self.apply(change, to: &left, sector: sector, percent: isTorn ? 50 : percent, &generator)
            }
        }
        var file = DiskFile()
        (file.content, file.synced) = (left, left)
        return file
    }

    /// Applies the part of a change that reached the disk: each sector alone, and sometimes half of one.
    private static func apply(
        _ change: Change, to content: inout DiskContent, sector: Int, percent: Int,
        _ generator: inout SeededGenerator
    ) {
        switch change {
        case .truncation(let count):
            if generator.chance(percent) { content.truncate(to: count) }
        case .write(let bytes, let offset):
            var done = 0
            while done < bytes.count {
                let part = min(sector - (offset + done) % sector, bytes.count - done)
                if generator.chance(percent) {
                    let isRubbish = percent < 100 && generator.chance(5)
                    let kept = isRubbish ? generator.bytes(part...part) : Array(bytes[done..<done + part])
                    kept.withUnsafeBytes { content.write($0, at: offset + done) }
                }
                done += part
            }
        }
    }
}

/// The effect of a power loss on everything that was not synced.
package enum PowerLoss: CaseIterable, Sendable {
    /// Nothing of it survives.
    case forgets
    /// All of it survives.
    case keeps
    /// Some of it survives in each file: the first writes, or any; some sectors of a write, and sometimes garbage in a
    /// sector that was being written.
    case tears
}
