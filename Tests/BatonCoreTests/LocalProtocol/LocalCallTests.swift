import BatonCore
import Support
import Testing

@Suite struct `Local calls` {
    @Test(arguments: LocalCallNumber.allCases)
    func `have a type, and survive encoding together with their replies`(_ number: LocalCallNumber) throws {
        var generator = SeededGenerator(seed: number.rawValue)
        #expect(number.type.number == number)
        for _ in 0..<50 {
            try LocalExchanges.check(generator.localExchange(number), number: generator.next())
        }
    }

    @Test func `have unique numbers and types`() {
        let types = LocalCallNumber.allCases.map { ObjectIdentifier($0.type) }
        #expect(Set(types).count == LocalCallNumber.allCases.count)
    }

    @Test(arguments: [(4 as UInt64, Int64.max), (4, .min), (5, 7), (5, -1), (6, 86_401), (6, .min)])
    func `are refused if a query has an impossible calendar`(field: UInt64, value: Int64) throws {
        let call = QueryItems("*", most: 1, at: PresentTime(WallTime(milliseconds: 0)) { _ in 0 })
        var writer = CBORWriter()
        call.encode(to: &writer)
        var fields = Fields()
        var reader = CBORReader(writer.bytes)
        fields = try Fields(from: &reader)
        fields.set(field) { $0.integer(value) }
        var changed = CBORReader(fields.encoded)
        #expect(throws: CBORError.self) { try QueryItems(from: &changed) }
        var unchanged = CBORReader(writer.bytes)
        #expect(try QueryItems(from: &unchanged) == call)
    }

    @Test func `are refused if they are read as another call`() throws {
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
