import BatonCore
import BatonNode
import Support
import Testing

/// The answers to a device that requests a stream to an app of another device.
@Suite struct `A stream that another device requests` {
    /// A node with an app, and a device of the account that requests streams.
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

        /// Requests a stream to an activity, and returns its number.
        mutating func ask(for activity: ActivitySummary) throws -> UInt64 {
            let name = ActivityName(
                device: activity.device.identifier, app: activity.app, instance: activity.instance)
            // The side that made the connection uses odd numbers.
            number += number == 0 ? 1 : 2
            far.say(.stream(StreamMessage(number, .open(name.key.identity))))
            return number
        }

        /// Waits for the next message of the node about a stream.
        func next() throws -> StreamMessage {
            while let message = try far.next() {
                if case .stream(let message) = message { return message }
            }
            throw DeadlinePassed(description: "the node hung up")
        }

        /// Requests a stream, and checks that it is refused.
        mutating func expectRefusal(
            _ refusal: StreamRefusal, of activity: ActivitySummary,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let number = try ask(for: activity)
            let message = try next()
            #expect(message == StreamMessage(number, .refused(refusal)), sourceLocation: sourceLocation)
        }
    }

    @Test func `for a private activity is refused as if the activity did not exist`() throws {
        var stage = try Stage()
        let kept = try stage.app.start("kept") { ($0.supportsStreams, $0.eligibility) = (true, []) }
        try stage.expectRefusal(.gone, of: kept)
        let shown = try stage.app.start("shown", instance: "2") { $0.supportsStreams = true }
        guard case .success = try stage.node.ask(ChangeSetting("private", to: 1)) else {
            throw DeadlinePassed(description: "the device did not become private")
        }
        try stage.expectRefusal(.gone, of: shown)
    }

    @Test func `is refused if the app offers no streams, or has disconnected`() throws {
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

    @Test func `is refused on both devices if the app accepts it too late`() throws {
        var stage = try Stage(takingTime: .milliseconds(20))
        let offered = try stage.app.start("offered") { $0.supportsStreams = true }
        try stage.app.listen()
        try stage.expectRefusal(.notTaken, of: offered)
        guard case .streamWanted(let key, instance: "1", _) = try stage.app.event() else {
            throw DeadlinePassed(description: "no event for the request")
        }
        let answer = try stage.node.ask(AcceptStream(key))
        guard case .failure(let failure) = answer else {
            throw DeadlinePassed(description: "the stream was accepted too late")
        }
        #expect(failure.code == .notFound)
    }

    @Test func `is never announced to the app if the request was cancelled`() throws {
        var stage = try Stage()
        let offered = try stage.app.start("offered") { $0.supportsStreams = true }
        let number = try stage.ask(for: offered)
        stage.far.say(.stream(StreamMessage(number, .abort(.cancelled))))
        #expect(try stage.next() == StreamMessage(number, .refused(.gone)))
        // The app awaits events only now, and gets only the next request.
        try stage.app.listen()
        _ = try stage.ask(for: offered)
        guard case .streamWanted(2, instance: "1", _) = try stage.app.event() else {
            throw DeadlinePassed(description: "no event for the second request")
        }
    }

    @Test func `opens once the app accepts it, and breaks on both sides when the link ends`() throws {
        var stage = try Stage()
        let offered = try stage.app.start("offered") { $0.supportsStreams = true }
        try stage.app.listen()
        let number = try stage.ask(for: offered)
        guard case .streamWanted(let key, _, _) = try stage.app.event() else {
            throw DeadlinePassed(description: "no event for the request")
        }
        var peer = try stage.node.connect()
        guard case .success = try peer.ask(AcceptStream(key)) else {
            throw DeadlinePassed(description: "the stream was not accepted")
        }
        #expect(try stage.next() == StreamMessage(number, .opened))
        stage.far.say(.stream(StreamMessage(number, .data([1, 2, 3]))))
        let data = try #require(try peer.next())
        #expect(try LocalStreamMessage(data) == .data([1, 2, 3]))
        // A message that breaks the protocol ends the link, and every stream with it.
        stage.far.say(.stream(StreamMessage(number, .opened)))
        let broken = try #require(try peer.next())
        #expect(try LocalStreamMessage(broken) == .abort(.linkGone))
        #expect(try peer.next() == nil)
    }
}
