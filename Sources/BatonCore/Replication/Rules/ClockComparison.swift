/// Compares the wall clock of this machine with those of connected devices.
///
/// The comparison uses the times that devices report of their clocks. It never uses the times of stamps. A stamp
/// follows the largest time that its device has ever seen, so it may be years ahead of every clock. A reported time is
/// advanced by this machine's monotonic clock. So it stays right if the wall clock here is set, or if the connection
/// lasts long.
struct ClockComparison: Sendable {
    private var readings: [DeviceIdentifier: Reading] = [:]

    /// The bounds of another machine's clock.
    ///
    /// At `instant`, the clock showed a time between `earliest` and `latest`.
    private struct Reading {
        var earliest, latest: WallTime
        var instant: Instant

        /// Returns the bounds at a later moment, on the assumption that the clock runs evenly.
        func advanced(to now: Instant) -> Reading {
            let time = now.since(instant)
            return Reading(
                earliest: earliest.advanced(by: time), latest: latest.advanced(by: time), instant: now)
        }
    }

    // MARK: Events

    /// Records the time that a connected device's clock shows.
    mutating func handleClock(_ time: WallTime, of device: DeviceIdentifier, at now: Instant) {
        readings[device] = Reading(earliest: time, latest: time, instant: now)
    }

    /// Records the time of comparing that a connected device sent (`WallTime.compared`).
    ///
    /// From this time, the device's clock is known to within a day.
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

    /// Called when a device is no longer connected.
    mutating func handleEnd(of device: DeviceIdentifier) { readings[device] = nil }

    // MARK: Queries

    /// Returns how the clocks of connected devices differ from this machine's clock; nil if no difference is certainly
    /// more than a day.
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

    /// Returns the smallest amount by which a clock is certainly ahead of `own`.
    ///
    /// The amount is negative if the clock is behind. It is zero if the difference may be a day or less.
    private func lead(of reading: Reading, over own: WallTime) -> Duration {
        let (least, most) = (reading.earliest.since(own), reading.latest.since(own))
        if least > WallTime.day { return least }
        return most < .zero - WallTime.day ? most : .zero
    }

    /// Returns the differing clocks that agree with each other; nil unless these are more than half of all clocks.
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
    /// The clocks to report to a person, sorted by their devices.
    package let leads: [Lead]
    package let verdict: Verdict

    /// The amount by which a device's clock is ahead of this machine's clock.
    ///
    /// The amount is negative if the device's clock is behind.
    package struct Lead: Equatable, Sendable {
        package let device: DeviceIdentifier
        package let time: Duration

        package init(device: DeviceIdentifier, time: Duration) { (self.device, self.time) = (device, time) }
    }

    /// The conclusion about which clocks are wrong.
    package enum Verdict: Equatable, Sendable {
        /// More than half of all clocks agree with each other but not with this machine's clock.
        ///
        /// `leads` lists them.
        case ownIsWrong
        /// More than half of all clocks agree with each other: this machine's clock and the clocks of the devices in
        /// `agreeing`.
        case othersAreWrong(agreeing: [DeviceIdentifier])
        case undecided
    }

    package init(leads: [Lead], verdict: Verdict) { (self.leads, self.verdict) = (leads, verdict) }
}
