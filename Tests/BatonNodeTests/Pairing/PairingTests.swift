import BatonCore
import Support
import Testing

/// Joining a running node over sockets, with the limits and clocks of a test.
@Suite struct `Joining a node` {
    private func failure(_ body: () throws -> Void) -> LocalFailure? {
        do {
            try body()
            return nil
        } catch {
            return error as? LocalFailure
        }
    }

    /// Asks for the outcome of an invitation.
    private func outcome(
        _ node: RunningNode, _ code: String
    ) throws -> Result<InvitationReply, LocalFailure> {
        try node.ask(AwaitInvitation(code: code, isJoinerKnown: true))
    }

    @Test(arguments: [("behind", -10), ("ahead of", 10)])
    func `joining with a clock that is years wrong fails with a reason on both sides`(
        word: String, years: Int64
    ) throws {
        let node = try RunningNode.first(try TemporaryFolder())
        let code = try node.invite()
        let wrong = presentTime.advanced(by: .seconds(years * 31_556_952 + (years > 0 ? 60 : -60)))
        let told = failure { try node.join("second", with: code, clock: { wrong }) }
        #expect(told?.code == .failed)
        #expect(
            told?.text.contains("The clock of this machine is 10 years \(word) that of “first”.") == true,
            "\(String(describing: told))")
        guard case .failure(let failure) = try outcome(node, code) else {
            return #expect(Bool(false), "the machine joined")
        }
        #expect(failure.text.contains("has not joined") && failure.text.contains("clock"), "\(failure)")
        #expect(try node.devices().count == 1)
        // With the right clock it joins.
        try node.admit("second")
        try eventually("two devices") { try node.devices().count == 2 }
    }

    @Test func `joining fails when the invitation expires before the person has confirmed`() throws {
        let node = try RunningNode.first(try TemporaryFolder()) { $0.invitationTime = .seconds(10) }
        var inviter = try node.connect()
        guard case .success(let code) = try inviter.ask(OpenInvitation(asksPerson: true)).map(\.code) else {
            return #expect(Bool(false), "no code")
        }
        // The invitation ends with the connection of the command that asks the person.
        defer { withExtendedLifetime(inviter) {} }
        let told = failure { try node.join("second", with: code) }
        #expect(told?.code == .invitationOver, "\(String(describing: told))")
        guard case .failure(let failure) = try outcome(node, code) else {
            return #expect(Bool(false), "the machine joined")
        }
        #expect(failure.code == .invitationOver && failure.text.contains("has not joined"), "\(failure)")
        #expect(try node.devices().count == 1)
    }

    @Test func `the outcome of an invitation can be queried later, and an unknown invitation has none`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder())
        let code = try node.invite()
        #expect(failure { try node.join("second", with: "lemon tiger cloud") }?.code == .wrongCode)
        guard case .failure(let failure) = try outcome(node, code) else {
            return #expect(Bool(false), "the machine joined")
        }
        #expect(failure.code == .wrongCode)
        guard case .failure(let other) = try outcome(node, "tiger-lemon-cloud") else {
            return #expect(Bool(false), "an unknown invitation has an outcome")
        }
        #expect(other.code == .invitationOver)
        guard case .failure(let late) = try node.ask(AnswerJoiner(code: code, letIn: true)) else {
            return #expect(Bool(false), "a joiner was accepted, although none waits")
        }
        #expect(late.code == .wrongCode)
    }

    @Test func `a joiner can't be admitted until it has proved that it knows the code`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var inviter = try node.connect()
        guard case .success(let code) = try inviter.ask(OpenInvitation(asksPerson: true)).map(\.code) else {
            return #expect(Bool(false), "no code")
        }
        // The invitation ends with the connection of the command that asks the person.
        defer { withExtendedLifetime(inviter) {} }
        guard case .failure(let failure) = try node.ask(AnswerJoiner(code: code, letIn: true)) else {
            return #expect(Bool(false), "a joiner was accepted, although none waits")
        }
        #expect(failure.text.contains("No machine is waiting"))
    }
}
