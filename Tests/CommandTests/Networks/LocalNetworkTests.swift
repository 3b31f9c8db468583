import BatonCore
import Foundation
import Support
import Testing

/// Machines on a local network, which find each other without being told an address; `make lan-test` runs these.
@Suite(
    .enabled(
        if: NetworkNamespaces.arePossible,
        "network namespaces can't be made here: this takes root and the `ip` command")
)
struct `Machines on a local network` {
    private let network: LocalNetwork

    init() throws { network = try LocalNetwork() }

    @Test(arguments: [Bridge.Addresses.both, .version6])
    func `a machine joins by the code without an address, and an activity is handed over`(
        _ addresses: Bridge.Addresses
    )
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop", addresses: addresses)
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        try machines[0].must("start", "editing", "--instance", "a", "--title", "Letter")
        try machines[1].waitForActivity(titled: "Letter")
        let continued = try machines[1].must("continue", "editing", "--no-handler")
        #expect(continued.contains("fresh from “laptop”"), "\(continued)")
        #expect(try machines[0].json("status")["discovery"] == .null)
    }

    @Test func `members that never met find each other, and a joiner with a wrong code finds no machine`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop", "tablet")
        for place in [1, 2] { try network.join(machines[place], at: place + 1, of: bridge, by: machines[0]) }
        #expect(try machines[0].stopNode() == 0)
        try network.waitUntilInStep(machines[1], machines[2])
        let stranger = Machine("stranger", in: network.folder)
        let answer = try stranger.type(
            bridge.on(3, [Products.baton, "join", "lemon-tiger-cloud", "--name", "stranger"]))
        #expect(answer.status != 0)
        #expect(answer.errors.contains("No machine on the local network has an open invitation"), "\(answer)")
        #expect(answer.errors.contains("--at HOST:PORT"))
    }

    @Test func `machines find each other after all their addresses changed while they were disconnected`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop")
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        try network.partAndRenumber(machines, on: bridge)
        try bridge.plug(2, true)
        try network.waitUntilInStep(machines[0], machines[1])
    }

    @Test func `a machine that changes its address repeatedly is reconnected each time`() throws {
        let (bridge, machines) = try network.start("laptop", "desktop", addresses: .version4)
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        // The other device, with the larger identifier, closes no connection that was left behind.
        let identifiers = try machines.map { try $0.json("status")["device"]["id"].string ?? "" }
        let mover = identifiers[0] < identifiers[1] ? 0 : 1
        func since() throws -> String? {
            let peer = try machines[mover].json("status")["peers"].list[0]
            return peer["inStep"].boolean == true ? peer["connectedSince"].string : nil
        }
        var last = try since()
        var number = mover + 1
        for round in 0..<2 * Limits().deviceLinks {
            try bridge.ip(mover + 1, "address", "delete", "10.78.0.\(number)/24", "dev", "eth0")
            number = 20 + round
            try bridge.ip(mover + 1, "address", "add", "10.78.0.\(number)/24", "dev", "eth0")
            last = try eventual("round \(round): \(machines[1 - mover].log)", within: LocalNetwork.soon) {
                () -> String? in
                guard let now = try since(), now != last else { return nil }
                return now
            }
        }
    }

    @Test func `after a short interruption of the bridge, machines are soon in step again`() throws {
        let (bridge, machines) = try network.start("laptop", "desktop")
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        for place in [1, 2] { try bridge.plug(place, false) }
        try machines[0].must("start", "editing", "--instance", "a", "--title", "Written apart")
        for place in [1, 2] { try bridge.plug(place, true) }
        try machines[1].waitForActivity(titled: "Written apart")
        try network.waitUntilInStep(machines[0], machines[1])
    }

    @Test func `a machine moved to a network without multicast finds the others at a set address`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop")
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        // The laptop's address is a private one, which may be another machine's in the other network.
        try machines[1].must("devices", "laptop", "--at", "10.78.0.1")
        // The bridge becomes the router between the two networks.
        try bridge.ip(0, "address", "add", "10.78.0.254/24", "dev", "br0")
        try bridge.ip(1, "route", "add", "default", "via", "10.78.0.254")
        try bridge.route(2, at: "10.79.0.254/24")
        try bridge.ip(2, "address", "delete", "10.78.0.2/24", "dev", "eth0")
        try bridge.ip(2, "link", "set", "eth0", "multicast", "off")
        try bridge.ip(2, "address", "add", "10.79.0.2/24", "dev", "eth0")
        try bridge.ip(2, "route", "add", "default", "via", "10.79.0.254")
        try eventually("the new address on the laptop: \(machines[1].log)", within: .seconds(40)) {
            try machines[0].json("status")["peers"].list.contains {
                $0["inStep"].boolean == true && $0["addresses"].list.contains(.string("10.79.0.2:4817"))
            }
        }
        let status = try machines[1].must("status")
        #expect(status.contains("discovery: this machine is on no local network"), "\(status)")
    }

    @Test func `two accounts on one machine are announced independently, and each finds its own devices`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop")
        try machines[0].must("init", "--no-confirm", "--name", "laptop", "--account", "work")
        for account in [[], ["--account", "work"]] {
            let invited = try machines[0].type([Products.baton, "invite", "--no-wait", "--json"] + account)
            let code = try #require(try JSONValue(invited.output)["code"].string)
            let answer = try machines[1].type(
                bridge.on(2, [Products.baton, "join", code, "--name", "desktop"] + account))
            try #require(answer.status == 0, "\(answer)")
        }
        try network.startNode(machines[1], at: 2, of: bridge)
        for account in ["default", "work"] {
            try eventually("the account \(account): \(machines[1].log)", within: LocalNetwork.soon) {
                try machines[1].json("status", "--account", account)["peers"].list.contains {
                    $0["inStep"].boolean == true
                }
            }
        }
        let ids = try ["default", "work"].map { account in
            try machines[1].json("status", "--account", account)["account"].string
        }
        #expect(ids[0] != ids[1])
    }

    @Test func `with discovery off a node opens no multicast socket, and joining asks for an address`() throws
    {
        let off = "{ discovery: false }"
        let (bridge, machines) = try network.start(
            "laptop", "desktop", configuration: ["laptop": off, "desktop": off])
        let code = try machines[0].invite()
        let words = [Products.baton, "join", code, "--name", "desktop"]
        let refused = try machines[1].type(bridge.on(2, words))
        #expect(refused.status == 2 && refused.errors.contains("--at HOST:PORT"), "\(refused)")
        let joined = try machines[1].type(bridge.on(2, words + ["--at", "10.78.0.1"]))
        #expect(joined.status == 0, "\(joined)")
        try network.startNode(machines[1], at: 2, of: bridge)
        try network.waitUntilInStep(machines[0], machines[1])
        for place in [1, 2] {
            // 14E9 is port 5353.
            for table in ["udp", "udp6"] {
                #expect(try !bridge.read(place, "/proc/net/\(table)").contains(":14E9 "))
            }
            let counts = try bridge.read(place, "/proc/net/snmp").split(separator: "\n").filter {
                $0.hasPrefix("Udp: ")
            }
            let heads = counts[0].split(separator: " "), values = counts[1].split(separator: " ")
            let sent = try #require(heads.firstIndex(of: "OutDatagrams"))
            #expect(values[sent] == "0")
        }
        #expect(try machines[0].must("status").contains("discovery: off, as the configuration says"))
    }

    @Test func `a machine is announced only on the configured interfaces`() throws {
        let (bridge, machines) = try network.start(
            "laptop", "desktop", configuration: ["laptop": "{ announce: ['10.78.0.1'] }"])
        try bridge.ip(1, "link", "add", "other", "type", "veth", "peer", "name", "end")
        try bridge.ip(1, "address", "add", "10.99.0.1/24", "dev", "other")
        for end in ["other", "end"] { try bridge.ip(1, "link", "set", end, "up") }
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        // The line of an interface ends with the number of programs that listen to a group: FB0000E0 is 224.0.0.251.
        let groups = try bridge.read(1, "/proc/net/igmp")
        #expect(groups.components(separatedBy: "FB0000E0").count == 2, "\(groups)")
    }

    @Test func `a hostile announcer gets no connection, and a node's memory stays bounded`() throws {
        let (bridge, machines) = try network.start("laptop", "desktop", "hostile")
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        let before = try residentBytes(of: machines[0])
        let hostile = try machines[2].begin(
            bridge.on(3, [LANScript.path("hostile-announcer"), "10.78.0.3", "8"]))
        // Both are on the air anew, so that their announcements are heard, and repeated.
        for place in [1, 2] { try network.renumber(place, to: place + 20, of: bridge) }
        try network.waitUntilInStep(machines[0], machines[1])
        #expect(try hostile.wait() == 0, "\(hostile.errors)")
        let counts = hostile.output.split(whereSeparator: { $0 == " " || $0 == "\n" })
        func count(_ name: Substring) -> Int {
            counts.firstIndex(of: name).flatMap { Int(counts[$0 + 1]) } ?? -1
        }
        #expect(count("made") > 1000 && count("repeated") > 0, "\(hostile.output)")
        #expect(count("connections") == 0 && count("bytes") == 0, "\(hostile.output)")
        #expect(try residentBytes(of: machines[0]) - before < 8 << 20)
        try network.waitUntilInStep(machines[0], machines[1])
    }

    @Test
    func
        `in another network no address of a replayed announcement and no earlier private address is dialled`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop", "recorder", addresses: .version4)
        // All machines know the router of this network by its hardware address.
        for place in [1, 2] { try setRouter("02:00:00:00:00:01", of: place, on: bridge) }
        try restartNode(machines[0], at: 1, of: bridge)
        let file = network.folder.path + "/announcement"
        let recorder = try machines[2].begin(
            bridge.on(
                3, [LANScript.path("replaying-announcer"), "record", "10.78.0.3", "10.78.0.2", file, "30"]))
        try eventually("a recorder") { recorder.output.contains("recording") }
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        #expect(try recorder.wait() == 0, "\(recorder.errors)")
        #expect(try machines[1].stopNode() == 0)
        try bridge.ip(2, "address", "delete", "10.78.0.2/24", "dev", "eth0")
        try bridge.ip(3, "address", "add", "10.78.0.2/24", "dev", "eth0")
        // The laptop's kernel would send to the desktop's hardware address for some time yet.
        try bridge.ip(1, "neighbour", "flush", "to", "10.78.0.2", "dev", "eth0")

        // In the network where it was recorded, the node dials the address, which is the device's there.
        let here = try replay(file, by: machines[2], on: bridge, seconds: 30)
        #expect(here("connections") > 0 && here("bytes") > 200)
        // The laptop gets the same address in a network with another router.
        _ = try machines[0].stopNode()
        try setRouter("02:00:00:00:00:02", of: 1, on: bridge)
        try network.startNode(machines[0], at: 1, of: bridge)
        let elsewhere = try replay(file, by: machines[2], on: bridge, seconds: 6)
        #expect(elsewhere("repeated") > 10)
        #expect(elsewhere("connections") == 0 && elsewhere("bytes") == 0, "\(machines[0].log)")
    }

    @Test
    func `two machines that share an identity report each other's address until one of them stops`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "copy")
        #expect(try machines[0].stopNode() == 0)
        try FileManager.default.copyItem(atPath: machines[0].home, toPath: machines[1].home)
        try network.startNode(machines[0], at: 1, of: bridge)
        try network.startNode(machines[1], at: 2, of: bridge)
        func trouble(_ machine: Machine) throws -> String? {
            try machine.json("status")["troubles"].list.compactMap(\.string).first {
                $0.contains("another machine uses the identity of this device: it announces itself at ")
            }
        }
        for machine in machines {
            try eventually("a word about the other machine: \(machine.log)", within: LocalNetwork.soon) {
                try trouble(machine) != nil
            }
        }
        #expect(try machines[1].stopNode() == 0)
        try eventually("the end of the trouble", within: LocalNetwork.soon) {
            try trouble(machines[0]) == nil
        }
    }

    /// Repeats an announcement from the address that it names, for so long or until a hint has come, and returns the counts
    /// that the script tells.
    private func replay(
        _ file: String, by machine: Machine, on bridge: Bridge, seconds: Int
    ) throws -> (Substring) -> Int {
        let replay = try machine.begin(
            bridge.on(
                3, [LANScript.path("replaying-announcer"), "replay", "10.78.0.2", file, "\(seconds)"]))
        #expect(try replay.wait() == 0, "\(replay.errors)")
        let words = replay.output.split(whereSeparator: { $0 == " " || $0 == "\n" })
        return { name in words.firstIndex(of: name).flatMap { Int(words[$0 + 1]) } ?? -1 }
    }

    /// Gives a machine a default router with this hardware address.
    private func setRouter(_ hardware: String, of place: Int, on bridge: Bridge) throws {
        try bridge.ip(
            place, "neighbour", "replace", "10.78.0.254", "lladdr", hardware, "dev", "eth0", "nud",
            "permanent")
        try bridge.ip(place, "route", "replace", "default", "via", "10.78.0.254", "dev", "eth0")
    }

    private func restartNode(_ machine: Machine, at place: Int, of bridge: Bridge) throws {
        try #require(try machine.stopNode() == 0)
        try network.startNode(machine, at: place, of: bridge)
    }

    /// The memory that a machine's node occupies.
    private func residentBytes(of machine: Machine) throws -> Int {
        let number = try #require(machine.nodeNumber)
        let line = try #require(
            File.read("/proc/\(number)/status")?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(whereSeparator: { !$0.isNumber })[0])) << 10
    }
}
