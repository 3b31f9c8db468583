import BatonCore
import BatonStore

/// An order in which results of two sources are joined.
enum ResultOrder {
    /// The results of words: the best rank comes first.
    case rank
    /// The results of a query, in the order of their attributes and of time.
    case query(QueryOrder)

    /// Whether a result comes before another result.
    private func precedes(_ thing: ShownThing, _ other: ShownThing) -> Bool {
        switch self {
        case .rank: return (thing.rank?.score ?? 0) > (other.rank?.score ?? 0)
        case .query(let sorting):
            guard let position = thing.position, let others = other.position else {
                return thing.position != nil
            }
            return position.precedes(others, by: sorting)
        }
    }

    /// Whether the next result comes from the second source.
    ///
    /// `first` and `second` are the next results of the two sources; nil if a source has none. If both results are
    /// equally good, the result of the first source comes first.
    func takesSecond(_ first: ShownThing?, _ second: ShownThing?) -> Bool {
        guard let second else { return false }
        return first.map { precedes(second, $0) } ?? true
    }

    /// Joins two lists that have this order, and returns at most `most` results.
    func joined(_ first: [ShownThing], _ second: [ShownThing], most: Int) -> [ShownThing] {
        var (rest, others, joined) = (first[...], second[...], [ShownThing]())
        var known = KnownThings()
        while joined.count < most {
            let next = takesSecond(rest.first, others.first) ? others.popFirst() : rest.popFirst()
            guard let next else { break }
            if known.add(next.thing) { joined.append(next) }
        }
        return joined
    }
}

/// The items and activities that a search has shown, so that no source shows them again.
///
/// Both sources may find the same activity.
struct KnownThings {
    /// Hashes of the names, which are valid only in this process.
    private var hashes: Set<Int> = []

    /// Adds the names of a thing; returns false if all of them were known.
    mutating func add(_ thing: FoundThing) -> Bool {
        Self.hashes(of: thing).reduce(false) { hashes.insert($1).inserted || $0 }
    }

    mutating func remove(_ thing: FoundThing) { hashes.subtract(Self.hashes(of: thing)) }

    private static func hashes(of thing: FoundThing) -> [Int] {
        [thing.item?.name.hashValue, thing.activity?.identifier.hashValue].compactMap(\.self)
    }
}
