import BatonCore
import BatonNode
import Support
import Testing

/// Devices that take over an activity by their own writes, because its device (the origin) is away.
@Suite struct `Two takeovers while the origin is away` {
    /// Starts “Draft” on the first of three devices, and takes it over on both others, which are not connected.
    ///
    /// The third device takes it over last. No node runs afterwards.
    private func takenTwice(_ before: (inout ConnectedNodes, String) throws -> Void = { _, _ in }) throws -> (
        nodes: ConnectedNodes, draft: String
    ) {
        // Without the pause, no change is left for the next start of the node, where it would count as later.
        var nodes = try ConnectedNodes(["near", "far", "third"]) { $0.publishingPause = .zero }
        let draft: String
        do {
            var app = try ActedApp(nodes[0])
            draft = try app.start("Draft").identifier
        }
        for place in [1, 2] { try nodes.await(["Draft"], on: place) }
        for place in [1, 2] { nodes.end(place) }
        try before(&nodes, draft)
        nodes.end(0)
        for place in [1, 2] {
            try untilLater()
            try nodes.start(place)
            let taken = try nodes[place].continued(ContinueActivity(.named(draft), takes: true))
            #expect(taken.isTaken && taken.source == .replica && taken.summary.activity.title == "Draft")
            #expect(try nodes[place].titles() == [])
            nodes.end(place)
        }
        return (nodes, draft)
    }

    /// Checks that all devices say that the third one has the activity.
    private func expectOneResult(_ nodes: ConnectedNodes, _ draft: String) throws {
        for place in 0...2 {
            try nodes.await([], on: place)
            try eventually("one result on \(place): \(nodes[place].lines)") {
                let ends = try nodes[place].list(.finished)
                return ends.count == 1 && ends[0].activity.isTaken && ends[0].continuedOn == "third"
            }
        }
        for place in [0, 1] {
            let failure = try nodes[place].refusal(of: ContinueActivity(.named(draft)))
            #expect(failure.code == .takenOver && failure.text.contains("“Draft” was continued on “third”"))
        }
        #expect(try nodes[2].continued(ContinueActivity(.named(draft))).source == .finished)
    }

    @Test func `the later of two takeovers wins on every device, also on the origin`() throws {
        var (nodes, draft) = try takenTwice()
        for place in [1, 2, 0] { try nodes.start(place) }
        try nodes.waitUntilConnected()
        try expectOneResult(nodes, draft)
        try nodes.restart(0)
        try expectOneResult(nodes, draft)
    }

    @Test func `a takeover wins over an earlier update that the origin had not sent`() throws {
        var (nodes, draft) = try takenTwice { nodes, _ in
            var app = try ActedApp(nodes[0])
            #expect(try app.update("Draft, unheard").activity.title == "Draft, unheard")
        }
        for place in [0, 1, 2] { try nodes.start(place) }
        try nodes.waitUntilConnected()
        try expectOneResult(nodes, draft)
    }

    @Test func `a later update of the origin wins over a takeover, and the activity goes on`() throws {
        var (nodes, draft) = try takenTwice()
        try untilLater()
        try nodes.start(0)
        var app = try ActedApp(nodes[0])
        #expect(try app.update("Draft, later").identifier == draft)
        for place in [1, 2] { try nodes.start(place) }
        try nodes.waitUntilConnected()
        for place in 0...2 { try nodes.await(["Draft, later"], on: place) }
        for place in [1, 2] {
            let continued = try nodes[place].continued(ContinueActivity(.named(draft)))
            #expect(continued.source == .node && continued.summary.activity.title == "Draft, later")
        }
    }
}
