import BatonCore
import BatonNetwork
import BatonSecurity

/// Handles calls about invitations.
extension Requests {
    /// Opens an invitation, unless another account of the node has an open invitation.
    ///
    /// A joiner can't say which account it means. It has only a code, which it must not reveal before both sides have
    /// proved that they know the code. Therefore, a node has at most one open invitation, which all joiners use.
    func invite(asksPerson: Bool) throws(LocalFailure) -> Invitation {
        if let other = host.otherInvitation {
            throw LocalFailure(
                .failed,
                "“\(other.name)” has an open invitation, and a node can have only one at a time.\n"
                    + "Wait until its code is used or expires, or type `baton invite --cancel\(other.options)`."
            )
        }
        if let owner = account.devices.countingAuthority?.owner,
            !core.membership.roster.hasRoom(of: owner)
        {
            throw InvitationFailure.full
        }
        return try account.reception.invite(asksPerson: asksPerson)
    }

    /// The addresses at which another machine can probably reach this machine, best first.
    var addresses: [String] { host.reachable.map(\.description) }

    func awaitInvitation(_ call: AwaitInvitation, _ answer: @escaping Answer<InvitationReply>) {
        account.reception.awaitInvitation(call.code, isJoinerKnown: call.isJoinerKnown, answer)
    }

    func answerJoiner(_ call: AnswerJoiner, _ answer: @escaping Answer<InvitationReply>) {
        account.reception.answerJoiner(call.code, letIn: call.letIn, answer)
    }

    func cancelInvitation(_: CancelInvitation, _ answer: Answer<CancelInvitationReply>) throws(LocalFailure) {
        guard account.reception.cancel() else {
            throw LocalFailure(.invitationOver, "No invitation is open.")
        }
        answer(.success(CancelInvitationReply()))
    }
}
