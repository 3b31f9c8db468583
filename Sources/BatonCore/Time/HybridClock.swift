/// A hybrid logical time.
///
/// The upper bits are milliseconds since 1970, and the lower sixteen bits are a counter.
///
/// If the counter overflows, it carries into the milliseconds. So a clock whose wall clock stands still never runs out
/// of times.
package struct HybridTime: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    /// The time that is before every write.
    package static let zero = HybridTime(value: 0)
    /// The largest time that a stamp can contain.
    ///
    /// The limit comes from the encoding, and not from any clock.
    package static let largest = HybridTime(value: 1 << 63 - 1)

    /// The largest time that is accepted from a wall clock.
    ///
    /// It is the middle of the range, in the year 4199.
    package static let largestBelieved = HybridTime(value: 1 << 62)
    /// The largest time of another device that a clock follows.
    ///
    /// It is three quarters of the range.
    package static let largestFollowed = HybridTime(value: 3 << 61)
    /// The largest step by which one transaction of another device can move a clock, if its time is too late for a wall
    /// clock.
    private static let stride: UInt64 = 1 << 32

    /// Whether the time is later than any time that is accepted from a wall clock.
    package var isUnbelieved: Bool { self > .largestBelieved }

    /// Whether the time is later than any time that a clock follows.
    package var isNeverFollowed: Bool { self > .largestFollowed }

    /// Returns the new time of a clock that shows this time and sees another time.
    ///
    /// A clock immediately follows a time that a wall clock may show, even if the other device's clock is years ahead.
    /// Later times can't come from a wall clock. A clock follows them only in small steps, and only up to
    /// `largestFollowed`. So a member that writes with the largest time can't use up the times of all devices. If
    /// another clock has made at most one step more, a clock follows it immediately.
    package func following(_ seen: HybridTime) -> HybridTime {
        guard seen > self, !seen.isNeverFollowed else { return self }
        let believed = Self.largestBelieved.value
        let next = (max(value, believed) - believed) / Self.stride + 1
        return seen.value < believed + (next + 1) * Self.stride
            ? seen : HybridTime(value: believed + next * Self.stride)
    }

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    /// The largest number of milliseconds that is accepted from a wall clock.
    private static let believedMilliseconds = largest.value >> 17

    /// Creates the hybrid time for the time that a wall clock shows.
    ///
    /// A wall clock is accepted only up to the middle of the range, in the year 4199. A later time counts as zero, so
    /// that no wrong clock can use up the times.
    package init(shownBy wall: WallTime) {
        let milliseconds = UInt64(clamping: wall.milliseconds)
        value = milliseconds > Self.believedMilliseconds ? 0 : milliseconds << 16
    }

    /// The wall-clock time from which this time is made.
    ///
    /// It must not be used as the date of an event, because a hybrid clock follows the clocks of other devices.
    package var wall: WallTime { WallTime(milliseconds: Int64(value >> 16)) }
}

/// A hybrid clock, which gives each write a later time than all writes seen so far, whatever the wall clock shows.
///
/// Commands are `next(at:)` and `witness(_:)`. The query is `latest`, and the caller must store its value on disk.
package struct HybridClock: Equatable, Sendable {
    /// The largest time that the clock has given to a write, or that it has seen.
    package private(set) var latest: HybridTime

    /// Creates a clock that continues after the largest time that is known to have been used.
    package init(latest: HybridTime = .zero) { self.latest = latest }

    /// Returns a new time, which is later than all times before.
    package mutating func next(at now: WallTime) -> HybridTime {
        let physical = HybridTime(shownBy: now)
        latest = HybridTime(value: min(max(latest.value + 1, physical.value), HybridTime.largest.value))
        return latest
    }

    /// Uses `count` consecutive new times, and returns the first of them.
    package mutating func next(_ count: UInt64, at now: WallTime) -> HybridTime {
        let first = next(at: now)
        // The times that are left bound the count, as they bound a single time.
        let further = min(max(count, 1) - 1, HybridTime.largest.value - first.value)
        latest = HybridTime(value: first.value + further)
        return first
    }

    /// Moves the clock forward to the time of the store's clock.
    ///
    /// The store's clock has followed the writes of other devices.
    package mutating func witness(_ time: HybridTime) { latest = max(latest, time) }
}

/// The stamp of a write, which orders the writes to one thing.
///
/// The write with the larger stamp wins. No two writes to one thing have the same stamp.
package struct Stamp: Hashable, Comparable, Sendable {
    package let time: HybridTime
    package let life: Life

    package init(time: HybridTime, life: Life) { (self.time, self.life) = (time, life) }

    /// The stamp that is not larger than any other.
    package static let least = Stamp(time: .zero, life: Life(high: 0, low: 0))

    package static func < (left: Self, right: Self) -> Bool {
        (left.time, left.life) < (right.time, right.life)
    }
}
