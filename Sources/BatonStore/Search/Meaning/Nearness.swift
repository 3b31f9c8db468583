import BatonCore

/// The scores of the items and activities whose meaning is similar to the meaning of a search.
struct Nearness {
    var items: [Int64: Double] = [:]
    var activities: [RecordIdentity: Double] = [:]

    var isEmpty: Bool { items.isEmpty && activities.isEmpty }
}
