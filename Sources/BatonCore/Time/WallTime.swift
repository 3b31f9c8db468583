/// A date of a wall clock in milliseconds since 1970.
///
/// It is used for age, recency and expiry.
///
/// It must not be used to order the writes of different devices. Stamps do that.
package struct WallTime: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the duration from the other date to this one, which is negative if the other date is later.
    package func since(_ earlier: WallTime) -> Duration {
        .milliseconds(milliseconds) - .milliseconds(earlier.milliseconds)
    }

    /// Returns this date plus a duration, clamped to the representable range.
    package func advanced(by duration: Duration) -> WallTime {
        let (seconds, attoseconds) = duration.components
        let sum = Int128(milliseconds) + Int128(seconds) * 1000 + Int128(attoseconds / 1_000_000_000_000_000)
        return WallTime(milliseconds: Int64(clamping: sum))
    }
}

/// A moment on a monotonic clock, used for timers.
///
/// Only the difference of two moments has a meaning.
package struct Instant: Hashable, Comparable, Sendable {
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (instant: Self, duration: Duration) -> Self {
        let (seconds, attoseconds) = duration.components
        return Self(
            nanoseconds: instant.nanoseconds + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds)
                / 1_000_000_000)
    }

    /// Returns the earlier one of two moments.
    ///
    /// If one of them is nil, the other one is returned.
    static func earliest(_ left: Self?, _ right: Self?) -> Self? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    package func since(_ earlier: Self) -> Duration {
        .nanoseconds(Int64(nanoseconds) - Int64(earlier.nanoseconds))
    }
}

extension WallTime {
    func encode(to writer: inout CBORWriter) { writer.integer(milliseconds) }

    init(from reader: inout CBORReader) throws(CBORError) { self.init(milliseconds: try reader.integer()) }
}
