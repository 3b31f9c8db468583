import BatonCore
import BatonNode
import Support
import Testing

@Suite struct `The local calls of a node` {
    @Test func `a node has a handler for each local call`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var generator = SeededGenerator(seed: 1)
        for number in LocalCallNumber.allCases {
            var call = generator.localExchange(number).call
            // The account is still needed.
            if call is LeaveAccount { call = LeaveAccount(isConfirmed: false) }
            // With a passphrase, a later call would lock the account, and the node would end.
            if call is SetLock { call = SetLock([], proof: nil) }
            try expectHandled(call, by: node)
        }
    }

    /// Makes a call, and another one whose answer shows that the node is still serving.
    ///
    /// A call that waits for something to happen is not answered; every other one is, with its reply or a failure.
    private func expectHandled<Call: LocalCall>(_ call: Call, by node: RunningNode) throws {
        var peer = try node.connect()
        try peer.send(call.frame(number: 1).encoded)
        try peer.send(GetStatus().frame(number: 2).encoded)
        let isWait = Call.number.weight == .wait
        var awaited: Set<UInt64> = isWait ? [2] : [1, 2]
        while !awaited.isEmpty {
            let frame = try #require(try peer.next(), "the node hung up on \(call)")
            guard frame.kind == .localAnswer else { continue }
            let answer = try LocalAnswer(frame)
            awaited.remove(answer.number)
            guard answer.number == 1, case .failure(let failure) = try answer.result(of: Call.self) else {
                continue
            }
            #expect(failure.code != .versionMismatch, "\(call): \(failure)")
        }
    }
}

extension LocalAnswer {
    fileprivate func result<Call: LocalCall>(
        of _: Call.Type
    ) throws -> Result<Call.Reply, LocalFailure> { try result() }
}
