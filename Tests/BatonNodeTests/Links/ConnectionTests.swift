import BatonCore
import Support
import Testing

/// Two nodes that know each other's address.
@Suite struct `Connections between two nodes` {
    /// Returns how many connections to these ports the system has open.
    private func openConnections(to ports: Set<UInt16>) -> Int {
        (File.read("/proc/net/tcp") ?? "").split(separator: "\n").dropFirst().count { line in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[3] == "01", let port = fields[1].split(separator: ":").last else {
                return false
            }
            return UInt16(port, radix: 16).map(ports.contains) ?? false
        }
    }

    @Test func `two nodes that call each other simultaneously keep one connection`() throws {
        let folder = try TemporaryFolder()
        let quick: (inout Limits) -> Void = { $0.redialTime = .milliseconds(10)...(.milliseconds(100)) }
        let inviter = try RunningNode.first(folder, "near", quick)
        try inviter.admit("far")
        let joiner = try RunningNode(folder, "far", quick)
        // Each learns where the other listens.
        let areInStep = { (nodes: [RunningNode]) in
            try nodes.allSatisfy { try $0.peers().allSatisfy { $0.isInStep && !$0.addresses.isEmpty } }
        }
        try eventually("two nodes in step") { try areInStep([inviter, joiner]) }
        let addresses = ["127.0.0.1:\(inviter.port)", "127.0.0.1:\(joiner.port)"]
        let ports: Set = [inviter.port, joiner.port]
        inviter.stop()
        joiner.stop()

        for round in 0..<5 {
            let nodes = [
                try RunningNode(folder, "near", at: addresses[0], quick),
                try RunningNode(folder, "far", at: addresses[1], quick),
            ]
            try eventually("two nodes in step, round \(round)") { try areInStep(nodes) }
            // A late call may still replace the connection. After that it stays, because a node whose connection was
            // replaced does not call again.
            try eventually("one connection that stays, round \(round): \(nodes.map(\.lines))") {
                try (0..<50).allSatisfy { _ in try areInStep(nodes) && openConnections(to: ports) == 1 }
            }
            for node in nodes { node.stop() }
            #expect(nodes.allSatisfy { $0.failure == nil })
        }
    }

    @Test
    func `a node reconnects to a restarted node, and until then its status says why it is not connected`()
        throws
    {
        let folder = try TemporaryFolder()
        let quick: (inout Limits) -> Void = { $0.redialTime = .milliseconds(10)...(.milliseconds(50)) }
        let inviter = try RunningNode.first(folder, "near", quick)
        try inviter.admit("far")
        var joiner = try RunningNode(folder, "far", quick)
        let address = "127.0.0.1:\(joiner.port)"
        for _ in 0..<3 {
            try eventually("a connection") { try inviter.peers().contains { $0.isInStep } }
            joiner.stop()
            try eventually("a reason") {
                try inviter.peers().contains {
                    !$0.isConnected && $0.trouble?.contains("no program is listening at \(address)") == true
                }
            }
            joiner = try RunningNode(folder, "far", at: address, quick)
        }
        try eventually("a connection") { try inviter.peers().contains { $0.isInStep } }
    }

    @Test func `a node counts the changes that wait for a disconnected device, also after its own restart`()
        throws
    {
        var nodes = try ConnectedNodes(["near", "far"])
        try eventually("two nodes in step") { try nodes[0].peers().allSatisfy(\.isInStep) }
        try nodes.stop(1)
        func waiting() throws -> UInt64? { try nodes[0].peers().first?.backlog?.toSend }
        #expect(try waiting() == 0, "\(nodes[0].lines)")
        for count in 1...3 {
            var app = try ActedApp(nodes[0], app: "org.example.app\(count)")
            try app.start("Draft \(count)")
            // The end of an app's connection may end its activity, which is one more change.
            #expect(try waiting() ?? 0 >= UInt64(count))
        }
        nodes.end(0)
        try nodes.start(0)
        #expect(try waiting() ?? 0 >= 3, "\(nodes[0].lines)")
        try nodes.start(1)
        try eventually("both in step: \(nodes[0].lines)") {
            try nodes[0].peers().allSatisfy { $0.isInStep && $0.backlog?.toSend == 0 }
        }
    }
}
