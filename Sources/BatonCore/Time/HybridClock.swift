/// A hybrid logical time: milliseconds since 1970 in the upper bits, a counter in the lower sixteen.
///
/// The counter carries into the milliseconds, so a clock that stands still never runs out of times.
package struct HybridTime: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    /// The time before every write.
    package static let zero = HybridTime(value: 0)
    /// The largest time that a stamp can carry.
    ///
    /// The encoding fixes it, not any clock.
    package static let largest = HybridTime(value: 1 << 63 - 1)

    /// The largest time that a wall clock is believed to show: the middle of the range, in the year 4199.
    package static let largestBelieved = HybridTime(value: 1 << 62)
    /// The largest time that any clock follows: three quarters of the range.
    package static let largestFollowed = HybridTime(value: 3 << 61)
    /// The most that one transaction of another device moves a clock past the believed times.
    private static let stride: UInt64 = 1 << 32

    /// Whether the time is later than any that a wall clock is believed to show.
    package var isUnbelieved: Bool { self > .largestBelieved }

    /// Whether the time is later than any that a clock follows.
    package var isNeverFollowed: Bool { self > .largestFollowed }

    /// Returns the time to which a clock at this time moves when it sees another time.
    ///
    /// A clock follows a believed time immediately, even if the other device's clock is years ahead. No wall clock
    /// leads to later times. A clock follows them only in small steps and up to `largestFollowed`, so that a member
    /// that writes with the largest time does not use up the times of all devices. A clock follows another clock
    /// immediately if the other has made at most one step more.
    package func following(_ seen: HybridTime) -> HybridTime {
        guard seen > self, !seen.isNeverFollowed else { return self }
        let believed = Self.largestBelieved.value
        let next = (max(value, believed) - believed) / Self.stride + 1
        return seen.value < believed + (next + 1) * Self.stride
            ? seen : HybridTime(value: believed + next * Self.stride)
    }

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    /// The largest value of a wall clock that is believed.
    private static let believedMilliseconds = largest.value >> 17

    /// The time to which a wall clock leads.
    ///
    /// A wall clock is believed only up to the middle of the range (the year 4199), so that no wrong clock uses up the
    /// times.
    package init(shownBy wall: WallTime) {
        let milliseconds = UInt64(clamping: wall.milliseconds)
        value = milliseconds > Self.believedMilliseconds ? 0 : milliseconds << 16
    }

    /// The wall-clock time that leads to this time.
    ///
    /// It is not a date, because a hybrid clock follows the clocks of other devices.
    package var wall: WallTime { WallTime(milliseconds: Int64(value >> 16)) }
}

/// A hybrid clock: it gives each write a later time than all writes seen here, whatever the wall clock says.
///
/// Commands are `next(at:)` and `witness(_:)`; the query is `latest`, which must be stored on disk.
package struct HybridClock: Equatable, Sendable {
    /// The largest time that was given out or seen.
    package private(set) var latest: HybridTime

    /// Creates a clock that continues from the largest time known to have been used.
    package init(latest: HybridTime = .zero) { self.latest = latest }

    /// Returns a new time, later than all before.
    package mutating func next(at now: WallTime) -> HybridTime {
        let physical = HybridTime(shownBy: now)
        latest = HybridTime(value: min(max(latest.value + 1, physical.value), HybridTime.largest.value))
        return latest
    }

    /// Takes `count` consecutive new times, and returns the first of them.
    package mutating func next(_ count: UInt64, at now: WallTime) -> HybridTime {
        let first = next(at: now)
        // The times that are left bound the count, as they bound a single time.
        let further = min(max(count, 1) - 1, HybridTime.largest.value - first.value)
        latest = HybridTime(value: first.value + further)
        return first
    }

    /// Moves up to the time that the store's clock shows, which has followed the writes of other devices.
    package mutating func witness(_ time: HybridTime) { latest = max(latest, time) }
}

/// Orders the writes to one thing: the larger stamp wins, and no two writes to one thing share a stamp.
package struct Stamp: Hashable, Comparable, Sendable {
    package let time: HybridTime
    package let life: Life

    package init(time: HybridTime, life: Life) { (self.time, self.life) = (time, life) }

    /// A stamp that is no later than any other.
    package static let least = Stamp(time: .zero, life: Life(high: 0, low: 0))

    package static func < (left: Self, right: Self) -> Bool {
        (left.time, left.life) < (right.time, right.life)
    }
}
