import BatonCore

/// The place of a result in the order of time.
///
/// Items are ordered by the time when they were indexed, and activities by the time when they ended.
struct ItemAge: Equatable, Sendable {
    private let app: String
    /// The index of an item; nil for an activity.
    private let index: String?
    private let identifier: String
    private let time: Int64

    init(_ name: ItemName, indexed: WallTime?) {
        (app, index, identifier) = (name.app, name.index, name.identifier)
        time = indexed?.milliseconds ?? .min
    }

    init(_ activity: FoundActivity) {
        (app, index, identifier) = (activity.app, nil, activity.identifier)
        time = activity.ended.milliseconds
    }

    /// Whether this thing comes before another thing.
    ///
    /// The later thing comes first. If the times are equal, the order of the names decides.
    ///
    /// The order is the same on all devices.
    func precedes(_ other: ItemAge) -> Bool {
        guard time == other.time else { return time > other.time }
        let (names, others) = (self.names, other.names)
        // Bytes are compared, because Swift treats texts as equal that are different names.
        let difference = zip(names, others).first { !$0.utf8.elementsEqual($1.utf8) }
        return difference.map { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? (names.count < others.count)
    }

    private var names: [String] { [app, index, identifier].compactMap(\.self) }
}
