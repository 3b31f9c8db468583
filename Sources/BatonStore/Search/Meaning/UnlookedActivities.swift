import BatonCore

/// The activities that were not checked for a vector since they changed.
struct UnlookedActivities {
    /// The names of these activities; nil if all activities are to be checked.
    private var names: [RecordIdentity]?
    /// If there are more than this, all activities are to be checked.
    private let most: Int

    init(most: Int) { self.most = most }

    /// Records that an activity has changed.
    mutating func record(_ identity: RecordIdentity) {
        names?.append(identity)
        if let names, names.count > most { self.names = nil }
    }

    /// Begins with all activities, unless the check has begun.
    mutating func begin(with all: @autoclosure () -> [RecordIdentity]) {
        if names == nil { names = all() }
    }

    /// Returns an activity that is to be checked; nil if there is none.
    mutating func next() -> RecordIdentity? { names?.popLast() }

    /// Makes the check begin again with all activities.
    mutating func restart() { names = nil }
}
