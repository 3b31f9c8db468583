import BatonCore

/// An item or an activity with its complete rank, before results about the same thing are joined.
///
/// It is an object because it is sorted and grouped, and copying it would take longer.
final class RankedThing {
    let subject: Subject
    let rank: ItemRank
    let names: ThingNames
    let age: ItemAge

    enum Subject {
        /// The number of an item, and the item itself, unless it is to be read again when it is shown.
        case item(Int64, StoredItem?)
        case activity(SearchedActivity)
    }

    init(subject: Subject, rank: ItemRank, names: ThingNames, age: ItemAge) {
        (self.subject, self.rank) = (subject, rank)
        (self.names, self.age) = (names, age)
    }

    /// Whether this thing comes before another one: it has a better score, or the same score and is later.
    func precedes(_ other: RankedThing) -> Bool {
        let (score, otherScore) = (rank.score, other.rank.score)
        return score == otherScore ? age.precedes(other.age) : score > otherScore
    }
}
