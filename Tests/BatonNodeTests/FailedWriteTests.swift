import BatonCore
import BatonNode
import Support
import Testing

/// A disk that refuses one change of a device, and not the next one.
@Suite struct `A change that can't be kept` {
    private func item(_ identifier: String) -> ChangeIndex {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string(identifier))
        let index = ClientStateName(app: "org.example", index: "notes")
        let change = IndexChange.item(identifier, domain: nil, Item(attributes: attributes).fields)
        return ChangeIndex(index, batch: nil, [change])
    }

    private func isKept(_ answer: Result<IndexReply, LocalFailure>) -> Bool {
        if case .success = answer { true } else { false }
    }

    @Test func `takes those with it that were named behind it, or they would claim it; and no later ones`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder())
        #expect(isKept(try node.ask(item("before"))))
        let meddler = try Meddler(node)
        // What the store calls a record has its key in it.
        try meddler.run(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON records WHEN instr(NEW.name, CAST('refused' AS BLOB)) > 0
            BEGIN SELECT RAISE(ABORT, 'on purpose'); END;
            """)
        try meddler.hold()
        var peer = try node.connect()
        let requests: [any LocalCall] = [item("refused"), item("behind"), GetStatus()]
        for (number, request) in requests.enumerated() {
            try peer.send(request.frame(number: UInt64(number)).encoded)
        }
        var answers: [UInt64: LocalAnswer] = [:]
        var isHeld = true
        while answers.count < requests.count, let frame = try peer.next() {
            guard frame.kind == .localAnswer else { continue }
            let answer = try LocalAnswer(frame)
            answers[answer.number] = answer
            // Both were named when the node answers what came behind them.
            guard isHeld, answer.number == 2 else { continue }
            meddler.letGo()
            isHeld = false
        }
        let writes = try [0, 1].map { try #require(answers[$0]).result(IndexReply.self) }
        #expect(!isKept(writes[0]) && !isKept(writes[1]), "\(writes) \(node.lines)")
        #expect(isKept(try node.ask(item("later"))))
        #expect(isKept(try node.ask(item("behind"))))
    }

    @Test func `ends all sessions; met anew, all goes on`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        let (near, far) = (nodes[0], nodes[1])
        try eventually("two in step: \(near.lines)") { try near.peers().first?.isInStep == true }
        let meddler = try Meddler(near)
        try meddler.run(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON records WHEN instr(NEW.name, CAST('refused' AS BLOB)) > 0
            BEGIN SELECT RAISE(ABORT, 'on purpose'); END;
            """)
        #expect(!isKept(try near.ask(item("refused"))))
        try eventually("word of it: \(far.lines)") { far.lines.contains { $0.contains("begun anew") } }
        #expect(isKept(try far.ask(item("of the other"))))
        #expect(isKept(try near.ask(item("later"))))
        try eventually("in step again: \(near.lines)") { try near.peers().first?.isInStep == true }
    }
}
