package import BatonCore
package import BatonNetwork

/// Limits how often each device may connect to this device, and how often refusals are logged.
///
/// Each connection costs a session and two lines of log. Therefore, a device that connects again and again, on purpose
/// or by mistake, would keep this machine busy.
package struct ConnectionRates {
    /// The decision about a new connection.
    package enum Answer: Equatable, Sendable {
        case accepted
        /// The device has connected too often. `logged` is the number of refusals since the last log line; nil if
        /// nothing should be logged now.
        case refused(logged: Int?)
    }

    /// The rate at which one device connects.
    private struct Rate {
        var connections: RateLimit
        /// The number of connections that were refused since refusals were last logged.
        var refused = 0
        var logged: MonotonicTime?
    }

    private let limits: Limits
    private var rates: [DeviceIdentifier: Rate] = [:]

    /// The largest number of devices that are remembered.
    ///
    /// When there are more devices, all counts begin anew.
    private static let devicesMost = 512

    package init(_ limits: Limits) { self.limits = limits }

    /// Counts a connection of a device, and decides whether to accept it.
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
