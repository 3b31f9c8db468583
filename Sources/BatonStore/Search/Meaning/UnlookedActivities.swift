import BatonCore

/// The activities that have changed and were not checked for a vector since.
struct UnlookedActivities {
    /// The identities of these activities; nil if all activities must be checked.
    private var names: [RecordIdentity]?
    /// The largest number of activities in the list.
    ///
    /// If there are more, all activities are checked.
    private let most: Int

    init(most: Int) { self.most = most }

    /// Notes that an activity has changed.
    mutating func record(_ identity: RecordIdentity) {
        names?.append(identity)
        if let names, names.count > most { self.names = nil }
    }

    /// Begins the check with all activities, unless the check has already begun.
    mutating func begin(with all: @autoclosure () -> [RecordIdentity]) {
        if names == nil { names = all() }
    }

    /// Returns the next activity to be checked; nil if there is none.
    mutating func next() -> RecordIdentity? { names?.popLast() }

    /// Makes the check begin again with all activities.
    mutating func restart() { names = nil }
}
