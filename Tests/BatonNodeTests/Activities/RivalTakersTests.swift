import BatonCore
import BatonNode
import Support
import Testing

/// Devices that take an activity over by writes of their own, because the one where it was going on is away.
@Suite struct `Devices that take over without the origin` {
    /// Starts “Draft” on the first of three devices, and has both others take it over, neither knowing of the other.
    ///
    /// The third one does so last. None of them runs then.
    private func takenTwice(_ before: (inout ConnectedNodes, String) throws -> Void = { _, _ in }) throws -> (
        nodes: ConnectedNodes, draft: String
    ) {
        // What waits for its turn is published by the next node, and is later than what others did meanwhile.
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

    /// All tell that the third one has it.
    private func expectOneStory(_ nodes: ConnectedNodes, _ draft: String) throws {
        for place in 0...2 {
            try nodes.await([], on: place)
            try eventually("one story on \(place): \(nodes[place].lines)") {
                let ends = try nodes[place].list(.finished)
                return ends.count == 1 && ends[0].activity.isTaken && ends[0].continuedOn == "third"
            }
        }
        for place in [0, 1] {
            let failure = try nodes[place].refusal(of: ContinueActivity(.named(draft)))
            #expect(failure.code == .takenOver && failure.text.contains("“Draft” went on on “third”"))
        }
        #expect(try nodes[2].continued(ContinueActivity(.named(draft))).source == .finished)
    }

    @Test func `agree in the end on the one that did so last, and so does the origin once it is back`() throws
    {
        var (nodes, draft) = try takenTwice()
        for place in [1, 2, 0] { try nodes.start(place) }
        try nodes.waitUntilConnected()
        try expectOneStory(nodes, draft)
        try nodes.restart(0)
        try expectOneStory(nodes, draft)
    }

    @Test func `have the last word on what the origin's app said before, and nobody had heard`() throws {
        var (nodes, draft) = try takenTwice { nodes, _ in
            var app = try ActedApp(nodes[0])
            #expect(try app.update("Draft, unheard").activity.title == "Draft, unheard")
        }
        for place in [0, 1, 2] { try nodes.start(place) }
        try nodes.waitUntilConnected()
        try expectOneStory(nodes, draft)
    }

    @Test func `do not have it on what the origin's app says after, where it goes on everywhere`() throws {
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
