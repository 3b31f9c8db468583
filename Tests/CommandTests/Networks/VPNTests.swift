import Glibc
import Support
import Testing

/// Machines that meet on a local network, and later reach each other over a VPN alone.
@Suite(
    .enabled(
        if: NetworkNamespaces.arePossible,
        "network namespaces can't be made here: this takes root and the `ip` command"),
    .enabled(
        if: NetworkNamespaces.canHaveTunnels,
        "a VPN can't be played here: this takes /dev/net/tun and Python")
)
struct `Machines on a local network and a VPN` {
    private let network: LocalNetwork

    init() throws { network = try LocalNetwork() }

    /// Starts a VPN between the first machines of a bridge, where machine N has 10.99.0.N.
    private func startVPN(_ machines: [Machine], on bridge: Bridge) throws -> ChildProcess {
        let ends = (1...machines.count).flatMap { [bridge.namespace(of: $0), "10.99.0.\($0)/24"] }
        let vpn = try machines[0].begin([LANScript.path("vpn")] + ends)
        try eventually("a VPN: \(vpn.errors)") { vpn.output == "up\n" }
        return vpn
    }

    /// Takes a machine off the local network.
    private func leave(_ place: Int, _ bridge: Bridge) throws {
        try bridge.plug(place, false)
        try bridge.ip(place, "address", "flush", "dev", "eth0")
        try bridge.ip(place, "link", "set", "eth0", "down")
    }

    @Test
    func `a machine reachable only by VPN is found at an address that a person sets and devices pass on`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop", "tablet")
        for place in [1, 2] {
            try network.join(machines[place], at: place + 1, of: bridge, by: machines[0])
        }
        try network.waitUntilInStep(machines[0], machines[1])
        try network.waitUntilInStep(machines[1], machines[2])
        let vpn = try startVPN(machines, on: bridge)
        try leave(2, bridge)
        try eventually("that the desktop has lost the others: \(machines[1].log)") {
            try !network.isConnected(machines[1], with: machines[0])
        }
        let status = try machines[1].must("status")
        #expect(status.contains("discovery: this machine is on no local network"), "\(status)")
        try machines[1].must("devices", "laptop", "--at", "10.99.0.1")
        try network.waitUntilInStep(machines[0], machines[1])
        // The laptop reports the desktop's address to the tablet, or the tablet's and its own to the desktop.
        try network.waitUntilInStep(machines[1], machines[2], within: .seconds(20))
        let known = try machines[2].json("devices", "desktop")["devices"].list[0]["addresses"].list
        #expect(known.contains(.string("10.99.0.2:4817")), "\(known)")
        #expect(vpn.isRunning)
    }

    @Test func `machines whose VPN is stopped and started reconnect without a restart`() throws {
        let (bridge, machines) = try network.start("laptop", "desktop")
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        let vpn = try startVPN(machines, on: bridge)
        try leave(2, bridge)
        try machines[1].must("devices", "laptop", "--at", "10.99.0.1")
        try network.waitUntilInStep(machines[0], machines[1])
        vpn.end(SIGKILL)
        try eventually("that the VPN's end is noticed: \(machines[1].log)", within: LocalNetwork.soon) {
            try !network.isConnected(machines[1], with: machines[0])
                && !network.isConnected(machines[0], with: machines[1])
        }
        let again = try startVPN(machines, on: bridge)
        try network.waitUntilInStep(machines[0], machines[1])
        #expect(again.isRunning)
    }

    @Test func `a machine is found by its host name in a VPN, also after that name got another address`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop")
        let names = try NamesOfMachine(in: bridge.namespace(of: 2))
        // At first the name leads to an address that nobody has.
        try names.set("laptop.vpn", to: "10.99.0.77")
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        let vpn = try startVPN(machines, on: bridge)
        try leave(2, bridge)
        try eventually("that the desktop has lost the laptop: \(machines[1].log)") {
            try !network.isConnected(machines[1], with: machines[0])
        }
        try machines[1].must("devices", "laptop", "--at", "laptop.vpn")
        let advice = try machines[1].type(bridge.on(2, [Products.baton, "doctor", "laptop"]))
        #expect(advice.output.contains("10.99.0.77"), "\(advice)")
        #expect(try !network.isConnected(machines[1], with: machines[0]))
        try names.set("laptop.vpn", to: "10.99.0.1")
        try network.waitUntilInStep(machines[0], machines[1], within: .seconds(60))
        #expect(vpn.isRunning)
    }
}

/// The `/etc/hosts` of programs that are started in a network namespace from now on.
private final class NamesOfMachine {
    private let folder: String

    init(in namespace: String) throws {
        folder = "/etc/netns/\(namespace)"
        for path in ["/etc/netns", folder] where mkdir(path, 0o755) != 0 {
            try #require(errno == EEXIST, "no folder \(path)")
        }
    }

    deinit {
        unlink("\(folder)/hosts")
        rmdir(folder)
    }

    /// Lets a name lead to an address.
    ///
    /// The file stays the same one, which the namespace shows to programs that run.
    func set(_ name: String, to address: String) throws {
        let file = try #require(fopen("\(folder)/hosts", "w"))
        fputs("127.0.0.1 localhost\n\(address) \(name)\n", file)
        try #require(fclose(file) == 0)
    }
}
