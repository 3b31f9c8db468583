/// How far the clock of a time zone is ahead of universal time, from moment to moment.
///
/// A program that asks another program to read local times passes this along, because the other may run in another
/// zone.
package struct ZoneOffsets: Equatable, Sendable {
    /// The number of seconds before the first change.
    package let first: Int
    /// The changes in ascending order.
    package let changes: [Change]

    /// A change of the clock.
    package struct Change: Equatable, Sendable {
        package let moment: WallTime
        /// The number of seconds from the moment on.
        package let offset: Int

        package init(_ moment: WallTime, _ offset: Int) { (self.moment, self.offset) = (moment, offset) }
    }

    /// The offsets that are possible: no clock is a day off.
    static let offsets = -86_400...86_400
    /// The most changes that are kept: nearly three a year, in the time that `init(around:_:)` covers.
    static let changesMost = 200

    /// Creates offsets; nil if they are out of range or out of order.
    package init?(first: Int, changes: [Change]) {
        guard changes.count <= Self.changesMost, Self.offsets.contains(first),
            changes.allSatisfy({ Self.offsets.contains($0.offset) }),
            zip(changes, changes.dropFirst()).allSatisfy({ $0.moment < $1.moment })
        else { return nil }
        (self.first, self.changes) = (first, changes)
    }

    /// Creates the offsets from sixty years before a time until ten years after it: people search for photos and
    /// letters of their lives, and for what is due in some years.
    ///
    /// The first and the last offset also count for all other times.
    ///
    /// A change that is undone within a week is not noticed, and neither is a change more than ten years ago that is
    /// undone within ten weeks, because `offset` is called in steps of this length to save time. If there are too many
    /// changes, the earliest are left out.
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

    /// Returns the first moment at which the condition, which holds for the earlier time, no longer holds.
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

    /// Returns how many seconds the clock is ahead at a moment.
    package func offset(at moment: WallTime) -> Int {
        changes.last { $0.moment <= moment }?.offset ?? first
    }
}

extension Int {
    /// The nearest possible offset of a clock.
    fileprivate var clamped: Int {
        Swift.min(Swift.max(self, ZoneOffsets.offsets.lowerBound), ZoneOffsets.offsets.upperBound)
    }
}
