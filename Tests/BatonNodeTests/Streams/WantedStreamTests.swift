import BatonCore
import BatonNode
import Support
import Testing

/// What a device hears that wants a stream to an app of another one.
@Suite struct `A stream that is wanted` {
    /// A node with an app, and a device of the account that asks it.
    private struct Stage: ~Copyable {
        let node: RunningNode
        var app: ActedApp
        let far: ActedDevice
        private var number: UInt64 = 0

        init(takingTime: Duration = .seconds(30)) throws {
            let folder = try TemporaryFolder()
            let node = try RunningNode.first(folder, "near") { $0.streamTakingTime = takingTime }
            try node.admit("far")
            let far = try ActedDevice(try RunningNode.home(folder, "far"), callingPort: node.port)
            let app = try ActedApp(node)
            (self.node, self.far) = (node, far)
            self.app = app
        }

        /// Asks for a stream to an activity; answers with its number.
        mutating func ask(for activity: ActivitySummary) throws -> UInt64 {
            let name = ActivityName(
                device: activity.device.identifier, app: activity.app, instance: activity.instance)
            // Who made the connection has the odd ones.
            number += number == 0 ? 1 : 2
            far.say(.stream(StreamMessage(number, .open(name.key.identity))))
            return number
        }

        /// What the node says next of any stream.
        func next() throws -> StreamMessage {
            while let message = try far.next() {
                if case .stream(let message) = message { return message }
            }
            throw DeadlinePassed(description: "the node hung up")
        }

        /// Asks for a stream, and demands that there is none.
        mutating func expectRefusal(
            _ refusal: StreamRefusal, of activity: ActivitySummary,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let number = try ask(for: activity)
            let message = try next()
            #expect(message == StreamMessage(number, .refused(refusal)), sourceLocation: sourceLocation)
        }
    }

    @Test func `is refused for what is not for others to see, as if it were not there`() throws {
        var stage = try Stage()
        let kept = try stage.app.start("kept") { ($0.supportsStreams, $0.eligibility) = (true, []) }
        try stage.expectRefusal(.gone, of: kept)
        let shown = try stage.app.start("shown", instance: "2") { $0.supportsStreams = true }
        guard case .success = try stage.node.ask(ChangeSetting("private", to: 1)) else {
            throw DeadlinePassed(description: "private")
        }
        try stage.expectRefusal(.gone, of: shown)
    }

    @Test func `is refused by an app that offers none, and for one that is gone`() throws {
        var stage = try Stage()
        try stage.expectRefusal(.notOffered, of: try stage.app.start("plain"))
        let offered = try stage.app.start("offered", instance: "2") { $0.supportsStreams = true }
        stage.app = try ActedApp(stage.node)
        try eventually("the end of the app") {
            let number = try stage.ask(for: offered)
            guard try stage.next() == StreamMessage(number, .refused(.notTaken)) else { return false }
            return true
        }
    }

    @Test func `is refused for an app that does not come in time, and is not to be had then`() throws {
        var stage = try Stage(takingTime: .milliseconds(20))
        let offered = try stage.app.start("offered") { $0.supportsStreams = true }
        try stage.app.listen()
        try stage.expectRefusal(.notTaken, of: offered)
        guard case .streamWanted(let key, instance: "1", _) = try stage.app.event() else {
            throw DeadlinePassed(description: "an app that is told")
        }
        let answer = try stage.node.ask(AcceptStream(key))
        guard case .failure(let failure) = answer else { throw DeadlinePassed(description: "a refusal") }
        #expect(failure.code == .notFound)
    }

    @Test func `is told to the app no more once nobody wants it`() throws {
        var stage = try Stage()
        let offered = try stage.app.start("offered") { $0.supportsStreams = true }
        let number = try stage.ask(for: offered)
        stage.far.say(.stream(StreamMessage(number, .abort(.cancelled))))
        #expect(try stage.next() == StreamMessage(number, .refused(.gone)))
        // The app asks only now, and hears of the next one alone.
        try stage.app.listen()
        _ = try stage.ask(for: offered)
        guard case .streamWanted(2, instance: "1", _) = try stage.app.event() else {
            throw DeadlinePassed(description: "the second wish")
        }
    }

    @Test func `is a stream once the app has come, and broken on both sides when the link ends`() throws {
        var stage = try Stage()
        let offered = try stage.app.start("offered") { $0.supportsStreams = true }
        try stage.app.listen()
        let number = try stage.ask(for: offered)
        guard case .streamWanted(let key, _, _) = try stage.app.event() else {
            throw DeadlinePassed(description: "an app that is told")
        }
        var peer = try stage.node.connect()
        guard case .success = try peer.ask(AcceptStream(key)) else {
            throw DeadlinePassed(description: "a stream")
        }
        #expect(try stage.next() == StreamMessage(number, .opened))
        stage.far.say(.stream(StreamMessage(number, .data([1, 2, 3]))))
        let data = try #require(try peer.next())
        #expect(try LocalStreamMessage(data) == .data([1, 2, 3]))
        // What the rules forbid ends the link, and every stream with it.
        stage.far.say(.stream(StreamMessage(number, .opened)))
        let broken = try #require(try peer.next())
        #expect(try LocalStreamMessage(broken) == .abort(.linkGone))
        #expect(try peer.next() == nil)
    }
}
