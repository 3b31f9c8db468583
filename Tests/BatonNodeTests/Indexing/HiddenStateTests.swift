import BatonCore
import Support
import Testing

/// The client state of an index whose app is asked to index everything again, because a write of it was lost.
@Suite struct `The client state of an index during reindexing` {
    private static let notes = ClientStateName(app: "org.example.notes", index: "notes")

    /// Ends a batch of one deletion with a state.
    private static func end(
        _ state: UInt8, over app: inout LocalPeer, expecting expected: [UInt8]?? = .none
    ) throws -> LocalFailure.Code? {
        _ = try app.ask(ChangeIndex(notes, at: BatchPlace(1, offset: 0), [.deletion("1")])).get()
        let end = EndBatch(
            notes, batch: 1, count: 1, state: [state], isConditional: expected != nil,
            expected: expected ?? nil)
        if case .failure(let failure) = try app.ask(end) { return failure.code }
        return nil
    }

    private static func state(over app: inout LocalPeer) throws -> [UInt8]? {
        try app.ask(GetClientState(notes)).get().state
    }

    /// The state as a connection sees it that asks for nothing else.
    private static func state(at node: RunningNode) throws -> [UInt8]? {
        try node.ask(GetClientState(notes)).get().state
    }

    @Test func `is hidden, as are later states, until the app acknowledges the request`() throws {
        let folder = try TemporaryFolder()
        var node = try RunningNode.first(folder)
        var app = try node.connect()
        #expect(try Self.end(1, over: &app) == nil)
        _ = try app.ask(RequestReindexing(Self.notes, .all)).get()
        #expect(try Self.state(at: node) == nil)
        #expect(try Self.end(2, over: &app) == nil, "the write behind the lost one")
        #expect(try Self.state(at: node) == nil)
        node.stop()
        node = try RunningNode(folder)
        #expect(try Self.state(at: node) == nil, "also after a restart")
        _ = try node.ask(AcknowledgeReindexing(Self.notes, .all)).get()
        #expect(try Self.state(at: node) == [2])
    }

    @Test func `is shown again after an app that found it missing has stored a new state`()
        throws
    {
        let folder = try TemporaryFolder()
        var node = try RunningNode.first(folder)
        var app = try node.connect()
        var other = try node.connect()
        #expect(try Self.end(1, over: &app) == nil)
        _ = try node.ask(RequestReindexing(Self.notes, .all)).get()
        #expect(try Self.state(over: &app) == nil)
        #expect(try Self.end(2, over: &other) == nil)
        #expect(try Self.state(at: node) == nil, "the other connection goes on from what it knew")
        #expect(try Self.end(3, over: &app) == nil)
        #expect(try Self.state(at: node) == [3])
        node.stop()
        node = try RunningNode(folder)
        #expect(try Self.state(at: node) == [3], "also after a restart")
        #expect(
            try node.ask(AwaitReindexing([Self.notes])) == .success(ReindexingReply(Self.notes, .all)),
            "the app is still asked")

        app = try node.connect()
        _ = try node.ask(RequestReindexing(Self.notes, .all)).get()
        #expect(try Self.state(at: node) == nil)
        #expect(try Self.end(4, over: &app) == nil)
        #expect(try Self.state(at: node) == nil, "nobody has told this connection")
    }

    @Test func `counts as missing for a conditional batch, and a batch that expects no state starts over`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        #expect(try Self.end(1, over: &app) == nil)
        _ = try node.ask(RequestReindexing(Self.notes, .all)).get()
        #expect(try Self.end(2, over: &app, expecting: [1]) == .otherState)
        #expect(try Self.end(3, over: &app, expecting: .some(nil)) == nil)
        #expect(try Self.end(4, over: &app, expecting: [3]) == nil)
        #expect(try Self.state(at: node) == [4])
    }

    @Test func `stays visible if only some items must be reindexed`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        #expect(try Self.end(1, over: &app) == nil)
        _ = try node.ask(RequestReindexing(Self.notes, .items(["1"]))).get()
        #expect(try Self.state(at: node) == [1])
    }
}
