import BatonCore

/// The surviving writes of one lane of an `InMemoryStore`, in the order in which they arrived.
///
/// Where the writes of a record stand, which of all are clears and which are not claimed is noted beside them, so that
/// nothing is looked for in the whole journal.
struct InMemoryJournal: Sendable {
    /// The last place that was ever given out, also if nothing stands there any more.
    private(set) var head = Arrival.none
    /// By their places; from time to time those are taken out at which nothing stands any more.
    private var entries: [Entry] = []
    private var emptyCount = 0
    private var places: [RecordIdentity: [Arrival]] = [:]
    private var clears: [Arrival] = []
    private var unclaimed: [Arrival] = []

    /// A place, and the write that stands there.
    private struct Entry: Equatable, Sendable {
        let arrival: Arrival
        var write: Write?
    }

    // MARK: Commands

    /// Puts what survives of a record in the place of what stood there of it.
    ///
    /// Each write keeps its place, but for the one that changed the record, which gets a new one.
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
                // What another write ended has to be told to peers who have read it already.
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

    /// The lane claims so much now, and not less than before.
    mutating func claim(_ complete: VersionVector) {
        unclaimed = unclaimed.filter { place in
            entries[index(of: place)].write.map { !complete.covers($0.dot) } ?? false
        }
    }

    /// The lane claims nothing any more.
    mutating func giveUpClaims() {
        unclaimed = entries.lazy.filter { $0.write != nil }.map(\.arrival)
    }

    private mutating func append(_ write: Write, isClaimed: Bool) {
        head = Arrival(value: head.value + 1)
        entries.append(Entry(arrival: head, write: write))
        if write.identity.kind.isClear { clears.append(head) }
        if !isClaimed { unclaimed.append(head) }
    }

    /// Nothing stands there any more.
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

    /// All that stands here.
    var writes: [Write] { entries.compactMap(\.write) }

    /// What stands behind a place, as far as the closure wants to go on.
    func forEach(after place: Arrival, _ body: (Write, Arrival) -> Bool) {
        for entry in entries[entries.firstIndex(behind: place, \.arrival)...] {
            if let write = entry.write, !body(write, entry.arrival) { return }
        }
    }

    /// The clears that stand behind a place.
    func clears(after place: Arrival) -> [(write: Write, arrival: Arrival)] {
        clears[clears.firstIndex(behind: place, \.self)...].compactMap { arrival in
            entries[index(of: arrival)].write.map { ($0, arrival) }
        }
    }

    var hasClears: Bool { !clears.isEmpty }

    /// Whether the write of that name stands here.
    func holds(_ dot: Dot) -> Bool { entries.contains { $0.write?.dot == dot } }

    /// The first place at which something stands that is not claimed.
    var firstUnclaimed: Arrival? { unclaimed.first }

    private func index(of place: Arrival) -> Int {
        entries.firstIndex(behind: Arrival(value: place.value - 1), \.arrival)
    }
}

extension InMemoryJournal: Equatable {
    /// Whether the same writes stand at the same places, from which all else follows.
    static func == (left: Self, right: Self) -> Bool {
        left.head == right.head
            && left.entries.lazy.filter { $0.write != nil }.elementsEqual(
                right.entries.lazy.filter { $0.write != nil })
    }
}

extension Array {
    /// The first element behind a place, of elements in the order of their places; the end if there is none.
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
    /// Takes out a place, if it is there.
    fileprivate mutating func remove(_ place: Arrival) {
        let index = firstIndex(behind: Arrival(value: place.value - 1), \.self)
        if index < count, self[index] == place { remove(at: index) }
    }
}
