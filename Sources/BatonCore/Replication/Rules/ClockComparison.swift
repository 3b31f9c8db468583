/// Compares the wall clock of this machine with those of connected devices.
///
/// It uses the times that devices report of their clocks, and never the times of stamps: these follow the largest time
/// that was ever seen, so they may be years ahead of every clock. A reported time is advanced by the monotonic clock of
/// this machine, so that it stays right if the wall clock here is set, or if the connection lasts long.
struct ClockComparison: Sendable {
    private var readings: [DeviceIdentifier: Reading] = [:]

    /// Bounds of another clock: at `instant` it showed a time from `earliest` through `latest`.
    private struct Reading {
        var earliest, latest: WallTime
        var instant: Instant

        /// Returns the bounds at a later moment, if the clock runs evenly.
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

    /// Notes the time at which a connected device compares (`WallTime.compared`), which bounds its clock to within a
    /// day.
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

    /// Returns how the clocks differ; nil unless a connected device's clock certainly differs by more than a day from
    /// this machine's.
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

    /// Returns the least amount by which a clock is certainly ahead of `own`, or behind if negative; zero if the
    /// difference may be a day or less.
    private func lead(of reading: Reading, over own: WallTime) -> Duration {
        let (least, most) = (reading.earliest.since(own), reading.latest.since(own))
        if least > WallTime.day { return least }
        return most < .zero - WallTime.day ? most : .zero
    }

    /// Returns the differing clocks that agree with each other, if they are more than half of all clocks; otherwise
    /// nil.
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
    /// The clocks to report to a person, in the order of their devices.
    package let leads: [Lead]
    package let verdict: Verdict

    /// The amount by which a device's clock is ahead of this machine's clock; behind, if negative.
    package struct Lead: Equatable, Sendable {
        package let device: DeviceIdentifier
        package let time: Duration

        package init(device: DeviceIdentifier, time: Duration) { (self.device, self.time) = (device, time) }
    }

    /// The majority's decision about which clocks are wrong.
    package enum Verdict: Equatable, Sendable {
        /// More than half of all clocks agree with each other, and not with this machine's clock; `leads` lists them.
        case ownIsWrong
        /// More than half of all clocks agree: this machine's clock, and those of the devices in `agreeing`.
        case othersAreWrong(agreeing: [DeviceIdentifier])
        case undecided
    }

    package init(leads: [Lead], verdict: Verdict) { (self.leads, self.verdict) = (leads, verdict) }
}
