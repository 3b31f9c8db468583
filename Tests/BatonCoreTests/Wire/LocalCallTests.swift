import BatonCore
import Support
import Testing

@Suite struct `Local calls` {
    @Test(arguments: LocalCallNumber.allCases)
    func `have a type, and come back from their frames with their replies`(_ number: LocalCallNumber) throws {
        var generator = SeededGenerator(seed: number.rawValue)
        #expect(number.type.number == number)
        for _ in 0..<50 {
            try LocalExchanges.check(generator.localExchange(number), number: generator.next())
        }
    }

    @Test func `share no number and no type`() {
        let types = LocalCallNumber.allCases.map { ObjectIdentifier($0.type) }
        #expect(Set(types).count == LocalCallNumber.allCases.count)
    }

    @Test func `are refused where their arguments are of another call`() throws {
        let request = try LocalRequest(GetStatus().frame(number: 7))
        #expect(throws: CloseReason.self) { try request.read(FinishActivity.self) }
        let answer = try LocalAnswer(Done().frame(number: 7))
        #expect(throws: CloseReason.self) { try answer.result(NodeStatus.self) }
    }
}

/// Sends calls and replies through frames.
enum LocalExchanges {
    /// Checks that a call and its reply come back as they were.
    static func check(_ exchange: LocalExchange, number: UInt64) throws {
        #expect(try isCarried(exchange.call, number: number), "\(exchange.call)")
        #expect(try isCarried(exchange.reply, number: number), "\(exchange.reply)")
    }

    static func isCarried(_ call: some LocalCall, number: UInt64) throws -> Bool {
        let request = try LocalRequest(call.frame(number: number))
        return try request.number == number && request.call == type(of: call).number.rawValue
            && request.read() == call
    }

    static func isCarried(_ reply: some LocalReply, number: UInt64) throws -> Bool {
        let answer = try LocalAnswer(reply.frame(number: number))
        return try answer.number == number && answer.result() == .success(reply)
    }
}
