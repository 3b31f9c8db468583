import Foundation
import Support
import Testing

/// Sets machines up on a local network, and waits for what happens between them.
struct LocalNetwork {
    /// The most time in which machines must find each other, with room for a slow machine.
    static let soon = Duration.seconds(10)

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A local network with its machines; the first one has an account, and its node runs.
    func start(
        _ names: String..., addresses: Bridge.Addresses = .both, configuration: [String: String] = [:]
    ) throws -> (bridge: Bridge, machines: [Machine]) {
        let bridge = try Bridge(machines: names.count, addresses)
        let machines = names.map { Machine($0, in: folder) }
        for machine in machines {
            guard let text = configuration[machine.name] else { continue }
            let path = folder.path + "/\(machine.name).json5"
            try File.write(text, to: path)
            machine.variables["BATON_CONFIG"] = path
        }
        try machines[0].must("init", "--no-confirm", "--name", names[0])
        try startNode(machines[0], at: 1, of: bridge)
        return (bridge, machines)
    }

    func startNode(_ machine: Machine, at place: Int, of bridge: Bridge) throws {
        try machine.startNode(by: bridge.on(place, [Products.baton, "node"]))
        try eventually("a node on \(machine.name): \(machine.log)") {
            try machine.baton("status").status == 0
        }
    }

    /// Has a machine join the inviter's account by the code alone, or at an address, and starts its node.
    func join(
        _ machine: Machine, at place: Int, of bridge: Bridge, by inviter: Machine, address: String? = nil
    ) throws {
        let words = [Products.baton, "join", try inviter.invite(), "--name", machine.name]
        let answer = try machine.type(bridge.on(place, words + (address.map { ["--at", $0] } ?? [])))
        try #require(answer.status == 0, "\(answer)\n\(inviter.log)")
        try startNode(machine, at: place, of: bridge)
    }

    /// Replaces the IPv4 address of a machine by 10.78.0.N.
    func renumber(_ place: Int, to number: Int, of bridge: Bridge) throws {
        try bridge.ip(place, "address", "delete", "10.78.0.\(place)/24", "dev", "eth0")
        try bridge.ip(place, "address", "add", "10.78.0.\(number)/24", "dev", "eth0")
    }

    /// Takes the second machine off the network, gives both machines other addresses, and waits until they have lost each
    /// other.
    func partAndRenumber(_ machines: [Machine], on bridge: Bridge) throws {
        try bridge.plug(2, false)
        for place in [1, 2] { try renumber(place, to: place + 10, of: bridge) }
        try eventually("that they have lost each other: \(machines[0].log)") {
            try !isConnected(machines[0], with: machines[1]) && !isConnected(machines[1], with: machines[0])
        }
    }

    /// Waits until both machines are in step with each other.
    func waitUntilInStep(_ machines: Machine..., within time: Duration = Self.soon) throws {
        for (one, other) in zip(machines, machines.reversed()) {
            try eventually("\(one.name) finds \(other.name): \(one.log)", within: time) {
                try one.json("status")["peers"].list.contains {
                    $0["device"]["name"].string == other.name && $0["inStep"].boolean == true
                }
            }
        }
    }

    func isConnected(_ one: Machine, with other: Machine) throws -> Bool {
        try one.json("status")["peers"].list.contains {
            $0["device"]["name"].string == other.name && $0["connected"].boolean == true
        }
    }
}
