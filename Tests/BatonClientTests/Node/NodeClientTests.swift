import BatonClient
import BatonCore
import ClientSupport
import Support
import Synchronization
import Testing

@Suite struct `A client that threads share` {
    private static let index = ClientStateName(app: "org.example.notes", index: "default")

    /// A node that answers each question for a client state with the name of its index.
    private static func echo(in folder: TemporaryFolder? = nil) throws -> FakeNode {
        try FakeNode(in: folder) { call in
            switch call {
            case let get as GetClientState: .reply(ClientStateReply(Array(get.index.index.utf8)))
            case is AwaitEvent, is AwaitReindexing: .silence
            case is StartActivity: .reply(Example.summary())
            default: .reply(Done())
            }
        }
    }

    @Test func `each thread gets the answers to its own calls`() throws {
        let node = try Self.echo()
        let client = NodeClient(try node.home)
        let right = Mutex(0)
        for thread in 0..<8 {
            detach {
                for number in 0..<100 {
                    let name = "\(thread).\(number)"
                    client.ask(GetClientState(ClientStateName(app: "a", index: name))) { result in
                        if case .success(let reply) = result, reply.state == Array(name.utf8) {
                            right.withLock { $0 += 1 }
                        }
                    }
                }
            }
        }
        try eventually("all answers") { right.withLock { $0 } == 800 }
    }

    @Test func `concurrent callers get their own answers, and a failure when the node closes the connection`()
        async throws
    {
        let count = Atomic(0)
        let node = try FakeNode { call in
            guard let get = call as? GetClientState,
                count.add(1, ordering: .relaxed).newValue % 100 != 0
            else { return nil }
            return .reply(ClientStateReply(Array(get.index.index.utf8)))
        }
        let client = NodeClient(try node.home)
        let (right, failed) = try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    var (right, failed) = (0, 0)
                    for number in 0..<200 {
                        let name = "\(task).\(number)"
                        do throws(LocalFailure) {
                            let index = ClientStateName(app: "a", index: name)
                            let state = try await client.ask(GetClientState(index)).state
                            if state == Array(name.utf8) { right += 1 }
                        } catch {
                            failed += 1
                        }
                    }
                    return (right, failed)
                }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
        #expect(right + failed == 1600 && right > 800 && failed >= 10, "\(right), \(failed)")
    }

    @Test func `calls that exceed the socket's buffer arrive whole and in order`() async throws {
        let node = try Self.echo()
        let client = NodeClient(try node.home)
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<8 {
                        let name = "\(task).\(number) " + String(repeating: "x", count: 150_000)
                        let index = ClientStateName(app: "a", index: name)
                        let state = try await client.ask(GetClientState(index)).state
                        #expect(state == Array(name.utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `an awaited call returns the node's reply`() async throws {
        let node = try Self.echo()
        let client = NodeClient(try node.home)
        let reply = try await client.ask(GetClientState(Self.index))
        #expect(reply.state == Array("default".utf8))
    }

    @Test func `a call fails while no node runs, and succeeds once a node runs`() async throws {
        let folder = try TemporaryFolder()
        try folder.makeIdentity()
        let client = NodeClient(try Home(option: folder.path) { _ in nil })
        await #expect { try await client.ask(GetClientState(Self.index)) } throws: {
            ($0 as? LocalFailure)?.code == .noNode
        }
        let node = try Self.echo(in: folder)
        let reply = try await client.ask(GetClientState(Self.index))
        #expect(reply.state == Array("default".utf8))
        withExtendedLifetime(node) {}
    }

    @Test func `after a restart of the node, the client resends its registration and its current activity`()
        throws
    {
        let folder = try TemporaryFolder()
        let first = try Self.echo(in: folder)
        let client = NodeClient(try first.home)
        let events = Mutex<[String]>([])
        client.listen(isLasting: true) { event in
            events.withLock { events in
                switch event {
                case .connected: events.append("connected")
                case .lost: if events.last != "lost" { events.append("lost") }
                case .app, .reindexing: events.append("other")
                }
            }
        }
        let name = AppName(app: Self.index.app, instance: "main")
        let registration = RegisterApp(AppRegistration(name, types: ["org.example.editing"]))
        var start = StartActivity(
            app: name.app, instance: name.instance, lifetime: .connection, type: "org.example.editing",
            change: ActivityChange())
        let answered = Mutex(0)
        client.ask(registration) { _ in answered.withLock { $0 += 1 } }
        client.ask(start) { _ in answered.withLock { $0 += 1 } }
        var change = ActivityChange()
        change.title = "Later"
        client.ask(UpdateActivity(.instance(app: name.app, instance: name.instance), change)) { _ in
            answered.withLock { $0 += 1 }
        }
        try eventually("three answers") { answered.withLock { $0 } == 3 }
        first.stop()
        let second = try Self.echo(in: folder)
        start.change = change
        try eventually("the same again: \(second.calls)") {
            second.calls.equals(AwaitEvent(), registration, start)
        }
        try eventually("all events") { events.withLock { $0 } == ["connected", "lost", "connected"] }
    }

    @Test func `listeners get the events of the node`() throws {
        let isTold = Mutex(false)
        let node = try FakeNode { call in
            guard call is AwaitEvent else { return .reply(Done()) }
            let isFirst = isTold.withLock { isTold in
                defer { isTold = true }
                return !isTold
            }
            return isFirst ? .reply(AppEvent.save(7, instance: "main")) : .silence
        }
        let client = NodeClient(try node.home)
        let found = Mutex<[AppEvent]>([])
        client.listen(isLasting: true) { event in
            if case .app(let event) = event { found.withLock { $0.append(event) } }
        }
        try eventually("the event, and the next wait") {
            found.withLock { $0 } == [.save(7, instance: "main")]
                && node.calls.equals(AwaitEvent(), AwaitEvent())
        }
    }

    @Test func `once a reindexing request is acknowledged, the client waits for the next request`() throws {
        let asked = Mutex(0)
        let node = try FakeNode { call in
            guard call is AwaitReindexing else { return .reply(IndexReply(passedOver: 0)) }
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            return count == 1 ? .reply(ReindexingReply(Self.index, .items(["a"]))) : .silence
        }
        let client = NodeClient(try node.home)
        let found = Mutex<[ReindexRequest.Extent]>([])
        client.listen { event in
            if case .reindexing(_, let extent) = event { found.withLock { $0.append(extent) } }
        }
        client.watchReindexing(of: Self.index)
        try eventually("the request") { found.withLock { $0 } == [.items(["a"])] }
        #expect(node.calls.equals(AwaitReindexing([Self.index])))
        client.acknowledge(.items(["a"]), of: Self.index)
        try eventually("the next wait") {
            node.calls.equals(
                AwaitReindexing([Self.index]), AcknowledgeReindexing(Self.index, .items(["a"])),
                AwaitReindexing([Self.index]))
        }
    }

    @Test func `calls that a stopped node did not answer fail, in the order of the calls`() throws {
        let node = try FakeNode { _ in .silence }
        let client = NodeClient(try node.home)
        let failed = Mutex<[Int]>([])
        for number in 0..<40 {
            client.outcome(of: GetClientState(Self.index)) { outcome in
                if case .lost = outcome { failed.withLock { $0.append(number) } }
            }
        }
        try eventually("as many calls as may be unanswered") { node.calls.count == AppConnection.most }
        node.stop()
        try eventually("all failures") { failed.withLock { $0 } == Array(0..<40) }
    }
}
