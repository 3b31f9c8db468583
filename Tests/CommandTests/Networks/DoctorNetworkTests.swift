import Support
import Testing

/// Outcomes of `baton doctor` that depend on the network, which a test can spoil in a namespace.
@Suite(
    .enabled(
        if: NetworkNamespaces.arePossible,
        "network namespaces can't be made here: this takes root and the `ip` command")
)
struct `A checkup of machines on a local network` {
    private let network: LocalNetwork

    init() throws { network = try LocalNetwork() }

    @Test func `each fault of the port, the firewall and discovery is reported as such`() throws {
        let (bridge, machines) = try network.start("laptop")
        func checkup() throws -> Checkup { try Checkup(machines[0], by: bridge.on(1, [])) }
        let well = try checkup()
        #expect(well.answer.status == 0, "\(well)")
        #expect(well.outcomes("port") == ["open"] && well.outcomes("firewall") == ["answersHere"], "\(well)")
        #expect(well.outcomes("discovery") == ["heard"] && well.outcomes("names") == ["hidden"], "\(well)")
        #expect(well.advises("firewall", "type here as root"), "\(well)")

        // The rule stands before the table with the machine's own addresses, as a firewall does.
        try bridge.ip(1, "rule", "add", "preference", "10", "lookup", "local")
        try bridge.ip(1, "rule", "add", "preference", "5", "to", "10.78.0.1", "prohibit")
        try bridge.ip(1, "rule", "delete", "preference", "0")
        let blocked = try checkup()
        #expect(blocked.outcomes("firewall") == ["blocked"] && blocked.answer.status == 21, "\(blocked)")
        #expect(blocked.advises("firewall", "Type as root"), "\(blocked)")
        try bridge.ip(1, "rule", "delete", "preference", "5")

        try bridge.ip(1, "link", "set", "eth0", "multicast", "off")
        try eventually("the node's notice: \(machines[0].log)") {
            try machines[0].json("status")["discovery"].string?.contains("multicast") == true
        }
        let silent = try checkup()
        #expect(silent.outcomes("discovery") == ["limited"] && silent.advises("discovery", "UDP port 5353"))
        #expect(try silent.finding("discovery")["mark"].string == "warning")

        try bridge.ip(1, "link", "set", "eth0", "down")
        let alone = try checkup()
        #expect(
            alone.outcomes("firewall") == ["noCarrier"] && alone.advises("firewall", "ip link"), "\(alone)")
        try bridge.ip(1, "link", "set", "lo", "down")
        let deaf = try checkup()
        #expect(deaf.outcomes("port") == ["unanswered"] && deaf.answer.status == 21, "\(deaf)")
        try bridge.ip(1, "link", "set", "lo", "up")

        // The port is free without a node, and taken while the node of another home runs.
        #expect(try machines[0].stopNode() == 0)
        #expect(try checkup().outcomes("port") == ["free"])
        let other = Machine("other", in: network.folder)
        try other.must("init", "--no-confirm", "--name", "other")
        try network.startNode(other, at: 1, of: bridge)
        let taken = try checkup()
        #expect(taken.outcomes("port") == ["taken"] && taken.advises("port", "ss -ltnp"), "\(taken)")
    }

    @Test func `a peer's connection proves the firewall open, and failing addresses have different outcomes`()
        throws
    {
        // Only the desktop can dial.
        let (bridge, machines) = try network.start(
            "laptop", "desktop", configuration: ["desktop": "{ listen: ['127.0.0.1:4817'] }"])
        let (laptop, desktop) = (machines[0], machines[1])
        try network.join(desktop, at: 2, of: bridge, by: laptop)
        try network.waitUntilInStep(laptop, desktop)
        let near = try Checkup(laptop, by: bridge.on(1, []))
        #expect(near.outcomes("firewall") == ["passed"] && near.answer.status == 0, "\(near)")
        #expect(near.outcomes("device") == ["inStep"], "\(near)")
        let far = try Checkup(desktop, by: bridge.on(2, []))
        #expect(far.outcomes("port") == ["localOnly"] && far.outcomes("firewall") == ["notNeeded"], "\(far)")
        #expect(far.outcomes("discovery") == ["notNeeded"] && far.outcomes("names").isEmpty, "\(far)")

        #expect(try desktop.stopNode() == 0)
        try eventually("the end of the connection: \(laptop.log)") {
            try !network.isConnected(laptop, with: desktop)
        }
        let lost = try Checkup(laptop, "desktop", by: bridge.on(1, []))
        let device = try lost.finding("device")
        #expect(device["outcome"].string == "notConnected" && lost.answer.status == 21, "\(lost)")
        #expect(device["found"].string?.contains("last seen just now") == true, "\(lost)")
        #expect(try lost.outcome(at: "10.78.0.2:4817") == "refused", "\(lost)")
        // The laptop has no way to the first address, may not use the second one, and can't ask for the third.
        try bridge.ip(1, "route", "add", "prohibit", "198.51.100.7")
        let addresses = ["203.0.113.7:4817", "198.51.100.7:4817", "desktop.example:4817"]
        try laptop.must(
            "devices", "desktop", "--at", addresses[0], "--at", addresses[1], "--at", addresses[2])
        let checkup = try Checkup(laptop, "desktop", by: bridge.on(1, []))
        #expect(
            try addresses.map { try checkup.outcome(at: $0) }
                == ["unreachable", "forbidden", "nameUnanswered"], "\(checkup)")
        #expect(checkup.outcomes("firewall") == ["answersHere"] && checkup.answer.status == 21, "\(checkup)")
    }
}
