import BatonCore

/// The things found so far that were not grouped, in the order of the results.
struct QueryMatches {
    private var found: [QueryMatch] = []
    /// The numbers of the items that were found, if they come as they are found.
    private var seen: Set<Int64> = []
    private let most: Int
    private let order: SearchOrder
    /// The number of things besides those wanted that are found before older items are left out.
    private let spare: Int

    /// The items that are kept besides those wanted, in the place of those that are gone at the end.
    private static let reserve = 100
    /// The most small items that are kept until the end.
    private static let keptMost = 200

    init(_ request: QueryRequest, spare: Int) {
        (most, order, self.spare) = (request.most, request.order, spare)
    }

    var count: Int { found.count }

    /// Whether the next item is kept until the end if it is small.
    var keepsSmall: Bool { found.count <= Self.keptMost }

    /// Whether a candidate at a place may be among the results: those that were indexed later are not enough.
    func maySurpass(_ place: Int64?) -> Bool {
        guard order == .best, let place, found.count >= most + spare else { return true }
        return place >= found[most + spare - 1].place
    }

    /// Adds a thing in its place; of more things than are wanted, the last is dropped.
    mutating func add(_ thing: QueryMatch, hasChanged: Bool) {
        guard order == .best else {
            if case .item(let number) = thing.name, !seen.insert(number).inserted { return }
            return found.append(thing)
        }
        // The search comes to an item again if it has changed, or if the search begins anew.
        if hasChanged { found.removeAll { $0.name == thing.name } }
        let place = place(of: thing.age)
        if found.count >= most, found.count - most >= Self.reserve {
            guard place < found.count else { return }
            found.removeLast()
        }
        found.insert(thing, at: place)
    }

    /// Returns what was found, and begins anew.
    mutating func drain() -> [QueryMatch] {
        defer { found = [] }
        return found
    }

    /// Returns where a thing of this age stands among those that were found.
    private func place(of age: ItemAge) -> Int {
        var (low, high) = (0, found.count)
        while low < high {
            let middle = (low + high) / 2
            if age.precedes(found[middle].age) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
