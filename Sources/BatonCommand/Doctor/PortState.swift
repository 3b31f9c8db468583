package import BatonCore
package import BatonNetwork
import Glibc

/// Whether the node's port accepts connections.
package enum PortState: Equatable, Sendable {
    /// The node accepts connections, and listens on these addresses.
    case open([String])
    /// The node accepts connections only from this machine.
    case localOnly([String])
    /// The node listens on this address, but does not accept connections there.
    case unanswered(String, reason: String)
    /// No node is running, and no program uses the node's usual port.
    case free(UInt16)
    /// No node is running on this home, but another program uses the node's usual port.
    case taken(UInt16)

    /// Tries the addresses on which a node says that it listens.
    package init(listening addresses: [SocketAddress], connecting connect: PortTrial.Connect) {
        for address in addresses {
            let near = address.isAny ? SocketAddress.loopback(port: address.port) : address
            if let error = connect(near) {
                self = .unanswered(near.description, reason: error.reason)
                return
            }
        }
        let texts = addresses.map(\.description)
        self = addresses.allSatisfy(\.host.isLoopback) ? .localOnly(texts) : .open(texts)
    }

    /// Tries the usual port.
    ///
    /// No node is running on this home.
    package init(withoutNode connect: PortTrial.Connect) {
        self = connect(.loopback(port: Home.port)) == nil ? .taken(Home.port) : .free(Home.port)
    }

    package func finding(of home: Home) -> Finding {
        switch self {
        case .open(let addresses):
            Finding(.port, "open", .ok, "port", "listening on \(addresses.joined(separator: ", "))")
        case .localOnly(let addresses):
            Finding(
                .port, "localOnly", .warning, "port",
                "listening on \(addresses.joined(separator: ", ")): other machines can't connect, but this one connects to them",
                advice:
                    "Start the node without --listen, or with an address of your network: `baton node --listen ADDRESS:PORT\(home.option)`."
            )
        case .unanswered(let address, let reason):
            Finding(
                .port, "unanswered", .problem, "port",
                "the node listens, but a connection to \(address) fails (\(reason))",
                advice: "Look at the firewall of this machine; as root: `\(FirewallTool.installed.look)`.")
        case .free(let port):
            Finding(.port, "free", .note, "port", "nothing uses port \(port), so the node can")
        case .taken(let port):
            Finding(
                .port, "taken", .warning, "port",
                "no node is running on this home, but another program uses port \(port)",
                advice:
                    "See which one with `ss -ltnp sport = :\(port)`; end it, or choose another port with `baton node --listen ADDRESS:PORT\(home.option)`."
            )
        }
    }
}

/// Whether other machines can reach the node, as far as this can be found out without being root.
package enum FirewallState: Equatable, Sendable {
    /// A device has connected from this address.
    case passed(device: String, from: String)
    /// The port answers at these addresses, tried from this machine.
    ///
    /// Whether other machines can reach it is unknown.
    case answersHere([String], FirewallTool)
    /// This machine can't connect to its own address.
    case blocked(String, reason: String, FirewallTool)
    /// This machine has no address at which other machines could reach it.
    case noAddress
    /// No interface of this machine has a carrier.
    ///
    /// The named interfaces have an address.
    case noCarrier([String])
    /// The node accepts connections only from this machine.
    case notNeeded
    /// The addresses of this machine could not be found out, for this reason.
    case unknown(String)

    /// Looks for a connection that another device has made, and otherwise tries the addresses of this machine.
    package init(
        listening addresses: [SocketAddress], own hosts: [SocketAddress.Host],
        accepted: (device: String, from: String)?, tool: FirewallTool, connecting connect: PortTrial.Connect
    ) {
        if let accepted {
            self = .passed(device: accepted.device, from: accepted.from)
            return
        }
        let outer = addresses.filter { !$0.host.isLoopback }
        guard !outer.isEmpty else {
            self = .notNeeded
            return
        }
        let places = outer.flatMap { address in
            guard address.isAny else { return [address] }
            return hosts.filter { $0.isVersion4 || !address.host.isVersion4 }
                .map { SocketAddress(host: $0, port: address.port) }
        }.prefix(Self.most)
        guard !places.isEmpty else {
            self = .noAddress
            return
        }
        for place in places {
            if let error = connect(place) {
                self = .blocked(place.description, reason: error.reason, tool)
                return
            }
        }
        self = .answersHere(places.map(\.description), tool)
    }

    /// The largest number of this machine's addresses that are tried.
    private static let most = 4

    package func finding(port: UInt16) -> Finding {
        switch self {
        case .passed(let device, let from):
            Finding(
                .firewall, "passed", .ok, "firewall",
                "“\(device)” has connected to this machine, from \(from)")
        case .answersHere(let addresses, let tool):
            Finding(
                .firewall, "answersHere", .note, "firewall",
                "the port answers at \(addresses.joined(separator: ", ")) from here; only root can see whether other machines get through",
                advice: "If another machine gets no answer, type here as root: `\(tool.allow(port: port))`.")
        case .blocked(let address, let reason, let tool):
            Finding(
                .firewall, "blocked", .problem, "firewall",
                "not even this machine reaches its own address \(address) (\(reason))",
                advice: "Type as root: `\(tool.allow(port: port))`.")
        case .noAddress:
            Finding(
                .firewall, "noAddress", .warning, "firewall",
                "this machine has no address at which others can reach it",
                advice: "Connect it to a network; `ip address` shows its addresses.")
        case .noCarrier(let names):
            Finding(
                .firewall, "noCarrier", .problem, "network",
                "\(names.joined(separator: ", ")) \(names.count == 1 ? "has" : "have") no carrier; the cable is out, or Wi-Fi is off",
                advice: "Connect this machine to a network; `ip link` shows the state of each interface.")
        case .unknown(let reason):
            Finding(.firewall, "unknown", .note, "firewall", "not checked (\(reason))")
        case .notNeeded:
            Finding(
                .firewall, "notNeeded", .note, "firewall", "not asked, since no other machine can connect")
        }
    }
}

