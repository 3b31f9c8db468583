import Foundation
import Support
import Testing

/// Machines in network namespaces, with links to the first one, which routes between the others.
///
/// It needs root and the `ip` command.
final class Network {
    /// The names of the namespaces, in the order of the machines.
    private let names: [String]
    /// A part of the names of the links' ends at the first machine.
    private let tag: String
    static let ip = "/usr/sbin/ip"

    /// Whether this process can make such a network.
    static let isPossible: Bool = {
        guard getuid() == 0, access(ip, X_OK) == 0 else { return false }
        let name = "baton-probe-\(getpid())"
        defer { _ = try? run(["netns", "delete", name]) }
        return (try? run(["netns", "add", name])) != nil
    }()

    /// Creates namespaces for this many machines; machine 0 has 10.77.N.1 toward machine N, which has 10.77.N.2.
    init(machines count: Int) throws {
        let tag = String(UInt32.random(in: 0...0xffff), radix: 16)
        self.tag = tag
        names = (0..<count).map { "baton-\(tag)-\($0)" }
        for name in names {
            try Self.run(["netns", "add", name])
            try Self.run(["-n", name, "link", "set", "lo", "up"])
        }
        for place in 1..<count {
            try Self.run([
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
        try Self.run(["netns", "exec", names[0], "/bin/sh", "-c", line])
    }

    deinit { for name in names { _ = try? Self.run(["netns", "delete", name]) } }

    /// Runs `ip` in the namespace of a machine.
    func ip(_ place: Int, _ words: String...) throws { try Self.run(["-n", names[place]] + words) }

    /// Replaces the address of a link's end at a machine.
    func renumber(_ place: Int, of cable: Int, from old: String, to new: String) throws {
        let device = place == 0 ? "b\(tag)\(cable)" : "cable"
        try ip(place, "address", "delete", old, "dev", device)
        try ip(place, "address", "add", new, "dev", device)
    }

    /// The words that run a command on a machine.
    func on(_ place: Int, _ words: [String]) -> [String] {
        [Self.ip, "netns", "exec", names[place]] + words
    }

    /// Runs `ip`, and returns its output.
    @discardableResult static func run(_ words: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let process = try ChildProcess([ip] + words, environment: [:], files: folder.path + "/ip")
        let ending = try process.wait()
        guard ending == 0 else {
            throw DeadlinePassed(description: "ip \(words.joined(separator: " ")): \(process.errors)")
        }
        return process.output
    }
}
