import BatonCore

/// An item or an activity that meets a query.
///
/// It is a class because matches are moved between lists more often than they are read.
final class QueryMatch {
    let name: Name
    /// The position of the match among the results.
    let position: QueryPosition
    /// The place of the match in the order of indexing or ending (`FactTable.place(of:)`).
    let place: Int64
    /// The names by which the match is joined with others; nil for an item if there are no activities to join it with.
    let names: ThingNames?
    /// The item, if it is small enough to be kept in memory until it is shown; nil otherwise.
    let item: StoredItem?

    enum Name: Equatable {
        case item(Int64)
        case activity(RecordIdentity)
    }

    init(
        name: Name, position: QueryPosition, place: Int64, names: ThingNames?, item: StoredItem? = nil
    ) {
        (self.name, self.position, self.place) = (name, position, place)
        (self.names, self.item) = (names, item)
    }

    var isActivity: Bool { if case .activity = name { true } else { false } }
}
