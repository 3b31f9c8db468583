import BatonCore

/// An item or an activity that is ranked by all that counts, before those about the same thing are joined.
///
/// It is an object because it is sorted and grouped, and copies would take longer than that.
final class RankedThing {
    let subject: Subject
    let rank: ItemRank
    let names: ThingNames
    let age: ItemAge

    enum Subject {
        /// The number of an item, and the item itself unless it is read again if it is shown.
        case item(Int64, StoredItem?)
        case activity(SearchedActivity)
    }

    init(subject: Subject, rank: ItemRank, names: ThingNames, age: ItemAge) {
        (self.subject, self.rank) = (subject, rank)
        (self.names, self.age) = (names, age)
    }

    /// Whether this one comes first: it is better, or as good and came later.
    func precedes(_ other: RankedThing) -> Bool {
        let (score, otherScore) = (rank.score, other.rank.score)
        return score == otherScore ? age.precedes(other.age) : score > otherScore
    }
}
