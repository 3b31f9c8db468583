import BatonCore

/// All that was ever kept in a world as written there, or told to others before, against which the nodes are judged.
final class Ledger {
    /// In the order of writing.
    private(set) var entries: [Entry] = []
    /// Of a life in which two machines write, a dot may name several.
    private var places: [Dot: [Int]] = [:]
    private var clears: [Write] = []
    /// Which lives follow which.
    private(set) var lineage = Lineage()
    /// The full writes that nobody adopted, by what their traces have in common with them.
    private var openings: [Incarnation: Write] = [:]

    private struct Incarnation: Hashable {
        let identity: RecordIdentity, stamp: Stamp
    }

    /// One write, and what is known of who made it.
    struct Entry {
        var write: Write
        /// Where it was made, and by which device.
        let author: Int
        let at: Instant
        /// What its author claimed before.
        let seen: VersionVector
        /// Whether it was kept where it was made, and not only told to others before that.
        var isKept = true
        /// Whether who made it was told that it is kept.
        var isAcknowledged = false
        /// Whether every copy went with a loss that may take it.
        var isLost = false
        /// Whether it was given up on purpose, so that nobody has it.
        var isWaived = false
        /// Whether who made it was told that it does not count.
        var isOutranked = false
        /// The opening that it takes the place of, where a device wrote it anew after a snapshot.
        var renews: Dot?
        /// Whether it belongs to an app's batch, whose acknowledged end survives the loss of power.
        var isOfBatch = false
    }

    // MARK: Commands

    /// A write was kept where it was made, or others were told of it before; false if its dot names another one already.
    func enter(_ entry: Entry) -> Bool {
        let others = places[entry.write.dot] ?? []
        if let same = others.first(where: { entries[$0].write == entry.write }) {
            if entry.isKept {
                (entries[same].isKept, entries[same].isOfBatch) = (true, entry.isOfBatch)
                entries[same].isOutranked = entry.isOutranked
            }
            return true
        }
        places[entry.write.dot, default: []].append(entries.count)
        entries.append(entry)
        if entry.write.identity.kind.isClear { clears.append(entry.write) }
        if let succession = Succession(Record(entry.write)) {
            lineage.note(succession.origin, following: succession.follows)
        }
        if entry.write.isFull, !entry.write.isAdopted {
            openings[Incarnation(identity: entry.write.identity, stamp: entry.write.stamp)] = entry.write
        }
        return others.isEmpty
    }

    /// Who made them was told that they are kept.
    func acknowledge(_ writes: [Write]) {
        for write in writes {
            for place in places[write.dot] ?? [] where entries[place].write == write {
                entries[place].isAcknowledged = true
            }
        }
    }

    /// Marks those as lost of which nobody has anything; answers how many acknowledged ones went.
    func forget(unless isHeld: (Write) -> Bool) -> Int {
        var count = 0
        for place in entries.indices where !entries[place].isLost && !isHeld(entries[place].write) {
            entries[place].isLost = true
            if entries[place].isAcknowledged { count += 1 }
        }
        return count
    }

    /// A write was given up on purpose.
    func waive(_ dot: Dot) {
        for place in places[dot] ?? [] { (entries[place].isLost, entries[place].isWaived) = (true, true) }
    }

    // MARK: Queries

    subscript(dot: Dot) -> Entry? { places[dot]?.first.map { entries[$0] } }

    /// The full write that began an incarnation.
    func opening(of identity: RecordIdentity, at stamp: Stamp) -> Write? {
        openings[Incarnation(identity: identity, stamp: stamp)]
    }

    /// Whether a write that arrived is what its author wrote, or what is left of that.
    func knows(_ write: Write) -> Bool {
        guard let original = self[write.dot]?.write, original.identity == write.identity,
            original.stamp == write.stamp
        else { return false }
        switch (write.action, original.action) {
        case (.partial(let base, let fields), .partial(let other, let all)):
            return base == other && fields.isWithin(all)
        case (.count(let begun, let content), .count(let other, let all)):
            return begun == other && content.scope == all.scope && content.fields.isWithin(all.fields)
        case (.deletion, .full(let content)):
            return clears.contains { Record($0).clear?.covers(content.scope, original.stamp) ?? false }
        default:
            return write.action == original.action
        }
    }
}

extension Fields {
    /// Whether the other has all of these.
    fileprivate func isWithin(_ other: Fields) -> Bool { allSatisfy { other[$0.name] == Array($0.value) } }
}
