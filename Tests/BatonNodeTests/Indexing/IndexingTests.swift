import BatonCore
import BatonNode
import BatonStore
import Glibc
import Support
import Testing

/// Apps that write into their indexes through a node's socket.
@Suite struct `Indexing through a node` {
    private static let notes = ClientStateName(app: "org.example.notes", index: "notes")

    private static func note(_ number: Int, title: String? = nil, domain: String? = nil) -> IndexChange {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string(title ?? "Note \(number)"))
        attributes[.contentDescription] = .plain(.string(String(repeating: "word\(number) ", count: 40)))
        return .item("\(number)", Item(domain: domain, attributes: attributes))
    }

    private static func index(
        _ changes: [IndexChange], of index: ClientStateName = notes
    ) -> ChangeIndex { ChangeIndex(index, changes) }

    /// Returns the call that adds changes to a batch, behind that number of changes.
    private static func add(
        _ changes: [IndexChange], to batch: UInt64, at offset: Int = 0
    ) -> ChangeIndex { ChangeIndex(notes, at: BatchPlace(batch, offset: offset), changes) }

    private static func end(_ batch: UInt64, _ count: Int, _ state: String?) -> EndBatch {
        EndBatch(notes, batch: batch, count: count, state: state.map { Array($0.utf8) })
    }

    @Test func `an indexed item and its client state are found immediately, and soon on other devices`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "first")
        var app = try node.connect()
        #expect(try app.ask(GetClientState(Self.notes)) == .success(ClientStateReply(nil)))
        #expect(try app.ask(Self.index([Self.note(1), Self.note(2)])) == .success(IndexReply(passedOver: 0)))
        #expect(try node.find("note").count == 2)
        #expect(try app.ask(Self.add([Self.note(3)], to: 1)) == .success(IndexReply(passedOver: 0)))
        #expect(try app.ask(Self.add([.deletion("1")], to: 1, at: 1)) == .success(IndexReply(passedOver: 0)))
        #expect(try node.find("note").count == 2, "an open batch is not visible")
        #expect(try app.ask(Self.end(1, 2, "three")) == .success(IndexReply(passedOver: 0)))
        #expect(Set(try node.find("note").map(\.identifier)) == ["2", "3"])
        #expect(try app.ask(GetClientState(Self.notes)) == .success(ClientStateReply(Array("three".utf8))))

        try node.admit("second")
        let second = try RunningNode(folder, "second")
        try eventually("the items and the state on the second device") {
            try second.find("note").count == 2
                && second.ask(GetClientState(Self.notes)) == .success(ClientStateReply(Array("three".utf8)))
        }
        #expect(try second.ask(Self.index([.clear(domain: nil)])) == .success(IndexReply(passedOver: 0)))
        #expect(
            try second.ask(GetClientState(Self.notes)) == .success(ClientStateReply(nil)),
            "the state is cleared with the items")
        try eventually("nothing on the first device") {
            try node.find("note").isEmpty
                && node.ask(GetClientState(Self.notes)) == .success(ClientStateReply(nil))
        }
    }

    @Test func `an expired item is erased from the disk after the retention time of the settings`() throws {
        let node = try RunningNode.first(try TemporaryFolder()) { limits in
            (limits.clockProvingTime, limits.sweepPause) = (.zero, .zero)
        }
        let expired = { (number: Int, days: Int) -> IndexChange in
            let now = WallTime(milliseconds: Int64(time(nil)) * 1000)
            let item = Item(
                expiration: now.advanced(by: .zero - WallTime.day * days), attributes: AttributeSet())
            return .item("\(number)", item)
        }
        #expect(try node.ask(ChangeSetting(Setting.expiredDays.rawValue, to: 9)).get()[.expiredDays] == 9)
        #expect(
            try node.ask(Self.index([expired(1, 5), expired(2, 20)])) == .success(IndexReply(passedOver: 0)))
        // Each write gives the node an occasion to sweep.
        try eventually("the older one is swept: \(node.lines)") {
            _ = try node.ask(Self.index([Self.note(3)]))
            return node.lines.contains { $0.hasSuffix("removed 1 expired record") }
        }
        // The other one has expired, too, and is still there.
        let examined = try node.ask(ExamineApp("org.example.notes")).get()
        #expect(examined.itemCount == 2 && examined.expiredCount == 1)
        #expect(try node.ask(ExamineApp("org.example.other")).get().expiredCount == 0)
        #expect(try node.ask(ChangeSetting(Setting.expiredDays.rawValue, to: nil)).get()[.expiredDays] == 1)
        try eventually("the other one is swept: \(node.lines)") {
            _ = try node.ask(Self.index([Self.note(3)]))
            return node.lines.count { $0.hasSuffix("removed 1 expired record") } == 2
        }
    }

    @Test func `an update changes an existing item, and skips a missing one`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        let change = { (number: String, domain: String?) -> IndexChange in
            var update = Item.Update()
            update.attributes[.title] = .plain(.string("Changed"))
            return .update(number, domain: domain, update.fields)
        }
        let changes = [Self.note(1), change("1", nil), change("2", nil)]
        #expect(try node.ask(Self.index(changes)) == .success(IndexReply(passedOver: 1)))
        let found = try node.find("changed")
        #expect(found.map(\.identifier) == ["1"] && found.first?.summary?.hasPrefix("word1") == true)
        #expect(try node.ask(Self.index([change("1", "work.later")])) == .success(IndexReply(passedOver: 0)))
        #expect(try node.find("changed").map(\.domain) == ["work.later"])
        #expect(try node.ask(Self.index([.clear(domain: "work")])) == .success(IndexReply(passedOver: 0)))
        #expect(try node.find("changed").isEmpty)
    }

    @Test func `a large batch becomes visible completely, or not at all`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "first")
        try node.admit("second")
        let second = try RunningNode(folder, "second")
        var app = try node.connect()
        let count = 3000
        for start in stride(from: 0, to: count, by: 250) {
            let part = (start..<start + 250).map { Self.note($0, domain: "d.\($0 % 7)") }
            #expect(try app.ask(Self.add(part, to: 4, at: start)) == .success(IndexReply(passedOver: 0)))
        }
        #expect(try node.find("note", most: 100).isEmpty)
        #expect(try app.ask(Self.end(4, count, "all")) == .success(IndexReply(passedOver: 0)))
        #expect(try app.ask(GetClientState(Self.notes)) == .success(ClientStateReply(Array("all".utf8))))
        for nodes in [node, second] {
            try eventually("the last of \(count) items") { try nodes.find("word2999 note").count == 1 }
        }
        try eventually("the state on the other device, where all of it is") {
            guard try second.ask(GetClientState(Self.notes)) != .success(ClientStateReply(nil)) else {
                return false
            }
            return try second.find("word0 note").count == 1 && second.find("word2998 note").count == 1
        }
        #expect(try app.ask(Self.index([.clear(domain: "d")])) == .success(IndexReply(passedOver: 0)))
        #expect(try node.find("note", most: 100).isEmpty, "clearing many items is visible at once")
        try eventually("nothing on the other device") { try second.find("note").isEmpty }
    }

    @Test func `an open batch is lost with its connection, and nothing else is lost`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try node.connect()
        var other = try node.connect()
        #expect(
            try other.ask(Self.add([Self.note(9, title: "Kept")], to: 1))
                == .success(IndexReply(passedOver: 0)))
        for start in stride(from: 0, to: 1000, by: 250) {
            let part = (start..<start + 250).map { Self.note($0) }
            #expect(try app.ask(Self.add(part, to: 1, at: start)) == .success(IndexReply(passedOver: 0)))
        }
        app = try node.connect()
        for count in [0, 1000] {
            let ended = try app.ask(Self.end(1, count, "ahead"))
            #expect(Self.code(of: ended) == .batchNotBegun, "the batch ended with the first connection")
        }
        #expect(try Self.code(of: app.ask(Self.add([Self.note(1)], to: 1, at: 1000))) == .batchNotBegun)
        #expect(try app.ask(GetClientState(Self.notes)) == .success(ClientStateReply(nil)))
        #expect(try other.ask(Self.end(1, 1, "kept")) == .success(IndexReply(passedOver: 0)))
        #expect(try node.find("note").isEmpty && node.find("kept").count == 1)
        #expect(try app.ask(Self.add([Self.note(1)], to: 2)) == .success(IndexReply(passedOver: 0)))
        #expect(try app.ask(DiscardBatch(Self.notes, 2)) == .success(IndexReply(passedOver: 0)))
        #expect(try Self.code(of: app.ask(Self.end(2, 1, "gone"))) == .batchNotBegun)
        #expect(try app.ask(Self.add([], to: 2)) == .success(IndexReply(passedOver: 0)))
        #expect(
            try app.ask(Self.end(2, 0, "state")) == .success(IndexReply(passedOver: 0)),
            "an empty batch stores a state")
        #expect(try node.find("note").isEmpty)
        node.stop()
        let again = try RunningNode(folder)
        #expect(try again.find("kept").count == 1)
        #expect(try again.ask(GetClientState(Self.notes)) == .success(ClientStateReply(Array("state".utf8))))
    }

    @Test func `a conditional batch fails unless the client state is the expected one`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        let end = { (count: Int, expected: String?, state: String) in
            EndBatch(
                Self.notes, batch: 1, count: count, state: Array(state.utf8), isConditional: true,
                expected: expected.map { Array($0.utf8) })
        }
        #expect(try app.ask(Self.add([Self.note(1)], to: 1)) == .success(IndexReply(passedOver: 0)))
        #expect(try Self.code(of: app.ask(end(1, "one", "two"))) == .otherState)
        #expect(
            try node.find("note").isEmpty
                && app.ask(GetClientState(Self.notes)) == .success(ClientStateReply(nil)))
        #expect(try app.ask(Self.add([Self.note(1)], to: 1)) == .success(IndexReply(passedOver: 0)))
        #expect(try app.ask(end(1, nil, "one")) == .success(IndexReply(passedOver: 0)))
        for start in stride(from: 0, to: 1000, by: 250) {
            let part = (start..<start + 250).map { Self.note($0) }
            #expect(try app.ask(Self.add(part, to: 1, at: start)) == .success(IndexReply(passedOver: 0)))
        }
        #expect(try Self.code(of: app.ask(end(1000, nil, "two"))) == .otherState, "a large batch as well")
        #expect(try app.ask(Self.add([], to: 1)) == .success(IndexReply(passedOver: 0)))
        #expect(try app.ask(end(0, "one", "two")) == .success(IndexReply(passedOver: 0)))
        #expect(try node.find("note").map(\.identifier) == ["1"])
        #expect(!node.lines.contains { $0.contains("could not save") })
    }

    @Test func `changes that can't be indexed are refused with a reason`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        guard case .success(let settings) = try app.ask(ChangeSetting("items-per-app", to: 3)) else {
            return #expect(Bool(false), "the setting was not changed")
        }
        #expect(settings[.itemsPerApp] == 3 && !settings.isSet(.bytesPerApp))
        var wrong = Item()
        wrong.unknown = Fields { $0.field(0) { $0.text("tomorrow") } }
        let refusals: [(any LocalCall, LocalFailure.Code)] = [
            (Self.index([.item("1", wrong)]), .usage),
            (Self.index([Self.note(1)], of: ClientStateName(app: "", index: "i")), .usage),
            (Self.index([.deletion(String(repeating: "x", count: 5000))]), .tooLarge),
            (Self.index([.clear(domain: String(repeating: "x", count: 1020))]), .tooLarge),
            (Self.index([Self.note(1, title: String(repeating: "x", count: 600 << 10))]), .tooLarge),
            (Self.index((0..<4).map { Self.note($0) }), .quota),
            (Self.end(8, 0, String(repeating: "x", count: 251)), .tooLarge),
        ]
        for (call, code) in refusals {
            guard let failure = try Self.failure(of: call, over: &app) else {
                Issue.record("\(call) was not refused")
                continue
            }
            #expect(failure.code == code && failure.text.hasSuffix("."), "\(failure)")
            #expect(
                !failure.text.contains("(text:"),
                "the text names a value as the program prints it: \(failure)")
        }
        #expect(try node.find("note").isEmpty)
        #expect(try app.ask(Self.index((0..<3).map { Self.note($0) })) == .success(IndexReply(passedOver: 0)))
        #expect(
            try app.ask(Self.index((0..<3).map { Self.note($0, title: "Again") }))
                == .success(IndexReply(passedOver: 0)))
        #expect(try Self.code(of: app.ask(Self.index([Self.note(4)]))) == .quota)
        #expect(
            try app.ask(Self.index([.deletion("0"), Self.note(4)])) == .success(IndexReply(passedOver: 0)))
    }

    @Test func `an opening is counted only for an existing item`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let name = ItemName(app: Self.notes.app, index: Self.notes.index, identifier: "1")
        #expect(try node.ask(CountOpening(name)) == .success(IndexReply(passedOver: 1)))
        #expect(try node.ask(Self.index([Self.note(1)])) == .success(IndexReply(passedOver: 0)))
        for _ in 0..<3 { #expect(try node.ask(CountOpening(name)) == .success(IndexReply(passedOver: 0))) }
        guard case .success(let status) = try node.ask(GetStatus()) else { return #expect(Bool(false)) }
        node.stop()
        let store = try SQLiteStore(folder: node.home.account(), account: status.account)
        let record = try #require(try store.record(EngagementName(counting: name.key).key.identity)?.fields)
        #expect(try Engagement(record).counters.map(\.times) == [3])
    }

    @Test func `a batch that is sent twice is saved once, also by a restarted node`() throws {
        let folder = try TemporaryFolder()
        var node: RunningNode? = try RunningNode.first(folder)
        let done = Result<IndexReply, LocalFailure>.success(IndexReply(passedOver: 0))
        func write(_ number: UInt64, _ changes: [IndexChange], writer: UInt8 = 1) throws -> Result<
            IndexReply, LocalFailure
        >? {
            guard var app = try node?.connect() else { return nil }
            _ = try app.ask(Self.add(changes, to: number))
            let mark = BatchMark(
                writer: [UInt8](repeating: writer, count: BatchMark.writerBytes), number: number)
            return try app.ask(
                EndBatch(Self.notes, batch: number, count: changes.count, state: nil, mark: mark))
        }
        #expect(try write(1, [Self.note(1)]) == done)
        #expect(try write(2, [.deletion("1"), Self.note(2)]) == done)
        #expect(try write(1, [Self.note(1)]) == done, "answered as saved")
        #expect(try node?.find("note").map(\.identifier) == ["2"], "and not saved again")
        node = nil
        node = try RunningNode(folder)
        #expect(try write(2, [Self.note(1)]) == done)
        #expect(try node?.find("note").map(\.identifier) == ["2"], "nor after a restart")
        #expect(try write(2, [Self.note(3)], writer: 2) == done)
        #expect(Set(try node?.find("note").map(\.identifier) ?? []) == ["2", "3"], "another writer's counts")
    }

    @Test func `ending a batch without all of its changes fails and saves nothing`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        for count in [0, 2] {
            _ = try app.ask(Self.add([Self.note(1)], to: 1))
            let ended = try app.ask(EndBatch(Self.notes, batch: 1, count: count, state: [1]))
            #expect(Self.code(of: ended) == .failed)
            #expect(
                try Self.code(of: app.ask(EndBatch(Self.notes, batch: 1, count: 1, state: [2])))
                    == .batchNotBegun, "the batch is gone")
        }
        #expect(try node.find("note").isEmpty)
        #expect(try app.ask(GetClientState(Self.notes)) == .success(ClientStateReply(nil)))
    }

    @Test
    func `changes out of order in a batch are refused, and the batch can be restarted`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        let done = Result<IndexReply, LocalFailure>.success(IndexReply(passedOver: 0))
        #expect(try Self.code(of: app.ask(Self.add([Self.note(1)], to: 1, at: 1))) == .batchNotBegun)
        #expect(try app.ask(Self.add([Self.note(1), Self.note(2)], to: 1)) == done)
        #expect(try Self.code(of: app.ask(Self.add([Self.note(3)], to: 1, at: 1))) == .failed)
        #expect(try Self.code(of: app.ask(Self.add([Self.note(3)], to: 1, at: 3))) == .failed)
        let large = Self.note(3, title: String(repeating: "x", count: 600 << 10))
        #expect(try Self.code(of: app.ask(Self.add([large], to: 1, at: 2))) == .tooLarge)
        #expect(try app.ask(Self.add([Self.note(3)], to: 1, at: 2)) == done, "refused changes do not count")
        #expect(try app.ask(Self.end(1, 3, "three")) == done)
        #expect(try node.find("note").count == 3)

        // A request of several portions, the last of which is refused, leaves a part: the batch can't end any more.
        let portions = (10..<400).map { Self.note($0) } + [large]
        #expect(try app.ask(Self.add([Self.note(4)], to: 2)) == done)
        #expect(try Self.code(of: app.ask(Self.add(portions, to: 2, at: 1))) == .tooLarge)
        for count in [1, 391, 392] {
            let code = try Self.code(of: app.ask(Self.end(2, count, "ahead")))
            #expect(code == (count == 1 ? .tooLarge : .batchNotBegun))
        }
        #expect(try app.ask(Self.add((0..<300).map { Self.note($0) }, to: 3)) == done)
        #expect(try app.ask(Self.add([Self.note(5)], to: 3)) == done, "it begins again")
        #expect(try app.ask(Self.end(3, 1, "five")) == done)
        #expect(Set(try node.find("note", most: 100).map(\.identifier)) == ["1", "2", "3", "5"])
        #expect(try app.ask(GetClientState(Self.notes)) == .success(ClientStateReply(Array("five".utf8))))
    }

    @Test func `a reindexing request by a person reaches a waiting app, or the app when it connects`() throws
    {
        let folder = try TemporaryFolder()
        var node: RunningNode? = try RunningNode.first(folder)
        #expect(try node?.ask(RequestReindexing(Self.notes, .items(["1"]))) == .success(Done()))
        #expect(try node?.ask(RequestReindexing(Self.notes, .items(["2"]))) == .success(Done()))
        node = nil
        node = try RunningNode(folder)
        #expect(
            try node?.ask(AwaitReindexing([Self.notes]))
                == .success(ReindexingReply(Self.notes, .items(["1", "2"]))))
        #expect(try node?.ask(AcknowledgeReindexing(Self.notes, .all)) == .success(IndexReply(passedOver: 0)))
        guard var app = try node?.connect() else { throw DeadlinePassed(description: "there is no node") }
        try app.send(try AwaitReindexing([Self.notes]).frame(number: 1).encoded)
        #expect(try node?.ask(RequestReindexing(Self.notes, .all)) == .success(Done()))
        var frame = try app.next()
        if frame?.kind == .localHello { frame = try app.next() }
        let answer = try LocalAnswer(try #require(frame))
        #expect(try answer.result(ReindexingReply.self) == .success(ReindexingReply(Self.notes, .all)))
        #expect(try node?.ask(RequestReindexing(Self.notes, .items(["9"]))) == .success(Done()))
        #expect(try node?.ask(AcknowledgeReindexing(Self.notes, .all)) == .success(IndexReply(passedOver: 0)))
        #expect(
            try node?.ask(AwaitReindexing([Self.notes]))
                == .success(ReindexingReply(Self.notes, .items(["9"]))),
            "what came after the app was told stays")
    }

    @Test func `an instance's late acknowledgement does not end a newer reindexing request`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var fast = try ActedApp(node)
        var slow = try ActedApp(node)
        _ = try node.ask(RequestReindexing(Self.notes, .items(["1"]))).get()
        let first = ReindexingReply(Self.notes, .items(["1"]))
        #expect(try fast.ask(AwaitReindexing([Self.notes])) == .success(first))
        #expect(try slow.ask(AwaitReindexing([Self.notes])) == .success(first))
        _ = try fast.ask(AcknowledgeReindexing(Self.notes, .items(["1"]))).get()
        // The item is lost once more, and the slow one does not know that.
        _ = try node.ask(RequestReindexing(Self.notes, .items(["1"]))).get()
        #expect(try fast.ask(AwaitReindexing([Self.notes])) == .success(first))
        _ = try slow.ask(AcknowledgeReindexing(Self.notes, .items(["1"]))).get()
        #expect(try slow.ask(AwaitReindexing([Self.notes])) == .success(first), "the later request stays")
        _ = try slow.ask(AcknowledgeReindexing(Self.notes, .items(["1"]))).get()
        let examined = try node.ask(ExamineApp(Self.notes.app, indexes: [Self.notes.index])).get()
        #expect(examined.indexes.allSatisfy { $0.reindexing == nil })
    }

    @Test func `an app is asked to reindex lost items until it acknowledges`() throws {
        let folder = try TemporaryFolder()
        var node: RunningNode? = try RunningNode.first(folder)
        let status = try #require(try node?.ask(GetStatus())).get()
        let home = try RunningNode.home(folder)
        node = nil
        do {
            let store = try SQLiteStore(folder: home.account(), account: status.account)
            var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
            transaction.notes = [ReindexRequest(.items(["1", "2"]), of: Self.notes).note]
            _ = try store.commit(transaction)
        }
        node = try RunningNode(folder)
        #expect(
            try node?.ask(AwaitReindexing([Self.notes]))
                == .success(ReindexingReply(Self.notes, .items(["1", "2"]))))
        #expect(
            try node?.ask(AcknowledgeReindexing(Self.notes, .items(["1"])))
                == .success(IndexReply(passedOver: 0)))
        node = nil
        node = try RunningNode(folder)
        #expect(
            try node?.ask(AwaitReindexing([Self.notes]))
                == .success(ReindexingReply(Self.notes, .items(["2"]))))
        #expect(try node?.ask(AcknowledgeReindexing(Self.notes, .all)) == .success(IndexReply(passedOver: 0)))
        node = nil
        let store = try SQLiteStore(folder: home.account(), account: status.account)
        #expect(try store.notes(in: .reindex).isEmpty)
    }

    private static func code(of answer: Result<IndexReply, LocalFailure>) -> LocalFailure.Code? {
        if case .failure(let failure) = answer { failure.code } else { nil }
    }

    private static func failure(
        of call: some LocalCall, over app: inout LocalPeer
    ) throws -> LocalFailure? {
        if case .failure(let failure) = try app.ask(call) { failure } else { nil }
    }
}
