/// The current time and the person's calendar, from which relative dates are computed.
package struct PresentTime: Sendable {
    package let now: WallTime
    /// Returns the number of seconds by which the person's time zone is ahead of universal time at a moment.
    package let offset: @Sendable (WallTime) -> Int
    /// The first day of the person's week; 0 is Sunday.
    package let firstWeekday: Int64

    /// Creates the current time.
    ///
    /// By default, weeks begin on Monday, as in ISO 8601.
    package init(_ now: WallTime, firstWeekday: Int64 = 1, offset: @escaping @Sendable (WallTime) -> Int) {
        (self.now, self.firstWeekday, self.offset) = (now, firstWeekday, offset)
    }

    /// The current date and time on the person's clock.
    package var civil: CivilTime { CivilTime(now, offset: offset(now)) }
}
