import BatonCore
import BatonNode
import Support
import Testing

/// A database that refuses one change, and accepts the next one.
@Suite struct `A change that can't be stored` {
    private func item(_ identifier: String) -> ChangeIndex {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string(identifier))
        let index = ClientStateName(app: "org.example", index: "notes")
        let change = IndexChange.item(identifier, Item(attributes: attributes))
        return ChangeIndex(index, [change])
    }

    private func isStored(_ answer: Result<IndexReply, LocalFailure>) -> Bool {
        if case .success = answer { true } else { false }
    }

    @Test func `a change that can't be stored also fails changes with later dots, and no others`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder())
        #expect(isStored(try node.ask(item("before"))))
        let program = try OtherProgram(node)
        // The name of a record in the store contains the record's key.
        try program.run(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON records WHEN instr(NEW.name, CAST('refused' AS BLOB)) > 0
            BEGIN SELECT RAISE(ABORT, 'on purpose'); END;
            """)
        try program.lock()
        var peer = try node.connect()
        let requests: [any LocalCall] = [item("refused"), item("behind"), GetStatus()]
        for (number, request) in requests.enumerated() {
            try peer.send(request.frame(number: UInt64(number)).encoded)
        }
        var answers: [UInt64: LocalAnswer] = [:]
        var isLocked = true
        while answers.count < requests.count, let frame = try peer.next() {
            guard frame.kind == .localAnswer else { continue }
            let answer = try LocalAnswer(frame)
            answers[answer.number] = answer
            // Both changes have their dots by the time the node answers the third request.
            guard isLocked, answer.number == 2 else { continue }
            program.unlock()
            isLocked = false
        }
        let writes = try [0, 1].map { try #require(answers[$0]).result(IndexReply.self) }
        #expect(!isStored(writes[0]) && !isStored(writes[1]), "\(writes) \(node.lines)")
        #expect(isStored(try node.ask(item("later"))))
        #expect(isStored(try node.ask(item("behind"))))
    }

    @Test func `a change that can't be stored closes all sessions, which then reopen`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        let (near, far) = (nodes[0], nodes[1])
        try eventually("two in step: \(near.lines)") { try near.peers().first?.isInStep == true }
        let program = try OtherProgram(near)
        try program.run(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON records WHEN instr(NEW.name, CAST('refused' AS BLOB)) > 0
            BEGIN SELECT RAISE(ABORT, 'on purpose'); END;
            """)
        #expect(!isStored(try near.ask(item("refused"))))
        try eventually("word of it: \(far.lines)") { far.lines.contains { $0.contains("start over") } }
        #expect(isStored(try far.ask(item("of the other"))))
        #expect(isStored(try near.ask(item("later"))))
        try eventually("in step again: \(near.lines)") { try near.peers().first?.isInStep == true }
    }
}
