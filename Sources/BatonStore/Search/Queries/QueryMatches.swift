import BatonCore

/// The things found so far that are not grouped yet, in the order of the results.
struct QueryMatches {
    private var found: [QueryMatch] = []
    /// The numbers of the items that were found, if the results come in the order of finding.
    private var seen: Set<Int64> = []
    private let most: Int
    private let order: SearchOrder
    /// How many things are found in addition to those wanted before older items are left out.
    private let spare: Int

    /// How many items are kept in addition to those wanted, to replace items that are gone when the search ends.
    private static let reserve = 100
    /// The most small items that are kept until the search ends.
    private static let keptMost = 200

    init(_ request: QueryRequest, spare: Int) {
        (most, order, self.spare) = (request.most, request.order, spare)
    }

    var count: Int { found.count }

    /// Whether the next item is kept until the search ends, if it is small.
    var keepsSmall: Bool { found.count <= Self.keptMost }

    /// Whether a candidate at a place may be among the results: not if enough matches were indexed later.
    func maySurpass(_ place: Int64?) -> Bool {
        guard order == .best, let place, found.count >= most + spare else { return true }
        return place >= found[most + spare - 1].place
    }

    /// Adds a thing in its place; if there are more things than are kept, the last is dropped.
    mutating func add(_ thing: QueryMatch, hasChanged: Bool) {
        guard order == .best else {
            if case .item(let number) = thing.name, !seen.insert(number).inserted { return }
            return found.append(thing)
        }
        // The search comes to an item twice if the item has changed, or if the search begins again.
        if hasChanged { found.removeAll { $0.name == thing.name } }
        let place = place(of: thing.age)
        if found.count >= most, found.count - most >= Self.reserve {
            guard place < found.count else { return }
            found.removeLast()
        }
        found.insert(thing, at: place)
    }

    /// Returns the things that were found, and removes them.
    mutating func drain() -> [QueryMatch] {
        defer { found = [] }
        return found
    }

    /// Returns the place that a thing of this age has among those that were found.
    private func place(of age: ItemAge) -> Int {
        var (low, high) = (0, found.count)
        while low < high {
            let middle = (low + high) / 2
            if age.precedes(found[middle].age) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
