import Foundation
import Support
import Testing

/// Machines in network namespaces on one bridge, as on a local network; the bridge has a namespace of its own, which can
/// route to other networks.
///
/// It needs root and the `ip` command.
final class Bridge {
    /// The addresses that machines get.
    enum Addresses {
        /// 10.78.0.N for machine N, counted from one, and link-local IPv6 addresses.
        case both
        /// Link-local IPv6 addresses alone.
        case version6
    }

    /// The namespace of the bridge, then those of the machines.
    private let names: [String]
    private let tag: String

    init(machines count: Int, _ addresses: Addresses = .both) throws {
        let tag = String(UInt32.random(in: 0...0xffff), radix: 16)
        self.tag = tag
        names = ["baton-\(tag)-br"] + (1...count).map { "baton-\(tag)-\($0)" }
        for name in names {
            try Network.run(["netns", "add", name])
            try Network.run(["-n", name, "link", "set", "lo", "up"])
        }
        try Network.run(["-n", names[0], "link", "add", "br0", "type", "bridge"])
        try Network.run(["-n", names[0], "link", "set", "br0", "up"])
        for place in 1...count {
            try Network.run([
                "link", "add", port(place), "netns", names[0], "type", "veth", "peer", "name", "eth0",
                "netns",
                names[place],
            ])
            try Network.run(["-n", names[0], "link", "set", port(place), "master", "br0", "up"])
            if case .both = addresses {
                try ip(place, "address", "add", "10.78.0.\(place)/24", "dev", "eth0")
            }
            try ip(place, "link", "set", "eth0", "up")
        }
    }

    deinit { for name in names { _ = try? Network.run(["netns", "delete", name]) } }

    /// The bridge's end of a machine's cable.
    private func port(_ place: Int) -> String { "b\(tag)\(place)" }

    /// Runs `ip` in the namespace of a machine, counted from one; zero is the bridge.
    func ip(_ place: Int, _ words: String...) throws { try Network.run(["-n", names[place]] + words) }

    /// Plugs a machine's cable into the bridge, or pulls it.
    func plug(_ place: Int, _ isIn: Bool) throws {
        try ip(0, "link", "set", port(place), isIn ? "up" : "down")
    }

    /// Takes a machine's cable out of the bridge, and gives the other end an address, as a router has.
    func route(_ place: Int, at address: String) throws {
        try ip(0, "link", "set", port(place), "nomaster")
        try ip(0, "address", "add", address, "dev", port(place))
        let line = "echo 1 > /proc/sys/net/ipv4/ip_forward"
        try Network.run(["netns", "exec", names[0], "/bin/sh", "-c", line])
    }

    /// The words that run a command on a machine.
    func on(_ place: Int, _ words: [String]) -> [String] {
        [Network.ip, "netns", "exec", names[place]] + words
    }

    /// Reads a file in the namespace of a machine.
    func read(_ place: Int, _ path: String) throws -> String {
        try Network.run(["netns", "exec", names[place], "cat", path])
    }
}
