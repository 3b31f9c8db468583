import BatonClient
import BatonCore
import Foundation
import Support
import Testing

/// A node accepts nothing of a batch that an app had begun with an earlier process of the node.
///
/// `BATON_KILLS` sets the number of kills; `BATON_SEED` repeats one run.
@Suite struct `Restarting a node between the pieces of a batch` {
    private static let index = ClientStateName(app: "org.example.r", index: "default")
    private static let kills =
        (ProcessInfo.processInfo.environment["BATON_KILLS"].flatMap { Int($0) } ?? 50) / 5

    /// Ends a node, and starts the next one.
    private func end(_ signal: Int32, _ machine: Machine) throws {
        if signal == SIGKILL { machine.killNode() } else { #expect(try machine.stopNode() == 0) }
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func `a program that uses baton app learns that its batch was lost, and sends the batch again`(
        signal: Int32
    )
        throws
    {
        let laptop = try Account("laptop")[0]
        let app = try laptop.begin(["baton", "app", "org.example.r"], hasInput: true)
        let answer = { (line: String, id: Int) throws -> JSONValue in
            app.write(Array((line.dropLast() + #","id":\#(id)}"#).utf8) + [10])
            return try eventual("the answer to \(line): \(app.output)") { () throws -> JSONValue? in
                let output = app.output
                guard let end = output.lastIndex(of: "\n") else { return nil }
                return try output[..<end].split(separator: "\n").map { try JSONValue($0 + "\n") }
                    .first { $0["id"] == .integer(Int64(id)) }
            }
        }
        let first = #"{"index":[{"item":"x1","title":"pear one"}],"batch":2,"offset":0}"#
        #expect(try answer(first, 1)["done"] == .boolean(true))
        try end(signal, laptop)
        try eventually("the loss is told: \(app.output)") {
            app.output.contains(
                #"{"event":"batch-lost","batch":2,"in":"default","text":"The node has stopped"#)
        }
        try laptop.startNode()
        try eventually("the node is back: \(app.output)") { app.output.contains(#"{"event":"back"}"#) }
        let late = #"{"index":{"item":"x2","title":"pear two"},"batch":2,"offset":1}"#
        for (id, line) in [
            late, #"{"batch":2,"count":2,"state":"S2"}"#, #"{"batch":2,"count":0,"state":"S2"}"#,
        ]
        .enumerated() {
            let refused = try answer(line, 10 + id)
            #expect(refused["code"] == .integer(22), "\(refused)")
            #expect(refused["error"].string?.contains("Begin the batch again") == true, "\(refused)")
        }
        #expect(try answer(#"{"state":true}"#, 20)["state"] == .null)
        #expect(try laptop.json("search", "pear")["results"].list.isEmpty)
        #expect(try answer(first, 21)["done"] == .boolean(true))
        #expect(try answer(late, 22)["done"] == .boolean(true))
        #expect(try answer(#"{"batch":2,"count":2,"state":"S2"}"#, 23)["done"] == .boolean(true))
        #expect(try answer(#"{"state":true}"#, 24)["state"] == .string("S2"))
        #expect(try laptop.json("search", "pear")["results"].list.count == 2)
        app.closeInput()
        #expect(try app.wait() == 0)
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func `a client of the socket can't continue or end a batch of an earlier connection`(
        signal: Int32
    ) throws {
        let laptop = try Account("laptop")[0]
        let home = try Home(option: laptop.home) { _ in nil }
        var connection = try NodeConnection(home)
        // One batch stays in memory, and the other one is staged on the disk.
        let sizes: [UInt64: Int] = [1: 2, 2: 600]
        for (batch, count) in sizes {
            _ = try connection.ask(
                ChangeIndex(Self.index, at: BatchPlace(batch, offset: 0), items(0..<count)))
        }
        try end(signal, laptop)
        try laptop.startNode()
        connection = try NodeConnection(home)
        for (batch, count) in sizes {
            for said in [0, 1, count, count + 1] {
                let refused = code(of: end(batch, said), over: &connection)
                #expect(refused == .batchNotBegun)
            }
            let late = ChangeIndex(Self.index, at: BatchPlace(batch, offset: count), items(count..<count + 1))
            let refused = code(of: late, over: &connection)
            #expect(refused == .batchNotBegun)
        }
        #expect(try connection.ask(GetClientState(Self.index)).state == nil)
        #expect(try connection.ask(ExamineApp(Self.index.app)).itemCount == 0)
        for (batch, count) in sizes.sorted(by: { $0.key < $1.key }) {
            _ = try connection.ask(
                ChangeIndex(Self.index, at: BatchPlace(batch, offset: 0), items(0..<count)))
            _ = try connection.ask(end(batch, count))
        }
        try eventually("all of both batches") {
            try connection.ask(ExamineApp(Self.index.app)).itemCount == 600
        }
    }

    @Test
    func
        `a client state is never ahead of its items, at whatever step the node is killed`()
        throws
    {
        let seed = Seeds.replayed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        var generator = SeededGenerator(seed: seed)
        let laptop = try Account("laptop")[0]
        let home = try Home(option: laptop.home) { _ in nil }
        var connection = try NodeConnection(home)
        var (kills, batch, savedCount, refusals) = (0, UInt64(1), 0, 0)
        while kills < Self.kills {
            let comment: Comment = "batch \(batch), after \(kills) kills, BATON_SEED=\(seed)"
            let pieces = (0..<generator.number(1...5)).map { _ in generator.pick([1, 3, 40, 120]) }
            let count = pieces.reduce(0, +)
            var (offset, isLost) = (0, false)
            // The app does not look at the answers, as one that sends all pieces at once.
            for piece in pieces {
                if offset > 0, generator.chance(30) {
                    laptop.killNode()
                    try laptop.startNode()
                    connection = try NodeConnection(home)
                    (kills, isLost) = (kills + 1, true)
                }
                let changes = items(savedCount + offset..<savedCount + offset + piece)
                let place = BatchPlace(batch, offset: offset)
                let refused = code(of: ChangeIndex(Self.index, at: place, changes), over: &connection)
                #expect(refused == (isLost ? .batchNotBegun : nil), comment)
                offset += piece
            }
            let refused = code(of: end(batch, count), over: &connection)
            #expect(refused == (isLost ? .batchNotBegun : nil), comment)
            if isLost { refusals += 1 } else { (batch, savedCount) = (batch + 1, savedCount + count) }
            let state = try connection.ask(GetClientState(Self.index)).state
            #expect(state == (batch > 1 ? Array("\(batch - 1)".utf8) : nil), comment)
            try eventually("\(savedCount) items; \(comment)") {
                try connection.ask(ExamineApp(Self.index.app)).itemCount == savedCount
            }
        }
        #expect(refusals > 0 && batch > 1)
        print("Killing between pieces: \(kills) kills, \(batch - 1) batches saved, \(refusals) refused")
    }

    private func items(_ numbers: Range<Int>) -> [IndexChange] {
        numbers.map { number in
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("item \(number)"))
            attributes[.contentDescription] = .plain(.string(String(repeating: "text ", count: 50)))
            return .item("\(number)", Item(attributes: attributes))
        }
    }

    private func end(_ batch: UInt64, _ count: Int) -> EndBatch {
        EndBatch(Self.index, batch: batch, count: count, state: Array("\(batch)".utf8))
    }

    /// The code of the failure of a call; nil if it has none.
    private func code(of call: some LocalCall, over connection: inout NodeConnection) -> LocalFailure.Code? {
        do throws(LocalFailure) {
            _ = try connection.ask(call)
            return nil
        } catch {
            return error.code
        }
    }
}
