import BatonCore
import Foundation
import Support
import Testing

/// Joining a node that runs, by sockets, with limits and clocks of a test.
@Suite struct `Joining a node` {
    private func failure(_ body: () throws -> Void) -> LocalFailure? {
        do {
            try body()
            return nil
        } catch {
            return error as? LocalFailure
        }
    }

    /// What became of an invitation, for who asks.
    private func outcome(
        _ node: RunningNode, _ code: String
    ) throws -> Result<InvitationReply, LocalFailure> {
        try node.ask(AwaitInvitation(code: code, isJoinerKnown: true))
    }

    private var now: WallTime { WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    private func devices(_ node: RunningNode) throws -> Int {
        guard case .success(let devices) = try node.ask(ListDevices()).map(\.devices) else { return 0 }
        return devices.count
    }

    @Test(arguments: [("behind", -10), ("ahead of", 10)])
    func `by a machine whose clock is years off comes to nothing, and both say why`(
        word: String, years: Int64
    ) throws {
        let node = try RunningNode.first(try TemporaryFolder())
        let code = try node.invite()
        let wrong = now.advanced(by: .seconds(years * 31_556_952 + (years > 0 ? 60 : -60)))
        let told = failure { try node.join("second", with: code, clock: { wrong }) }
        #expect(told?.code == .failed)
        #expect(
            told?.text.contains("The clock of this machine is 10 years \(word) that of “first”.") == true,
            "\(String(describing: told))")
        guard case .failure(let failure) = try outcome(node, code) else {
            return #expect(Bool(false), "it has joined")
        }
        #expect(failure.text.contains("has not joined") && failure.text.contains("clock"), "\(failure)")
        #expect(try devices(node) == 1)
        // With the right clock it joins.
        try node.admit("second")
        try eventually("two devices") { try devices(node) == 2 }
    }

    @Test func `ends with the invitation's time while it waits for the person`() throws {
        let node = try RunningNode.first(try TemporaryFolder()) { $0.invitationTime = .seconds(10) }
        var inviter = try node.connect()
        guard case .success(let code) = try inviter.ask(OpenInvitation(asksPerson: true)).map(\.code) else {
            return #expect(Bool(false), "no code")
        }
        // The invitation ends with the connection of the command that is to ask.
        defer { withExtendedLifetime(inviter) {} }
        let told = failure { try node.join("second", with: code) }
        #expect(told?.code == .invitationOver, "\(String(describing: told))")
        guard case .failure(let failure) = try outcome(node, code) else {
            return #expect(Bool(false), "it has joined")
        }
        #expect(failure.code == .invitationOver && failure.text.contains("has not joined"), "\(failure)")
        #expect(try devices(node) == 1)
    }

    @Test func `is told to who asks late, and nothing of one that is not known`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        let code = try node.invite()
        #expect(failure { try node.join("second", with: "lemon tiger cloud") }?.code == .wrongCode)
        guard case .failure(let failure) = try outcome(node, code) else {
            return #expect(Bool(false), "it has joined")
        }
        #expect(failure.code == .wrongCode)
        guard case .failure(let other) = try outcome(node, "tiger-lemon-cloud") else {
            return #expect(Bool(false), "there is no such invitation")
        }
        #expect(other.code == .invitationOver)
        guard case .failure(let late) = try node.ask(AnswerJoiner(code: code, letIn: true)) else {
            return #expect(Bool(false), "nobody waits")
        }
        #expect(late.code == .wrongCode)
    }

    @Test func `can't be agreed to before anybody has proved anything`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var inviter = try node.connect()
        guard case .success(let code) = try inviter.ask(OpenInvitation(asksPerson: true)).map(\.code) else {
            return #expect(Bool(false), "no code")
        }
        // The invitation ends with the connection of the command that is to ask.
        defer { withExtendedLifetime(inviter) {} }
        guard case .failure(let failure) = try node.ask(AnswerJoiner(code: code, letIn: true)) else {
            return #expect(Bool(false), "nobody waits")
        }
        #expect(failure.text.contains("Nobody waits"))
    }
}
