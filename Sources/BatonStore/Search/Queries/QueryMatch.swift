import BatonCore

/// A thing that meets a query; it is an object because it is moved between lists more often than it is read.
final class QueryMatch {
    let name: Name
    let age: ItemAge
    /// Its place among facts by the time when it was indexed or ended.
    let place: Int64
    /// The names by which it is joined with others; nil for an item that no activity can be joined with.
    let names: ThingNames?
    /// The item, if the match is an item small enough to be kept until the search ends.
    let item: StoredItem?

    enum Name: Equatable {
        case item(Int64)
        case activity(RecordIdentity)
    }

    init(name: Name, age: ItemAge, place: Int64, names: ThingNames?, item: StoredItem? = nil) {
        (self.name, self.age, self.place) = (name, age, place)
        (self.names, self.item) = (names, item)
    }

    var isActivity: Bool { if case .activity = name { true } else { false } }
}
