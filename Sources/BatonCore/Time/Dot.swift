/// The origin of writes: one lane of one life.
package struct Origin: Hashable, Comparable, Sendable {
    package let life: Life
    package let lane: Lane

    package init(life: Life, lane: Lane) { (self.life, self.lane) = (life, lane) }

    package static func < (left: Self, right: Self) -> Bool {
        (left.life, left.lane) < (right.life, right.lane)
    }
}

/// The permanent name of one write: its origin, the number of its transaction, and its place in that transaction.
package struct Dot: Hashable, Comparable, Sendable {
    package let origin: Origin
    /// The number of the transaction in its origin, counted from 1.
    package let sequence: UInt64
    /// The number of the write in the transaction, counted from 0.
    package let place: UInt32

    package init(origin: Origin, sequence: UInt64, place: UInt32 = 0) {
        (self.origin, self.sequence, self.place) = (origin, sequence, place)
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.origin, left.sequence, left.place) < (right.origin, right.sequence, right.place)
    }
}
