/// The number of seconds by which a time zone is ahead of universal time, for each moment.
///
/// A program sends this value to another program that has to read local times. The other program may run in another
/// time zone.
package struct ZoneOffsets: Equatable, Sendable {
    /// The offset in seconds before the first change.
    package let first: Int
    /// The changes of the offset, in ascending order.
    package let changes: [Change]

    /// A change of the offset.
    package struct Change: Equatable, Sendable {
        package let moment: WallTime
        /// The offset in seconds from this moment on.
        package let offset: Int

        package init(_ moment: WallTime, _ offset: Int) { (self.moment, self.offset) = (moment, offset) }
    }

    /// The offsets that are allowed.
    ///
    /// No zone is more than a day ahead or behind.
    static let offsets = -86_400...86_400
    /// The largest number of changes that are kept.
    ///
    /// It is almost three a year for the period that `init(around:_:)` covers.
    static let changesMost = 200

    /// Creates offsets; nil if an offset is out of range, or if the changes are out of order or too many.
    package init?(first: Int, changes: [Change]) {
        guard changes.count <= Self.changesMost, Self.offsets.contains(first),
            changes.allSatisfy({ Self.offsets.contains($0.offset) }),
            zip(changes, changes.dropFirst()).allSatisfy({ $0.moment < $1.moment })
        else { return nil }
        (self.first, self.changes) = (first, changes)
    }

    /// Creates the offsets from sixty years before a time until ten years after it.
    ///
    /// People search for photos and letters from their whole lives, and for things that are due in a few years.
    ///
    /// Before this period, the first offset is used, and after it, the last one.
    ///
    /// To save time, `offset` is called only once for each week of the period, and only every ten weeks for times that
    /// are more than ten years ago. So a change is not noticed if it is undone between two calls. If there are too many
    /// changes, the earliest ones are left out.
    package init(around time: WallTime, _ offset: (WallTime) -> Int) {
        let decade = 3660 * Self.day
        let start = time.advanced(by: .milliseconds(-6 * decade))
        let recent = time.advanced(by: .milliseconds(-decade))
        var next = time.advanced(by: .milliseconds(decade))
        var (changes, current) = ([Change](), offset(next).clamped)
        while start < next, changes.count < Self.changesMost {
            let last = next.advanced(by: .milliseconds(-(next > recent ? 7 : 70) * Self.day))
            let earlier = offset(last).clamped
            if earlier != current {
                changes.append(
                    Change(Self.change(from: last, to: next) { offset($0).clamped == earlier }, current))
                current = earlier
            }
            guard last < next else { break }
            next = last
        }
        (first, self.changes) = (current, changes.reversed())
    }

    /// Returns the first moment at which a condition no longer holds.
    ///
    /// The condition must hold at the earlier time.
    private static func change(
        from earlier: WallTime, to later: WallTime, _ holds: (WallTime) -> Bool
    ) -> WallTime {
        var (low, high) = (earlier.milliseconds, later.milliseconds)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if holds(WallTime(milliseconds: middle)) { low = middle } else { high = middle }
        }
        return WallTime(milliseconds: high)
    }

    private static let day: Int64 = 86_400_000

    /// Returns the number of seconds by which the zone is ahead of universal time at a moment.
    package func offset(at moment: WallTime) -> Int {
        changes.last { $0.moment <= moment }?.offset ?? first
    }
}

extension Int {
    /// This number, clamped to the offsets that are allowed.
    fileprivate var clamped: Int {
        Swift.min(Swift.max(self, ZoneOffsets.offsets.lowerBound), ZoneOffsets.offsets.upperBound)
    }
}
