import BatonCore
import Foundation
import Support

extension Benchmark {
    static let renumbered = Benchmark(
        name: "renumbered", what: "from another address of a machine to the next connection between two nodes"
    ) { settings in
        guard !isSkipped("renumbered") else { return [] }
        let folder = try TemporaryFolder()
        let rounds = settings.pick(10, quick: 2)
        let version4 = try times(.version4, in: folder, rounds) { bridge, round in
            try bridge.ip(2, "address", "delete", "10.78.0.\(round + 1)/24", "dev", "eth0")
            try bridge.ip(2, "address", "add", "10.78.0.\(round + 2)/24", "dev", "eth0")
        }
        let version6 = try times(.version6, in: folder, rounds) { bridge, round in
            try bridge.ip(2, "address", "flush", "dev", "eth0", "scope", "link")
            try bridge.ip(2, "address", "add", "fe80::78:\(round)/64", "dev", "eth0")
        }
        return [
            Figure("renumbered, IPv4, median", version4.median, "s", reach: .atMost(2)),
            Figure("renumbered, IPv4, longest", version4.max() ?? .nan, "s"),
            Figure("renumbered, IPv6, median", version6.median, "s", reach: .atMost(4)),
            Figure("renumbered, IPv6, longest", version6.max() ?? .nan, "s"),
        ]
    }

    /// Changes the address of the second of two machines again and again, the rounds counted from one; returns how many
    /// seconds pass each time until the two are in step over a new connection.
    private static func times(
        _ addresses: Bridge.Addresses, in folder: TemporaryFolder, _ rounds: Int,
        _ renumber: (Bridge, Int) throws -> Void
    ) throws -> [Double] {
        let nodes = try BridgedNodes(in: folder, addresses)
        var times: [Double] = []
        for round in 1...rounds {
            // Announcements of the last address are repeated, and pauses between connections end.
            Thread.sleep(forTimeInterval: 5)
            let before = try nodes.second.status.peers[0].connectedSince
            let started = ContinuousClock.now
            try renumber(nodes.bridge, round)
            try eventually("a new connection, round \(round)", within: .seconds(60)) {
                let peer = try nodes.second.status.peers[0]
                return peer.isInStep && peer.connectedSince != before
            }
            times.append((ContinuousClock.now - started).seconds)
        }
        try nodes.stop()
        return times
    }
}
