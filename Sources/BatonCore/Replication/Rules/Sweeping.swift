/// Decides which expired records a node may sweep: those that expired before a time.
///
/// It has no clock, store or timer. Whenever something happens anyway, a driver reports the time, the devices that are
/// in step, and what peers say of their clocks.
///
/// An item must not be swept if a device has postponed its expiration. An app can't change an item that is hidden from
/// it, so the device named the write that postpones it before the item expired by the device's clock. If the device
/// stated its claims at a later time, by its own clock, and this node claims the same, then this node has the write. So
/// it sweeps only what had expired a day before the time at which every other device stated such claims, in this run of
/// the process. The peer's clock counts, because a message may wait for days in a machine that sleeps.
///
/// A driver reads the clock that it sends before it asks the store for its claims. So every write named before that
/// time is stored by then, and every other write is named at a later time, whatever pauses lie in between.
///
/// A node whose clock is wrong must not sweep. A clock that jumps is noticed, because the monotonic clock of the
/// machine does not. A clock that was wrong from the beginning is noticed because it differs from that of a connected
/// device; a clock that is behind sweeps less, and does no harm. The times of stamps say nothing about a clock: if one
/// device was once years ahead, the stamps of all devices follow. A machine that sets its clock after its start has
/// done so within the first hour.
package struct Sweeping: Sendable {
    /// The last time that was reported, by both clocks.
    private var last: (wall: WallTime, instant: Instant)
    /// The time since which the wall clock has run in step with the monotonic clock.
    private var steadySince: Instant
    private var hasJumped = false
    /// For each device, the last time of comparing at which this node claimed all that the device claimed.
    private var met: [DeviceIdentifier: WallTime] = [:]
    private var roster: Set<DeviceIdentifier> = []
    /// The clocks of connected devices.
    private var comparison = ClockComparison()
    /// When the last sweep began.
    private var swept: Instant?
    private let proving, pause: Duration

    /// A doubt about a clock; while there is one, nothing is swept.
    package enum Doubt: Equatable, Sendable {
        /// The wall clock was set by more than a day since the node started.
        case jumped
        /// The clocks of connected devices differ by more than a day.
        case differs(ClockDifference)
    }

    package init(wall: WallTime, instant: Instant, limits: Limits = Limits()) {
        (last, steadySince) = ((wall, instant), instant)
        (proving, pause) = (limits.clockProvingTime, limits.sweepPause)
    }

    // MARK: Events

    /// Notes the time at which something happens.
    package mutating func recordClocks(wall: WallTime, instant: Instant) {
        let jump = wall.since(last.wall) - instant.since(last.instant)
        if jump > WallTime.day || jump < .zero - WallTime.day {
            (steadySince, hasJumped) = (instant, true)
        }
        last = (wall, instant)
    }

    /// Notes that this node claims all that a device claimed at a time of comparing (`SessionEvent.met(at:)`).
    package mutating func recordMeeting(_ device: DeviceIdentifier, at time: WallTime) { met[device] = time }

    /// Notes the other devices of the account.
    package mutating func recordRoster(_ roster: Set<DeviceIdentifier>) {
        // Other devices may have writes of the device that is gone, which they had not sent yet when they were met.
        if !self.roster.isSubset(of: roster) { met = [:] }
        self.roster = roster
    }

    /// Notes what the clock of a connected device shows.
    package mutating func handleClock(_ time: WallTime, of device: DeviceIdentifier) {
        comparison.handleClock(time, of: device, at: last.instant)
    }

    /// Notes the time at which a connected device compares, as it said (`WallTime.compared`).
    package mutating func recordComparison(_ time: WallTime, by device: DeviceIdentifier) {
        comparison.handleCompared(time, of: device, at: last.instant)
    }

    /// Notes that a device is no longer connected.
    package mutating func noteEnd(of device: DeviceIdentifier) { comparison.handleEnd(of: device) }

    /// Notes that a sweep begins.
    package mutating func noteSweep() { swept = last.instant }

    // MARK: Queries

    /// Returns the time by which records must have expired to be swept now; nil if nothing may be swept, or if the last
    /// sweep was recent.
    ///
    /// `keeping` is how long this node keeps expired records.
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

    /// The reason why nothing is swept, if a clock is the reason.
    package var doubt: Doubt? {
        if let difference = comparison.difference(from: last.wall, at: last.instant) {
            return .differs(difference)
        }
        return hasJumped && last.instant.since(steadySince) < WallTime.day ? .jumped : nil
    }
}
