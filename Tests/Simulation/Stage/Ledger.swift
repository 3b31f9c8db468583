import BatonCore

/// Every write that was ever stored in a world where it was made, or sent to others before.
///
/// The nodes are judged by it.
final class Ledger {
    /// The entries in the order of writing.
    private(set) var entries: [Entry] = []
    /// The indexes of entries by dot; a dot of a life in which two machines write may name several.
    private var places: [Dot: [Int]] = [:]
    private var clears: [Write] = []
    /// The lineage of all lives.
    private(set) var lineage = Lineage()
    /// The full writes that nobody adopted, by the properties that their tombstones share with them.
    private var openings: [Incarnation: Write] = [:]

    private struct Incarnation: Hashable {
        let identity: RecordIdentity, stamp: Stamp
    }

    /// A write, and the facts about its making.
    struct Entry {
        var write: Write
        /// The node that made it, and its device.
        let author: Int
        let at: Instant
        /// The vector that its author claimed before.
        let seen: VersionVector
        /// Whether it was stored where it was made, and not only sent to others before that.
        var isKept = true
        /// Whether its writer was told that it is stored.
        var isAcknowledged = false
        /// Whether every copy was taken by losses that may take it.
        var isLost = false
        /// Whether it was given up on purpose, so that nobody has it.
        var isWaived = false
        /// Whether its writer was told that it does not count.
        var isOutranked = false
        /// The opening that it replaces, where a device wrote it anew after a snapshot.
        var renews: Renewed?
        /// Whether it belongs to an app's batch, whose acknowledged end survives a power loss.
        var isOfBatch = false
    }

    /// An opening that a device wrote anew.
    struct Renewed {
        let dot: Dot
        /// The claims of the device and of the sender of the snapshot at that moment.
        ///
        /// A deletion that neither of the two had is older than the renewed write, and does not end it.
        let known: VersionVector
    }

    // MARK: Commands

    /// Enters a write that was stored where it was made, or sent to others before; returns false if its dot names
    /// another write already.
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
            lineage.recordOrigin(succession.origin, following: succession.follows)
        }
        if entry.write.isFull, !entry.write.isAdopted {
            openings[Incarnation(identity: entry.write.identity, stamp: entry.write.stamp)] = entry.write
        }
        return others.isEmpty
    }

    /// Marks writes whose writer was told that they are stored.
    func acknowledge(_ writes: [Write]) {
        for write in writes {
            for place in places[write.dot] ?? [] where entries[place].write == write {
                entries[place].isAcknowledged = true
            }
        }
    }

    /// Marks as lost the writes of which nobody holds anything; returns how many acknowledged ones were lost.
    func forget(unless isHeld: (Write) -> Bool) -> Int {
        var count = 0
        for place in entries.indices where !entries[place].isLost && !isHeld(entries[place].write) {
            entries[place].isLost = true
            if entries[place].isAcknowledged { count += 1 }
        }
        return count
    }

    /// Marks a write as given up on purpose.
    func waive(_ dot: Dot) {
        for place in places[dot] ?? [] { (entries[place].isLost, entries[place].isWaived) = (true, true) }
    }

    // MARK: Queries

    subscript(dot: Dot) -> Entry? { places[dot]?.first.map { entries[$0] } }

    /// Returns the full write that began an incarnation.
    func opening(of identity: RecordIdentity, at stamp: Stamp) -> Write? {
        openings[Incarnation(identity: identity, stamp: stamp)]
    }

    /// Returns whether an arriving write is what its author wrote, or what is left of that.
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
    /// Returns whether the other fields include all of these.
    fileprivate func isWithin(_ other: Fields) -> Bool { allSatisfy { other[$0.name] == Array($0.value) } }
}
