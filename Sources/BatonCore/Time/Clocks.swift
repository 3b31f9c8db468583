/// The times of a machine's clocks at one moment.
package struct Clocks: Equatable, Sendable {
    /// The wall clock, which people see and may set.
    package let wall: WallTime
    /// The monotonic clock, which can't be set.
    package let steady: Instant

    package init(wall: WallTime, steady: Instant) { (self.wall, self.steady) = (wall, steady) }
}
