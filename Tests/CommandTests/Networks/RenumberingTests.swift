import Foundation
import Support
import Testing

/// Machines whose addresses change while their nodes are running, each in its own network namespace.
@Suite(
    .enabled(
        if: NetworkNamespaces.arePossible,
        "network namespaces can't be made here: this takes root and the `ip` command")
)
struct `Machines on networks of their own` {
    /// The most time that machines may take to find each other, far less than a dead connection lasts by itself.
    private static let soon = Duration.seconds(8)

    private let folder: TemporaryFolder
    private let network: Network
    private let machines: [Machine]

    /// Three machines of one account, which know of each other from the first one.
    init() throws {
        folder = try TemporaryFolder()
        network = try Network(machines: 3)
        machines = ["laptop", "desktop", "tablet"].map { [folder] in Machine($0, in: folder) }
        try machines[0].must("init", "--no-confirm", "--name", "laptop")
        try startNode(0)
    }

    private func startNode(_ place: Int) throws {
        try machines[place].startNode(by: network.on(place, [Products.baton, "node"]))
        try eventually("a node on \(machines[place].name): \(machines[place].log)") {
            try machines[place].baton("status").status == 0
        }
    }

    /// Has a machine join the first one, as the invitation proposes.
    private func join(_ place: Int) throws {
        let invitation = try machines[0].json("invite", "--no-wait")
        let addresses = invitation["addresses"].list.compactMap(\.string)
        #expect(invitation["address"].string == addresses.first)
        #expect(addresses.contains("10.77.\(place).1:4817") && !addresses.contains { $0.hasPrefix("127.") })
        let code = try #require(invitation["code"].string)
        // The port is the usual one.
        let words = ["join", code, "--at", "10.77.\(place).1", "--name", machines[place].name]
        let answer = try machines[place].type(network.on(place, [Products.baton] + words))
        try #require(answer.status == 0, "\(answer)")
        try startNode(place)
        try machines[place].waitUntilConnected(with: machines[0])
    }

    /// The status of one machine as another sees it.
    private func status(of other: Int, on place: Int) throws -> JSONValue {
        let name = machines[other].name
        return try #require(
            try machines[place].json("status")["peers"].list.first { $0["device"]["name"].string == name })
    }

    private func waitUntilConnected(_ place: Int, with other: Int) throws {
        for (one, another) in [(place, other), (other, place)] {
            try eventually("\(one) finds \(another): \(machines[one].log)", within: Self.soon) {
                try status(of: another, on: one)["inStep"].boolean == true
            }
        }
    }

    @Test func `machines find each other within seconds after one gets a new address`() throws {
        try join(1)
        let before = try status(of: 0, on: 1)["connectedSince"].string
        try network.renumber(1, of: 1, from: "10.77.1.2/24", to: "10.77.1.9/24")
        // The connection from the old address is dead, and the node knows.
        try eventually("the end of the old connection: \(machines[1].log)", within: Self.soon) {
            machines[1].log.contains("this machine no longer has the address 10.77.1.2")
        }
        try waitUntilConnected(1, with: 0)
        #expect(try status(of: 0, on: 1)["connectedSince"].string != before)
        try eventually("the new address on the laptop") {
            try status(of: 1, on: 0)["addresses"].list.contains(.string("10.77.1.9:4817"))
        }
    }

    @Test func `two machines that both got new addresses find each other at an address that a person sets`()
        throws
    {
        try join(1)
        // One changes, then the other, and neither hears of the other in between.
        try network.ip(1, "link", "set", "cable", "down")
        try network.renumber(1, of: 1, from: "10.77.1.2/24", to: "10.99.1.2/24")
        try network.renumber(0, of: 1, from: "10.77.1.1/24", to: "10.99.1.1/24")
        try network.ip(1, "link", "set", "cable", "up")
        try eventually("that they have lost each other") {
            try status(of: 1, on: 0)["connected"].boolean == false
                && status(of: 0, on: 1)["connected"].boolean == false
        }
        let answer = try machines[1].must("devices", "laptop", "--at", "10.99.1.1")
        #expect(answer == "Looking for “laptop” at 10.99.1.1:4817.\n")
        try waitUntilConnected(1, with: 0)
        #expect(try machines[1].stopNode() == 0)
        try startNode(1)
        try waitUntilConnected(1, with: 0)
        let kept = try machines[1].json("devices", "laptop")["devices"].list[0]["namedAddresses"].list
        #expect(kept == [.string("10.99.1.1:4817")])
        try machines[1].must("devices", "laptop", "--no-at")
        #expect(try machines[1].must("devices", "laptop").contains("  found addresses: 10.99.1.1:4817"))
    }

    @Test func `two machines that a third one invited get in step`() throws {
        try join(1)
        try join(2)
        // The laptop, which admitted both, tells each the address of the other.
        try waitUntilConnected(1, with: 2)
        // They stay connected without it.
        #expect(try machines[0].stopNode() == 0)
        try machines[1].must("start", "editing", "--title", "without the laptop")
        try machines[2].waitForActivity(titled: "without the laptop")
    }

    @Test
    func `a dead connection is noticed within five seconds of a change of the network`()
        throws
    {
        try join(1)
        try join(2)
        try waitUntilConnected(1, with: 2)
        // The laptop between the two stops forwarding, which neither of them can know.
        try network.forward(false)
        // Two that dial each other at once have lost one of two connections already.
        let losses = { machines[2].log.components(separatedBy: "no longer connected with “desktop”").count }
        let before = losses()
        // The new address is no reason to end a connection by itself.
        try network.ip(2, "address", "add", "10.88.2.2/24", "dev", "cable")
        // Five seconds, with room for a busy machine; without the notice it may take a minute.
        try eventually("the end of the connection: \(machines[2].log)", within: .seconds(12)) {
            losses() > before
        }
        #expect(try status(of: 0, on: 2)["connected"].boolean == true)
        try eventually("the reason: \(machines[2].log)", within: .seconds(15)) {
            try machines[2].must("status").contains("; type `baton doctor desktop`")
        }
        try network.forward(true)
        try network.ip(2, "address", "delete", "10.88.2.2/24", "dev", "cable")
        try eventually("a new connection: \(machines[2].log)", within: .seconds(40)) {
            try status(of: 1, on: 2)["inStep"].boolean == true
        }
    }
}
