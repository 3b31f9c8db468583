import Support

/// Machines in network namespaces, with links to the first one, which routes between the others.
///
/// It needs what `NetworkNamespaces` needs.
final class Network {
    /// The names of the namespaces, in the order of the machines.
    private let names: [String]
    /// A part of the names of the links' ends at the first machine.
    private let tag: String

    /// Creates namespaces for this many machines; machine 0 has 10.77.N.1 toward machine N, which has 10.77.N.2.
    init(machines count: Int) throws {
        let tag = String(UInt32.random(in: 0...0xffff), radix: 16)
        self.tag = tag
        names = (0..<count).map { "baton-\(tag)-\($0)" }
        for name in names {
            try NetworkNamespaces.run(["netns", "add", name])
            try NetworkNamespaces.run(["-n", name, "link", "set", "lo", "up"])
        }
        for place in 1..<count {
            try NetworkNamespaces.run([
                "link", "add", "b\(tag)\(place)", "netns", names[0], "type", "veth", "peer", "name", "cable",
                "netns", names[place],
            ])
            try ip(0, "link", "set", "b\(tag)\(place)", "up")
            try ip(place, "link", "set", "cable", "up")
            try ip(0, "address", "add", "10.77.\(place).1/24", "dev", "b\(tag)\(place)")
            try ip(place, "address", "add", "10.77.\(place).2/24", "dev", "cable")
            try ip(place, "route", "add", "default", "via", "10.77.\(place).1")
        }
        try forward(true)
    }

    /// Lets the first machine pass packets between the others, or not.
    func forward(_ isOn: Bool) throws {
        let line = "echo \(isOn ? 1 : 0) > /proc/sys/net/ipv4/ip_forward"
        try NetworkNamespaces.run(["netns", "exec", names[0], "/bin/sh", "-c", line])
    }

    deinit { for name in names { _ = try? NetworkNamespaces.run(["netns", "delete", name]) } }

    /// Runs `ip` in the namespace of a machine.
    func ip(_ place: Int, _ words: String...) throws {
        try NetworkNamespaces.run(["-n", names[place]] + words)
    }

    /// Replaces the address of a link's end at a machine.
    func renumber(_ place: Int, of cable: Int, from old: String, to new: String) throws {
        let device = place == 0 ? "b\(tag)\(cable)" : "cable"
        try ip(place, "address", "delete", old, "dev", device)
        try ip(place, "address", "add", new, "dev", device)
    }

    /// The words that run a command on a machine.
    func on(_ place: Int, _ words: [String]) -> [String] {
        [NetworkNamespaces.ip, "netns", "exec", names[place]] + words
    }
}
