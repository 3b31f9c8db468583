import BatonCore

/// An item or an activity, and its complete rank, before results about the same thing are joined.
///
/// It is a class because ranked things are sorted and grouped, and copying a large value would take longer.
final class RankedThing {
    let subject: Subject
    let rank: ItemRank
    let names: ThingNames
    let age: ItemAge

    enum Subject {
        /// The number of an item, and the item itself; the item is nil if it is read again when it is shown.
        case item(Int64, StoredItem?)
        case activity(SearchedActivity)
    }

    init(subject: Subject, rank: ItemRank, names: ThingNames, age: ItemAge) {
        (self.subject, self.rank) = (subject, rank)
        (self.names, self.age) = (names, age)
    }

    /// Whether this thing comes before another thing.
    ///
    /// The thing with the better score comes first. If the scores are equal, the later thing comes first.
    func precedes(_ other: RankedThing) -> Bool {
        let (score, otherScore) = (rank.score, other.rank.score)
        return score == otherScore ? age.precedes(other.age) : score > otherScore
    }
}
