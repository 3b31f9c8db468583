/// Machines in network namespaces on one bridge, as on a local network; the bridge has a namespace of its own, which can
/// route to other networks.
///
/// It needs what `NetworkNamespaces` needs.
package final class Bridge {
    /// The addresses that machines get.
    package enum Addresses: Sendable {
        /// 10.78.0.N for machine N, counted from one, and link-local IPv6 addresses.
        case both
        /// 10.78.0.N for machine N, and no IPv6.
        case version4
        /// Link-local IPv6 addresses alone.
        case version6
    }

    /// The namespace of the bridge, then those of the machines.
    private let names: [String]
    private let tag: String

    package init(machines count: Int, _ addresses: Addresses = .both) throws {
        let tag = String(UInt32.random(in: 0...0xffff), radix: 16)
        self.tag = tag
        names = ["baton-\(tag)-br"] + (1...count).map { "baton-\(tag)-\($0)" }
        for name in names {
            try NetworkNamespaces.run(["netns", "add", name])
            try NetworkNamespaces.run(["-n", name, "link", "set", "lo", "up"])
        }
        try NetworkNamespaces.run(["-n", names[0], "link", "add", "br0", "type", "bridge"])
        try NetworkNamespaces.run(["-n", names[0], "link", "set", "br0", "up"])
        for place in 1...count {
            try NetworkNamespaces.run([
                "link", "add", port(place), "netns", names[0], "type", "veth", "peer", "name", "eth0",
                "netns",
                names[place],
            ])
            try NetworkNamespaces.run(["-n", names[0], "link", "set", port(place), "master", "br0", "up"])
            switch addresses {
            case .both, .version4: try ip(place, "address", "add", "10.78.0.\(place)/24", "dev", "eth0")
            case .version6: break
            }
            if case .version4 = addresses {
                let line = "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6"
                try NetworkNamespaces.run(["netns", "exec", names[place], "/bin/sh", "-c", line])
            }
            try ip(place, "link", "set", "eth0", "up")
        }
    }

    deinit { for name in names { _ = try? NetworkNamespaces.run(["netns", "delete", name]) } }

    /// The bridge's end of a machine's cable.
    private func port(_ place: Int) -> String { "b\(tag)\(place)" }

    /// Runs `ip` in the namespace of a machine, counted from one; zero is the bridge.
    package func ip(_ place: Int, _ words: String...) throws {
        try NetworkNamespaces.run(["-n", names[place]] + words)
    }

    /// Plugs a machine's cable into the bridge, or pulls it.
    package func plug(_ place: Int, _ isIn: Bool) throws {
        try ip(0, "link", "set", port(place), isIn ? "up" : "down")
    }

    /// Loses all packets of a machine, which does not notice, or passes them on again.
    package func lose(_ place: Int, _ isLost: Bool) throws {
        if isLost {
            try ip(0, "link", "set", port(place), "nomaster")
        } else {
            try ip(0, "link", "set", port(place), "master", "br0")
        }
    }

    /// Takes a machine's cable out of the bridge, and gives the other end an address, as a router has.
    package func route(_ place: Int, at address: String) throws {
        try ip(0, "link", "set", port(place), "nomaster")
        try ip(0, "address", "add", address, "dev", port(place))
        let line = "echo 1 > /proc/sys/net/ipv4/ip_forward"
        try NetworkNamespaces.run(["netns", "exec", names[0], "/bin/sh", "-c", line])
    }

    /// The words that run a command on a machine.
    package func on(_ place: Int, _ words: [String]) -> [String] {
        [NetworkNamespaces.ip, "netns", "exec", names[place]] + words
    }

    /// The name of a machine's namespace.
    package func namespace(of place: Int) -> String { names[place] }

    /// Reads a file in the namespace of a machine.
    package func read(_ place: Int, _ path: String) throws -> String {
        try NetworkNamespaces.run(["netns", "exec", names[place], "cat", path])
    }
}
