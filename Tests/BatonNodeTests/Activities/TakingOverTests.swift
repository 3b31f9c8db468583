import BatonCore
import BatonNode
import Support
import Testing

/// Continuing an activity so that it ends on its own device.
@Suite struct `Taking over an activity` {
    @Test
    func
        `an activity that is taken over ends on every device within a second, with the taker's name`()
        throws
    {
        var nodes = try ConnectedNodes(["near", "far", "third"])
        var app = try ActedApp(nodes[0])
        let started = try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        try nodes.await(["Draft"], on: 2)
        let continued = try nodes[1].continued(ContinueActivity(.last, takes: true))
        #expect(continued.isTaken && continued.source == .node)
        let deadline = ContinuousClock.now + .seconds(1)
        for place in 0...2 {
            try eventually("its end on \(place)", within: deadline - ContinuousClock.now) {
                try nodes[place].titles() == []
            }
        }
        guard case .wasContinued("1", let device, true) = try app.event() else {
            return #expect(Bool(false), "the app was not notified")
        }
        #expect(device.name == "far")
        // The old identifier, short or whole, gets a refusal on every device, also after the origin was restarted.
        for identifier in [started.identifier, String(started.identifier.prefix(8))] {
            for place in [0, 2] {
                try expectTakenOver(identifier, to: "far", on: nodes[place])
            }
        }
        try nodes.restart(0)
        try expectTakenOver(started.identifier, to: "far", on: nodes[0])
        // The device that took it over can continue it again.
        let again = try nodes[1].continued(ContinueActivity(.named(started.identifier)))
        #expect(again.source == .finished && again.summary.activity.title == "Draft")
        let finished = try #require(try nodes[2].list(.finished).first)
        let back = try nodes[2].continued(ContinueActivity(.named(finished.identifier)))
        #expect(
            back.source == .finished, "any device can continue it by the identifier of the finished activity")
    }

    private func expectTakenOver(_ identifier: String, to device: String, on node: RunningNode) throws {
        try eventually("a refusal that names the device: \(node.lines)") {
            let failure = try node.refusal(of: ContinueActivity(.named(identifier)))
            return failure.code == .takenOver && failure.text.contains("“Draft” was continued on “\(device)”")
        }
    }

    @Test func `if two devices take over an activity simultaneously, one succeeds and the other is refused`()
        throws
    {
        let nodes = try ConnectedNodes(["near", "far", "third"])
        var app = try ActedApp(nodes[0])
        let draft = try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        try nodes.await(["Draft"], on: 2)
        try app.listen()
        var far = try ActedApp(nodes[1])
        var third = try ActedApp(nodes[2])
        let call = ContinueActivity(.named(draft.identifier), takes: true)
        let questions = (try far.begin(call), try third.begin(call))
        guard case .save(let number, _) = try app.event() else {
            return #expect(Bool(false), "the app was not asked to save")
        }
        _ = try app.ask(ReportSaved(number, nil))
        let answers = [try far.answer(to: questions.0), try third.answer(to: questions.1)]
        var (taken, refused): ([Int], [LocalFailure.Code]) = ([], [])
        for place in 0...1 {
            switch answers[place] {
            case .success(let continued):
                #expect(continued.isTaken)
                taken.append(place)
            case .failure(let failure): refused.append(failure.code)
            }
        }
        #expect(taken.count == 1 && refused == [.takenOver])
        for place in 0...2 {
            try nodes.await([], on: place)
            try eventually("one result on \(place)") {
                guard let end = try nodes[place].list(.finished).first else { return false }
                return end.activity.isTaken && end.continuedOn == (taken == [0] ? "far" : "third")
            }
        }
    }

    @Test func `an activity taken over while its device is away ends there when the device is back`() throws {
        var nodes = try ConnectedNodes(["near", "far"])
        do {
            var app = try ActedApp(nodes[0])
            try app.start("Draft")
        }
        try nodes.await(["Draft"], on: 1)
        try nodes.stop(0)
        let continued = try nodes[1].continued(ContinueActivity(.last, takes: true))
        #expect(continued.source == .replica && continued.isTaken)
        try nodes.await([], on: 1)
        try nodes.restart(0)
        try nodes.await([], on: 0)
        let end = try #require(try nodes[0].list(.finished).first)
        #expect(end.activity.isTaken && end.continuedOn == "far")
    }
}
