package import BatonCore
package import BatonNetwork

/// Limits how often each device may connect to this one, and how often that is logged.
///
/// Each connection costs a session and two lines of log, so a device that connects again and again would keep this
/// machine busy, whether by bad will or by mistake.
package struct ConnectionRates {
    /// The answer to one more connection.
    package enum Answer: Equatable, Sendable {
        case accepted
        /// There were too many connections. Unless it is nil, the number of refusals since the last log line is to be
        /// logged.
        case refused(logged: Int?)
    }

    /// The connections of one device.
    private struct Rate {
        var connections: RateLimit
        /// How many connections were refused since refusals were last logged.
        var refused = 0
        var logged: MonotonicTime?
    }

    private let limits: Limits
    private var rates: [DeviceIdentifier: Rate] = [:]

    /// The most devices that are remembered; when there are more, all counts begin anew.
    private static let devicesMost = 512

    package init(_ limits: Limits) { self.limits = limits }

    /// Counts a connection that a device has made.
    package mutating func count(_ device: DeviceIdentifier, at now: MonotonicTime) -> Answer {
        if rates[device] == nil, rates.count >= Self.devicesMost { rates = [:] }
        var rate =
            rates[device]
            ?? Rate(
                connections: RateLimit(
                    perSecond: limits.connectionsPerSecond, burst: limits.connectionsAtOnce, now: now))
        defer { rates[device] = rate }
        guard !rate.connections.take(at: now) else { return .accepted }
        rate.refused += 1
        if let logged = rate.logged, now - logged < limits.refusalLogPause { return .refused(logged: nil) }
        defer { (rate.refused, rate.logged) = (0, now) }
        return .refused(logged: rate.refused)
    }
}