/// The program that manages the firewall of this machine, as far as this can be found out without being root.
package enum FirewallTool: CaseIterable, Sendable {
    case ufw, firewalld, nftables

    /// The tool that runs or is installed.
    ///
    /// If neither firewalld nor ufw is found, it is nftables.
    package static var installed: FirewallTool {
        if access("/run/firewalld", F_OK) == 0 { return .firewalld }
        return access("/usr/sbin/ufw", X_OK) == 0 ? .ufw : .nftables
    }

    /// The command that shows the firewall's rules.
    package var look: VisibleText {
        switch self {
        case .ufw: "ufw status"
        case .firewalld: "firewall-cmd --list-all"
        case .nftables: "nft list ruleset"
        }
    }

    /// The command that lets connections to a port in.
    ///
    /// For nftables, it is the command that shows the rules.
    package func allow(port: UInt16) -> VisibleText {
        switch self {
        case .ufw: "ufw allow \(port)/tcp"
        case .firewalld: "firewall-cmd --permanent --add-port=\(port)/tcp && firewall-cmd --reload"
        case .nftables: "nft list ruleset"
        }
    }
}

/// Connects to an address to find out whether a program accepts connections there.
package enum PortTrial {
    /// Returns the reason why a connection to an address fails, or nil if the connection is accepted.
    package typealias Connect = (SocketAddress) -> NetworkError?

    /// How long to wait for an address of this machine.
    private static let patience = Duration.seconds(2)

    /// Connects, and closes the connection immediately.
    package static func connect(to address: SocketAddress) -> NetworkError? {
        do throws(NetworkError) {
            let loop = try EventLoop()
            defer { loop.close() }
            var outcome: ConnectAttempt.Outcome?
            let deadline = loop.now + patience
            try StreamConnection.connect(to: address, on: loop, deadline: deadline) { outcome = $0 }
            // The attempt reports a timeout at the deadline, so this wait always ends with an outcome.
            _ = loop.run(until: deadline + patience, or: { outcome != nil })
            switch outcome {
            case .success(let connection):
                connection.close()
                return nil
            case .failure(let error): return error
            case nil: preconditionFailure("an attempt to connect reports its outcome by its deadline")
            }
        } catch {
            return error
        }
    }
}

extension SocketAddress {
    /// The IPv4 address with which this machine connects to itself.
    static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(host: .version4(0x7f00_0001), port: port)
    }
}

extension SocketAddress.Host {
    /// Whether the address can be used only within this machine.
    var isLoopback: Bool {
        switch self {
        case .version4(let value): value >> 24 == 127
        case .version6(let high, let low, _): high == 0 && low == 1
        }
    }
}
