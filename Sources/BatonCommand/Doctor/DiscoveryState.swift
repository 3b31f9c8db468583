package import BatonCore
package import BatonNetwork

/// Whether this machine and other machines on its local networks find each other.
package enum DiscoveryState: Equatable, Sendable {
    /// The node hears its own announcements on every network.
    case heard
    /// The configuration has turned discovery off.
    case off
    /// Only programs of this machine can connect to the node, so nothing is announced.
    case notNeeded
    /// This machine is connected to no network at all.
    case noCarrier
    /// Discovery does not work on every network, for this reason.
    case limited(String)

    /// Decides by the status of a node, and by the addresses on which it listens.
    package init(_ status: NodeStatus, listening addresses: [SocketAddress]) {
        switch status.discovery {
        case NodeStatus.discoveryOff: self = .off
        case let reason?: self = .limited(reason)
        case nil: self = addresses.allSatisfy(\.host.isLoopback) ? .notNeeded : .heard
        }
    }

    /// Whether the node announces this machine, or tries to.
    var isAnnouncing: Bool {
        switch self {
        case .heard, .limited: true
        case .off, .notNeeded, .noCarrier: false
        }
    }

    package func finding(of home: Home) -> Finding {
        switch self {
        case .heard:
            Finding(
                .discovery, "heard", .ok, "local networks", "this machine hears its own announcements")
        case .off:
            Finding(
                .discovery, "off", .note, "local networks",
                "discovery is off, as the configuration says: machines are reached at known addresses only",
                advice: "Remove `discovery: false` from the configuration file to have machines found.")
        case .notNeeded:
            Finding(
                .discovery, "notNeeded", .note, "local networks",
                "nothing is announced, since no other machine can connect")
        case .noCarrier:
            Finding(
                .discovery, "noCarrier", .note, "local networks",
                "not checked, since this machine is connected to no network")
        case .limited(let reason):
            Finding(
                .discovery, "limited", .warning, "local networks",
                VisibleText(reason.last == "." ? String(reason.dropLast()) : reason),
                advice:
                    "Let UDP port 5353 in, or set addresses with `baton devices DEVICE --at HOST:PORT\(home.option)`."
            )
        }
    }
}
