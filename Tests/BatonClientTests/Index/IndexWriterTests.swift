import BatonClient
import BatonCore
import ClientSupport
import Foundation
import Support
import Synchronization
import Testing

@Suite final class `The writer of an app's indexes` {
    private static let index = ClientStateName(app: "org.example.notes", index: "all")
    private let folder: TemporaryFolder
    private let client: NodeClient
    private let spool: IndexSpool
    private let writer: IndexWriter
    private let lost: Recorded<ReindexRequest>
    private let answers = Recorded<String>()

    /// A list that several threads add to.
    private final class Recorded<Value: Sendable>: Sendable {
        private let list = Mutex<[Value]>([])

        var values: [Value] { list.withLock { $0 } }

        func add(_ value: Value) { list.withLock { $0.append(value) } }
    }

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeIdentity()
        client = NodeClient(try Home(option: folder.path) { _ in nil })
        spool = IndexSpool(folder.path + "/spool")
        let lost = Recorded<ReindexRequest>()
        self.lost = lost
        writer = IndexWriter(client, of: Self.index.app, spool: spool) { index, extent, _ in
            lost.add(ReindexRequest(extent, of: index))
        }
    }

    private func write(_ names: String..., state: [UInt8]? = nil, condition: IndexWrite.Condition? = nil) {
        let parts = ChangeIndex.parts(Self.index, names.map { .deletion($0) })
        writer.write(IndexWrite(Self.index, parts, state: state, condition: condition)) { [answers] result in
            switch result {
            case .success: answers.add(names[0])
            case .failure(let failure): answers.add("\(names[0]): \(failure.code)")
            }
        }
    }

    /// The deletions of each ended batch, in order, with the number of its mark; a node refuses the end of a batch whose
    /// changes it never got.
    private func ended(_ calls: [any LocalCall]) -> [(names: [String], number: UInt64)] {
        var (open, ended): ([UInt64: [String]], [(names: [String], number: UInt64)]) = ([:], [])
        for call in calls {
            if let change = call as? ChangeIndex, let batch = change.place?.batch {
                open[batch, default: []] += change.changes.compactMap {
                    if case .deletion(let name) = $0 { name } else { nil }
                }
            } else if let end = call as? EndBatch, let names = open.removeValue(forKey: end.batch) {
                ended.append((names, end.mark?.number ?? 0))
            }
        }
        return ended
    }

    /// Starts a node, and waits until the writer is connected to it.
    ///
    /// Before that, an attempt to send what is kept may still be about to fail, and with it what is asked meanwhile.
    private func connectedNode(
        answer: @escaping @Sendable (any LocalCall) -> FakeAnswer?
    ) throws -> FakeNode {
        let node = try FakeNode(in: folder, answer: answer)
        let connections = Recorded<Void>()
        client.listen { event in if case .connected = event { connections.add(()) } }
        try eventually("a connection") { !connections.values.isEmpty }
        return node
    }

    private static let reply = FakeAnswer.reply(IndexReply(passedOver: 0))

    @Test func `writes are sent in order, each as a batch with its mark and count`() throws {
        let node = try FakeNode(in: folder) { _ in Self.reply }
        write("a", "b", state: [1])
        write("c")
        try eventually("two answers") { answers.values == ["a", "c"] }
        let ended = ended(node.calls)
        #expect(ended.map(\.names) == [["a", "b"], ["c"]])
        #expect(ended.map(\.number) == [1, 2])
        let end = try #require(node.calls.compactMap { $0 as? EndBatch }.first)
        #expect(end.count == 2 && end.state == [1] && !end.isConditional)
        #expect(spool.isEmpty)
    }

    @Test func `if no node runs, writes are spooled, and are sent before later writes once a node runs`()
        throws
    {
        write("a")
        write("b", state: [2])
        try eventually("both are kept") { answers.values == ["a", "b"] }
        #expect(!spool.isEmpty)
        let node = try FakeNode(in: folder) { _ in Self.reply }
        write("c")
        try eventually("all three") { ended(node.calls).map(\.names) == [["a"], ["b"], ["c"]] }
        try eventually("an empty spool") { spool.isEmpty && answers.values.count == 3 }
        #expect(node.calls.compactMap { ($0 as? EndBatch)?.state } == [[2]])
    }

    @Test func `a write whose end was not acknowledged is resent under its mark`() throws {
        let first = try FakeNode(in: folder) { call in call is EndBatch ? nil : Self.reply }
        write("a")
        try eventually("it is kept") { answers.values == ["a"] }
        first.stop()
        let marks = first.calls.compactMap { ($0 as? EndBatch)?.mark }
        let mark = try #require(marks.first)
        let second = try FakeNode(in: folder) { _ in Self.reply }
        try eventually("the same mark") {
            second.calls.compactMap { ($0 as? EndBatch)?.mark } == [mark]
        }
        try eventually("an empty spool") { spool.isEmpty }
    }

    @Test(arguments: [nil, [1]])
    func
        `if a node refuses a spooled write, its items are noted for reindexing, or with a client state all items`(
            state: [UInt8]?
        ) throws
    {
        write("a", "b", state: state)
        write("c")
        try eventually("both are kept") { answers.values == ["a", "c"] }
        let node = try FakeNode(in: folder) { call in
            if call is RequestReindexing { return .reply(Done()) }
            return (call as? EndBatch)?.count == 2 ? .failure(LocalFailure(.quota, "Too much.")) : Self.reply
        }
        try eventually("an empty spool") { spool.isEmpty }
        #expect(
            node.calls.compactMap { $0 as? RequestReindexing } == [
                RequestReindexing(Self.index, state == nil ? .items(["a", "b"]) : .all)
            ])
        #expect(lost.values.isEmpty, "the node remembers it")
        #expect(ended(node.calls).map(\.names) == [["a", "b"], ["c"]])
    }

    @Test func `a damaged write of the spool is noted for reindexing, and the writes after it are sent`()
        throws
    {
        for name in ["a", "b", "c"] { write(name) }
        try eventually("all are kept") { answers.values == ["a", "b", "c"] }
        let file = URL(filePath: folder.path + "/spool")
        var bytes = try Data(contentsOf: file)
        // The name of the first item, in its only place.
        bytes[try #require(bytes.firstRange(of: [0x82, 0x02, 0x61, 0x61])?.lowerBound) + 3] ^= 1
        try bytes.write(to: file)
        let isRefusing = Mutex(true)
        let node = try FakeNode(in: folder) { call in
            guard call is RequestReindexing else { return Self.reply }
            let isFirst = isRefusing.withLock { refusing in
                defer { refusing = false }
                return refusing
            }
            return isFirst ? .failure(LocalFailure(.storage, "The disk is full.")) : .reply(Done())
        }
        try eventually("an empty spool") { spool.isEmpty }
        #expect(
            node.calls.compactMap { $0 as? RequestReindexing }
                == [RequestReindexing](repeating: RequestReindexing(Self.index, .all), count: 2),
            "the damage stays until the node remembers it")
        #expect(ended(node.calls).map(\.names) == [["b"], ["c"]] && lost.values.isEmpty)
    }

    @Test
    func `if a damaged write may belong to any index, each index of the node is noted for reindexing`()
        throws
    {
        write("a")
        write("b", state: [2])
        try eventually("both are kept") { answers.values == ["a", "b"] }
        let file = URL(filePath: folder.path + "/spool")
        var bytes = try Data(contentsOf: file)
        // The header has the random bytes twice, behind its mark, and then each label begins with them.
        let filling = bytes[8..<24]
        let labels = bytes.indices.filter { bytes[$0...].starts(with: filling) }.dropFirst(2)
        #expect(labels.count == 4)
        for place in labels.prefix(2) { bytes[place] ^= 1 }
        try bytes.write(to: file)
        let node = try FakeNode(in: folder) { call in
            switch call {
            case is ExamineApp: .reply(AppItemsReply(1, in: [AppIndexStatus("all"), AppIndexStatus("more")]))
            case is RequestReindexing: .reply(Done())
            default: Self.reply
            }
        }
        try eventually("an empty spool") { spool.isEmpty }
        #expect(
            node.calls.compactMap { $0 as? RequestReindexing }
                == ["all", "more"].map {
                    RequestReindexing(ClientStateName(app: Self.index.app, index: $0), .all)
                })
        #expect(lost.values == [ReindexRequest(.all, of: nil)], "it may be of another one, too")
        #expect(ended(node.calls).map(\.names) == [["b"]])
    }

    @Test func `a write is resent if the node that gets its end lacks its beginning`() throws {
        let refusals = Mutex(2)
        let node = try FakeNode(in: folder) { call in
            let isUnknown = refusals.withLock { refusals in
                guard call is EndBatch, refusals > 0 else { return false }
                refusals -= 1
                return true
            }
            return isUnknown ? .failure(.notBegun(1, of: Self.index)) : Self.reply
        }
        write("a", state: [1], condition: IndexWrite.Condition(nil))
        try eventually("the answer") { answers.values == ["a"] }
        let ends = node.calls.compactMap { $0 as? EndBatch }
        #expect(
            ends.count == 3 && Set(ends.map(\.batch)).count == 3
                && ends.allSatisfy { $0.mark == ends[0].mark })
        #expect(ended(node.calls).map(\.names) == [["a"], ["a"], ["a"]] && spool.isEmpty)
    }

    @Test func `a write is resent if a node starts between its beginning and its end`() throws {
        let nodes = Recorded<FakeNode>()
        client.listen { [folder] event in
            guard case .lost = event, nodes.values.isEmpty else { return }
            let changes = Mutex(0)
            let node = try? FakeNode(in: folder) { call in
                if call is ChangeIndex { changes.withLock { $0 += 1 } }
                let isWhole = changes.withLock { $0 } > 0
                return isWhole ? Self.reply : .failure(LocalFailure(.failed, "The batch is not whole."))
            }
            if let node { nodes.add(node) }
        }
        write("a")
        try eventually("the answer") { !answers.values.isEmpty }
        try eventually("an empty spool") { spool.isEmpty }
        #expect(answers.values == ["a"] && lost.values.isEmpty)
        let calls = try #require(nodes.values.first).calls
        #expect(calls.count { $0 is EndBatch } == 2 && ended(calls).map(\.names) == [["a"]])
    }

    @Test func `the first reason that a node gives for refusing a write is reported`() throws {
        let node = try FakeNode(in: folder) { call in
            call is EndBatch
                ? .failure(LocalFailure(.failed, "Not whole.")) : .failure(LocalFailure(.usage, "Wrong."))
        }
        write("a")
        try eventually("the answer") { answers.values == ["a: usage"] }
        withExtendedLifetime(node) {}
    }

    @Test func `a query waits until spooled writes are sent, or until the search for a node fails`() throws {
        let called = Recorded<String>()
        writer.afterLeftovers { called.add("nothing kept") }
        #expect(called.values == ["nothing kept"])
        write("a")
        try eventually("it is kept") { answers.values == ["a"] }
        writer.afterLeftovers { called.add("no node") }
        try eventually("no node") { called.values.last == "no node" }
        #expect(!spool.isEmpty)
        let node = try connectedNode { _ in Self.reply }
        writer.afterLeftovers { [spool] in called.add(spool.isEmpty ? "sent" : "not sent") }
        try eventually("a node") { called.values.count == 3 }
        #expect(called.values.last == "sent" && ended(node.calls).map(\.names) == [["a"]])
    }

    @Test func `writes are answered even if the process has no free file descriptor`() async {
        await #expect(processExitsWith: .success) {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            try #require(getrlimit(resource, &limit) == 0)
            limit.rlim_cur = 0
            try #require(setrlimit(resource, &limit) == 0)
            let client = NodeClient(try Home(option: "/nowhere") { _ in nil })
            let writer = IndexWriter(client, of: "org.example.notes", spool: nil) { _, _, _ in }
            let index = ClientStateName(app: "org.example.notes", index: "all")
            let answers = Recorded<String>()
            for name in ["a", "b"] {
                writer.write(IndexWrite(index, ChangeIndex.parts(index, [.deletion(name)]))) { _ in
                    answers.add(name)
                }
            }
            exit(answers.values == ["a", "b"] ? 0 : 1)
        }
    }

    @Test func `a conditional write is not spooled if no node runs`() throws {
        write("a", state: [2], condition: IndexWrite.Condition([1]))
        try eventually("the answer") { answers.values == ["a: noNode"] }
        #expect(spool.isEmpty)
    }

    @Test func `closing the writer waits for the answers of its node, and spools nothing`() throws {
        let node = try FakeNode(in: folder) { _ in Self.reply }
        write("a")
        write("b", state: [1], condition: IndexWrite.Condition(nil))
        #expect(writer.close(within: .seconds(30)).isEmpty)
        #expect(ended(node.calls).map(\.names) == [["a"], ["b"]] && spool.isEmpty)
        try eventually("two answers") { answers.values == ["a", "b"] }
    }

    @Test func `closing the writer spools unanswered writes under their marks`() throws {
        let first = try FakeNode(in: folder) { call in call is EndBatch ? .silence : Self.reply }
        for name in ["a", "b"] { write(name) }
        write("c", state: [1], condition: IndexWrite.Condition(nil))
        try eventually("an end") { first.calls.contains { $0 is EndBatch } }
        #expect(writer.close(within: .zero).map(\.code) == [.noNode], "a condition can't be kept")
        #expect(answers.values == ["a", "b", "c: noNode"])
        write("d")
        #expect(answers.values.last == "d", "it is kept at once")
        #expect(writer.close(within: .seconds(30)).isEmpty)
        first.stop()
        let second = try FakeNode(in: folder) { _ in Self.reply }
        try eventually("an empty spool") { spool.isEmpty }
        let ended = ended(second.calls)
        #expect(ended.map(\.names) == [["a"], ["b"], ["d"]])
        #expect(ended.map(\.number) == [1, 2, 4], "the node knows by them what it has saved")
    }

    @Test func `writes that other threads make during closing are spooled in the order of their numbers`()
        throws
    {
        let first = try FakeNode(in: folder) { call in call is EndBatch ? .silence : Self.reply }
        DispatchQueue.concurrentPerform(iterations: 8) { [writer, answers] thread in
            if thread == 4 { _ = writer.close(within: .zero) }
            for number in 0..<20 {
                let name = "\(thread)-\(number)"
                writer.write(IndexWrite(Self.index, ChangeIndex.parts(Self.index, [.deletion(name)]))) { _ in
                    answers.add(name)
                }
            }
        }
        _ = writer.close(within: .zero)
        #expect(answers.values.count == 160)
        first.stop()
        let second = try FakeNode(in: folder) { _ in Self.reply }
        try eventually("an empty spool") { spool.isEmpty }
        let ended = ended(second.calls)
        #expect(Set(ended.flatMap(\.names)).count == 160)
        #expect(ended.map(\.number) == ended.map(\.number).sorted())
    }

    @Test func `a client state is fetched after earlier writes, and can't be fetched without a node`() throws
    {
        let states = Recorded<String>()
        let ask = { [writer] in
            writer.fetchState(of: Self.index) { result in
                switch result {
                case .success(let state): states.add("\(state ?? [])")
                case .failure(let failure): states.add("\(failure.code)")
                }
            }
        }
        ask()
        try eventually("a failure") { states.values == ["noNode"] }
        write("a")
        try eventually("it is kept") { answers.values == ["a"] }
        let node = try connectedNode { call in
            call is GetClientState ? .reply(ClientStateReply([9])) : Self.reply
        }
        ask()
        try eventually("the state") { states.values.count == 2 }
        #expect(states.values[1] == "[9]")
        #expect(node.calls.last is GetClientState && ended(node.calls).map(\.names) == [["a"]])
    }

    @Test func `waiting for earlier writes fetches no client state, and fails without a node`() throws {
        let ends = Recorded<String>()
        let wait = { [writer] in
            writer.awaitWrites { result in
                switch result {
                case .success: ends.add("done")
                case .failure(let failure): ends.add("\(failure.code)")
                }
            }
        }
        wait()
        try eventually("a failure") { ends.values == ["noNode"] }
        write("a")
        try eventually("it is kept") { answers.values == ["a"] }
        let node = try connectedNode { call in call is GetSettings ? .reply(Settings()) : Self.reply }
        wait()
        try eventually("the end") { ends.values == ["noNode", "done"] }
        #expect(ended(node.calls).map(\.names) == [["a"]] && !node.calls.contains { $0 is GetClientState })
    }
}
