/// The present time and the person's calendar, for dates that are relative to them.
package struct PresentTime: Sendable {
    package let now: WallTime
    /// Returns how many seconds the person's time zone is ahead of universal time at a moment.
    package let offset: @Sendable (WallTime) -> Int
    /// The first day of the person's week, from 0 for Sunday.
    package let firstWeekday: Int64

    /// Creates a present time; as in ISO 8601, weeks begin on Monday by default.
    package init(_ now: WallTime, firstWeekday: Int64 = 1, offset: @escaping @Sendable (WallTime) -> Int) {
        (self.now, self.firstWeekday, self.offset) = (now, firstWeekday, offset)
    }

    /// The present date and time on the person's clock.
    package var civil: CivilTime { CivilTime(now, offset: offset(now)) }
}
