/// Decides which expired records a node may sweep.
///
/// The decision is a time: all records that expired before it may be swept.
///
/// This type has no clock, store or timer. Whenever something happens, the driver reports the time, the devices that
/// are in step, and the times of the peers' clocks.
///
/// An item must not be swept if a device has postponed its expiration. An app can't change an item that is hidden from
/// it. So the device made the postponing write before the item expired by the device's own clock. Suppose that the
/// device later stated its claims, at a later time of its own clock, and that this node claims the same. Then this node
/// has the postponing write. So the node sweeps only records that had expired a day before the time at which every
/// other device stated such claims. Only claims since the start of this process count. The time is that of the peer's
/// clock, because a message may wait for days in a machine that sleeps.
///
/// The driver reads the clock that it sends before it asks the store for its claims. So every write that was made
/// before that time is stored by then. Every other write is made at a later time, however long the driver is
/// interrupted in between.
///
/// A node whose clock is wrong must not sweep. If the clock jumps, the node notices it, because the monotonic clock of
/// the machine does not jump. If the clock was wrong from the start, the node notices it if the clock differs from that
/// of a connected device. A clock that is behind does no harm, because the node then sweeps less. The times of stamps
/// prove nothing about a clock: if the clock of one device was once years ahead, the stamps of all devices follow it. A
/// machine that sets its clock after its start does so within the first hour.
package struct Sweeping: Sendable {
    /// The last reported time, by the wall clock and by the monotonic clock.
    private var last: (wall: WallTime, instant: Instant)
    /// The time since which the wall clock has advanced like the monotonic clock.
    private var steadySince: Instant
    private var hasJumped = false
    /// For each device, the last time of comparing at which this node claimed everything that the device claimed.
    private var met: [DeviceIdentifier: WallTime] = [:]
    private var roster: Set<DeviceIdentifier> = []
    /// The clocks of connected devices.
    private var comparison = ClockComparison()
    /// The time when the last sweep began.
    private var swept: Instant?
    private let proving, pause: Duration

    /// The reason to believe that a clock is wrong.
    ///
    /// While there is one, nothing is swept.
    package enum Doubt: Equatable, Sendable {
        /// The wall clock jumped by more than a day since the node started.
        case jumped
        /// The clocks of connected devices differ by more than a day.
        case differs(ClockDifference)
    }

    package init(wall: WallTime, instant: Instant, limits: Limits = Limits()) {
        (last, steadySince) = ((wall, instant), instant)
        (proving, pause) = (limits.clockProvingTime, limits.sweepPause)
    }

    // MARK: Events

    /// Records the current time of both clocks.
    package mutating func recordClocks(wall: WallTime, instant: Instant) {
        let jump = wall.since(last.wall) - instant.since(last.instant)
        if jump > WallTime.day || jump < .zero - WallTime.day {
            (steadySince, hasJumped) = (instant, true)
        }
        last = (wall, instant)
    }

    /// Records that this node claims everything that a device claimed at a time of comparing (`SessionEvent.met(at:)`).
    package mutating func recordMeeting(_ device: DeviceIdentifier, at time: WallTime) { met[device] = time }

    /// Records which other devices belong to the account.
    package mutating func recordRoster(_ roster: Set<DeviceIdentifier>) {
        // A device is no longer in the account. Other devices may have writes of that device, which they had not sent
        // yet when this node last had all their claims.
        if !self.roster.isSubset(of: roster) { met = [:] }
        self.roster = roster
    }

    /// Records the time that a connected device's clock shows.
    package mutating func handleClock(_ time: WallTime, of device: DeviceIdentifier) {
        comparison.handleClock(time, of: device, at: last.instant)
    }

    /// Records the time of comparing that a connected device sent (`WallTime.compared`).
    package mutating func recordComparison(_ time: WallTime, by device: DeviceIdentifier) {
        comparison.handleCompared(time, of: device, at: last.instant)
    }

    /// Notes that a device is no longer connected.
    package mutating func noteEnd(of device: DeviceIdentifier) { comparison.handleEnd(of: device) }

    /// Notes that a sweep begins.
    package mutating func noteSweep() { swept = last.instant }

    // MARK: Queries

    /// Returns the time before which a record must have expired to be swept now.
    ///
    /// It is nil if nothing may be swept, or if the last sweep was recent.
    ///
    /// `keeping` is the time for which this node keeps expired records.
    package func bound(keeping: Duration = WallTime.day) -> WallTime? {
        guard doubt == nil, last.instant.since(steadySince) >= proving,
            swept.map({ last.instant.since($0) >= pause }) ?? true
        else { return nil }
        var bound = last.wall.compared
        for device in roster {
            guard let time = met[device] else { return nil }
            bound = min(bound, time)
        }
        return min(
            bound.advanced(by: .zero - WallTime.day), last.wall.compared.advanced(by: .zero - keeping))
    }

    /// The doubt about a clock because of which nothing is swept; nil if there is no such doubt.
    package var doubt: Doubt? {
        if let difference = comparison.difference(from: last.wall, at: last.instant) {
            return .differs(difference)
        }
        return hasJumped && last.instant.since(steadySince) < WallTime.day ? .jumped : nil
    }
}
