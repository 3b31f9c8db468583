import BatonCore

/// The surviving writes of one lane of an `InMemoryStore`, in the order in which they arrived.
///
/// It keeps indexes of the places of each record's writes, of the clears, and of the unclaimed writes, so that no
/// search goes through the whole journal.
struct InMemoryJournal: Sendable {
    /// The last place that was ever given out, also if no write is there any more.
    private(set) var head = Arrival.none
    /// The entries by place; empty ones are removed from time to time.
    private var entries: [Entry] = []
    private var emptyCount = 0
    private var places: [RecordIdentity: [Arrival]] = [:]
    private var clears: [Arrival] = []
    private var unclaimed: [Arrival] = []

    /// A place, and its write.
    private struct Entry: Equatable, Sendable {
        let arrival: Arrival
        var write: Write?
    }

    // MARK: Commands

    /// Replaces the writes of a record by its surviving ones.
    ///
    /// Each write keeps its place, except the one that changed the record, which gets a new place.
    mutating func replace(
        _ identity: RecordIdentity, by surviving: [Write], after write: Write?,
        claiming complete: VersionVector
    ) {
        var arriving = surviving
        var kept: [Arrival] = []
        for place in places[identity] ?? [] {
            let index = index(of: place)
            guard let standing = entries[index].write else {
                preconditionFailure("a write stands at its place")
            }
            guard write?.isSame(as: standing) != true,
                let match = arriving.firstIndex(where: { $0.isSame(as: standing) }),
                // A write that another write ended must be sent to peers that have read it already.
                write == nil || arriving[match].isFull || !standing.isFull
            else {
                empty(index)
                continue
            }
            entries[index].write = arriving.remove(at: match)
            kept.append(place)
        }
        for write in arriving {
            append(write, isClaimed: complete.covers(write.dot))
            kept.append(head)
        }
        places[identity] = kept.isEmpty ? nil : kept
        if emptyCount > entries.count / 2 { removeEmpty() }
    }

    /// Sets the claims of the lane, which are not less than before.
    mutating func claim(_ complete: VersionVector) {
        unclaimed = unclaimed.filter { place in
            entries[index(of: place)].write.map { !complete.covers($0.dot) } ?? false
        }
    }

    /// Gives up all claims of the lane.
    mutating func giveUpClaims() {
        unclaimed = entries.lazy.filter { $0.write != nil }.map(\.arrival)
    }

    private mutating func append(_ write: Write, isClaimed: Bool) {
        head = Arrival(value: head.value + 1)
        entries.append(Entry(arrival: head, write: write))
        if write.identity.kind.isClear { clears.append(head) }
        if !isClaimed { unclaimed.append(head) }
    }

    /// Empties a place.
    private mutating func empty(_ index: Int) {
        let place = entries[index].arrival
        entries[index].write = nil
        emptyCount += 1
        clears.remove(place)
        unclaimed.remove(place)
    }

    private mutating func removeEmpty() {
        entries.removeAll { $0.write == nil }
        emptyCount = 0
    }

    // MARK: Queries

    /// All surviving writes.
    var writes: [Write] { entries.compactMap(\.write) }

    /// Visits the writes behind a place, until the closure returns false.
    func forEach(after place: Arrival, _ body: (Write, Arrival) -> Bool) {
        for entry in entries[entries.firstIndex(behind: place, \.arrival)...] {
            if let write = entry.write, !body(write, entry.arrival) { return }
        }
    }

    /// Returns the clears behind a place.
    func clears(after place: Arrival) -> [(write: Write, arrival: Arrival)] {
        clears[clears.firstIndex(behind: place, \.self)...].compactMap { arrival in
            entries[index(of: arrival)].write.map { ($0, arrival) }
        }
    }

    var hasClears: Bool { !clears.isEmpty }

    /// The first place with an unclaimed write.
    var firstUnclaimed: Arrival? { unclaimed.first }

    private func index(of place: Arrival) -> Int {
        entries.firstIndex(behind: Arrival(value: place.value - 1), \.arrival)
    }
}

extension InMemoryJournal: Equatable {
    /// Whether both have the same writes at the same places, from which all else follows.
    static func == (left: Self, right: Self) -> Bool {
        left.head == right.head
            && left.entries.lazy.filter { $0.write != nil }.elementsEqual(
                right.entries.lazy.filter { $0.write != nil })
    }
}

extension Array {
    /// Returns the index of the first element behind a place, of elements in the order of their places; the end if
    /// there is none.
    fileprivate func firstIndex(behind place: Arrival, _ arrival: (Element) -> Arrival) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if arrival(self[middle]) > place { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension [Arrival] {
    /// Removes a place, if it is there.
    fileprivate mutating func remove(_ place: Arrival) {
        let index = firstIndex(behind: Arrival(value: place.value - 1), \.self)
        if index < count, self[index] == place { remove(at: index) }
    }
}
