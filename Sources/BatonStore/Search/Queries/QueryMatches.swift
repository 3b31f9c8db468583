import BatonCore

/// The matches of a query that were found so far and are not grouped yet, in the order of the results.
struct QueryMatches {
    private var found: [QueryMatch] = []
    /// The numbers of the items that were found.
    ///
    /// This is used only if the results come in the order in which they are found.
    private var seen: Set<Int64> = []
    private let most: Int
    private let order: SearchOrder
    private let sorting: QueryOrder
    /// The number of matches in addition to the wanted number that are found before older items are left out.
    private let spare: Int

    /// The number of matches in addition to the wanted number that are kept.
    ///
    /// They replace matches that are deleted before the search ends.
    private static let reserve = 100
    /// The largest number of small items that are kept in memory until they are shown.
    private static let keptMost = 200

    init(_ request: QueryRequest, spare: Int) {
        (most, order, self.spare) = (request.most, request.order, spare)
        sorting = request.sorting
    }

    var count: Int { found.count }

    /// Whether the next item is kept in memory until it is shown, if it is small.
    var keepsSmall: Bool { found.count <= Self.keptMost }

    /// Returns whether a candidate at this place in the order of indexing may be among the results.
    ///
    /// If no attribute orders the results and enough matches were indexed later, the candidate can't be among them.
    func maySurpass(_ place: Int64?) -> Bool {
        guard order == .best, sorting.isEmpty, let place, found.count >= most + spare else { return true }
        return place >= found[most + spare - 1].place
    }

    /// Whether all results were found by a walk that has passed the last one of them.
    func areComplete(after walk: FactWalk) -> Bool {
        guard most > 0, found.count >= most, let key = found[most - 1].position.keys.first
        else { return false }
        return walk.hasPassed(key)
    }

    /// Inserts a match at its place.
    ///
    /// If there are then too many matches, the last one is removed.
    mutating func add(_ thing: QueryMatch, hasChanged: Bool) {
        guard order == .best else {
            if case .item(let number) = thing.name, !seen.insert(number).inserted { return }
            return found.append(thing)
        }
        // The search may find an item twice if the item has changed, or if the source of the candidates has changed.
        if hasChanged { found.removeAll { $0.name == thing.name } }
        let place = place(of: thing)
        if found.count >= most, found.count - most >= Self.reserve {
            guard place < found.count else { return }
            found.removeLast()
        }
        found.insert(thing, at: place)
    }

    /// Returns all matches, and removes them from this value.
    mutating func drain() -> [QueryMatch] {
        defer { found = [] }
        return found
    }

    /// Returns the place in `found` for a match.
    private func place(of thing: QueryMatch) -> Int {
        var (low, high) = (0, found.count)
        while low < high {
            let middle = (low + high) / 2
            if thing.position.precedes(found[middle].position, by: sorting) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
