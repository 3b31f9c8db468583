/// Compares the wall clock of this machine with those of connected devices.
///
/// It looks at what devices say of their clocks and never at the times of stamps: these follow the largest time that was
/// ever seen, so that they may be years ahead of every clock. A time that a device told goes on with the steady clock
/// of this machine, so that setting the clock here, or a long connection, makes no difference to it.
struct ClockComparison: Sendable {
    private var readings: [DeviceIdentifier: Reading] = [:]

    /// The knowledge of another clock: at that moment it showed a time between these two.
    private struct Reading {
        var earliest, latest: WallTime
        var instant: Instant

        /// Returns the knowledge at a later moment, if the clock runs evenly.
        func advanced(to now: Instant) -> Reading {
            let time = now.since(instant)
            return Reading(
                earliest: earliest.advanced(by: time), latest: latest.advanced(by: time), instant: now)
        }
    }

    // MARK: Events

    /// Notes what the clock of a connected device shows.
    mutating func handleClock(_ time: WallTime, of device: DeviceIdentifier, at now: Instant) {
        readings[device] = Reading(earliest: time, latest: time, instant: now)
    }

    /// Notes the time at which a connected device compares (`WallTime.compared`), which leaves a day open.
    mutating func handleCompared(_ time: WallTime, of device: DeviceIdentifier, at now: Instant) {
        let day = time.advanced(by: WallTime.day)
        let told = Reading(
            earliest: day, latest: day.advanced(by: WallTime.day - .milliseconds(1)), instant: now)
        guard let known = readings[device]?.advanced(to: now) else { return readings[device] = told }
        let both = Reading(
            earliest: max(known.earliest, told.earliest), latest: min(known.latest, told.latest), instant: now
        )
        readings[device] = both.earliest <= both.latest ? both : told
    }

    /// Called when a device is not connected any more.
    mutating func handleEnd(of device: DeviceIdentifier) { readings[device] = nil }

    // MARK: Queries

    /// Returns how the clocks differ, if one of a connected device is certain to differ by more than a day from that of
    /// this machine.
    func difference(from own: WallTime, at now: Instant) -> ClockDifference? {
        let leads = readings.mapValues { lead(of: $0.advanced(to: now), over: own) }
        let differing = leads.filter { $0.value != .zero }
        guard !differing.isEmpty else { return nil }
        let agreeing = leads.filter { $0.value == .zero }.keys.sorted()
        let count = leads.count + 1
        let verdict: ClockDifference.Verdict
        if 2 * (agreeing.count + 1) > count {
            verdict = .othersAreWrong(agreeing: agreeing)
        } else if let majority = majority(of: differing, among: count) {
            return ClockDifference(leads: majority, verdict: .ownIsWrong)
        } else {
            verdict = .undecided
        }
        let sorted = differing.map { ClockDifference.Lead(device: $0.key, time: $0.value) }
            .sorted { $0.device < $1.device }
        return ClockDifference(leads: sorted, verdict: verdict)
    }

    /// The least by which a clock is certain to be ahead, or behind if negative; zero if that may be a day or less.
    private func lead(of reading: Reading, over own: WallTime) -> Duration {
        let (least, most) = (reading.earliest.since(own), reading.latest.since(own))
        if least > WallTime.day { return least }
        return most < .zero - WallTime.day ? most : .zero
    }

    /// Returns those of the differing clocks that agree with each other and are more than half of all; nil if there are
    /// none.
    private func majority(
        of differing: [DeviceIdentifier: Duration], among count: Int
    ) -> [ClockDifference.Lead]? {
        let sorted = differing.map { ClockDifference.Lead(device: $0.key, time: $0.value) }
            .sorted { $0.device < $1.device }
        return sorted.lazy.map { one in
            sorted.filter { abs($0.time - one.time) <= WallTime.day }
        }.first { 2 * $0.count > count }
    }

    private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
}

/// Clocks of connected devices that differ by more than a day from that of this machine.
package struct ClockDifference: Equatable, Sendable {
    /// The clocks to tell a person about, by their devices.
    package let leads: [Lead]
    package let verdict: Verdict

    /// By how much a clock is ahead of that of this machine; behind, if negative.
    package struct Lead: Equatable, Sendable {
        package let device: DeviceIdentifier
        package let time: Duration

        package init(device: DeviceIdentifier, time: Duration) { (self.device, self.time) = (device, time) }
    }

    /// The answer to which clock is wrong, as far as most clocks say.
    package enum Verdict: Equatable, Sendable {
        /// More than half of all clocks agree with each other, and not with that of this machine; `leads` has them.
        case ownIsWrong
        /// More than half of all clocks agree, that of this machine and those of these devices.
        case othersAreWrong(agreeing: [DeviceIdentifier])
        case undecided
    }

    package init(leads: [Lead], verdict: Verdict) { (self.leads, self.verdict) = (leads, verdict) }
}
