import Support

/// A file of a disk: what processes read in it, and what of that would survive the loss of power.
struct DiskFile: Sendable {
    /// What processes read.
    private(set) var content = DiskContent()
    /// What survives for certain.
    private var synced = DiskContent()
    /// What was done since, in order; of it anything may survive.
    private var changes: [Change] = []
    /// Whether something is read that will never come to the disk.
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

    /// All that was written survives from now on, but for what was forgotten.
    mutating func sync() {
        if hasForgotten { changes.forEach { Self.apply($0, to: &synced) } } else { synced = content }
        changes = []
    }

    /// All that was written since the last sync is read on, and never comes to stand on the disk unless it is written
    /// once more: so Linux does when it could not write a page.
    mutating func forgetChanges() { (changes, hasForgotten) = ([], true) }

    private static func apply(_ change: Change, to content: inout DiskContent) {
        switch change {
        case .truncation(let count): content.truncate(to: count)
        case .write(let bytes, let offset): bytes.withUnsafeBytes { content.write($0, at: offset) }
        }
    }

    /// Makes a byte another one, for good.
    mutating func flip(at offset: Int, by bits: UInt8) {
        var byte: UInt8 = 0
        withUnsafeMutableBytes(of: &byte) { _ = content.read(at: offset, into: $0) }
        byte ^= bits
        withUnsafeBytes(of: byte) { write($0, at: offset) }
        sync()
    }

    // MARK: Losing power

    /// The file as it is found when the power is back.
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

    /// Does of a change what came to the disk: each sector by itself, and now and then one of them half.
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

/// What becomes of all that was not synced when the power goes.
package enum PowerLoss: CaseIterable, Sendable {
    /// Nothing of it is there.
    case forgets
    /// All of it is there after all.
    case keeps
    /// Of each file some of it is there: the first writes, or any; sectors of one write, and now and then rubbish in one
    /// that was just being written.
    case tears
}
