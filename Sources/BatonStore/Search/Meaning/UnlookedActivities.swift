import BatonCore

/// The activities that were not looked at for a vector since they changed.
struct UnlookedActivities {
    /// Their names; nil if all are to be looked at.
    private var names: [RecordIdentity]?
    /// If there are more than this, all are to be looked at.
    private let most: Int

    init(most: Int) { self.most = most }

    /// Records that an activity has changed.
    mutating func record(_ identity: RecordIdentity) {
        names?.append(identity)
        if let names, names.count > most { self.names = nil }
    }

    /// Begins with all activities, unless it has begun.
    mutating func begin(with all: @autoclosure () -> [RecordIdentity]) {
        if names == nil { names = all() }
    }

    /// Returns an activity that is to be looked at; nil if there is none.
    mutating func next() -> RecordIdentity? { names?.popLast() }

    /// Makes all activities ones that are to be looked at.
    mutating func restart() { names = nil }
}
