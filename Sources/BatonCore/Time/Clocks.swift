/// The times that a machine's clocks show at the same moment.
package struct Clocks: Equatable, Sendable {
    /// The wall clock, which people see and may set.
    package let wall: WallTime
    /// The monotonic clock, which can't be set.
    package let steady: Instant

    package init(wall: WallTime, steady: Instant) { (self.wall, self.steady) = (wall, steady) }
}
