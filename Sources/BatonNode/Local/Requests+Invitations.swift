import BatonCore
import BatonNetwork
import BatonSecurity

/// Handles the calls by which a person lets a machine in.
extension Requests {
    /// Opens an invitation, unless another account of the node has one open.
    ///
    /// A joiner can't say which account it means: it has only a code, which it must not tell before it is proved.
    /// So a port has one open invitation, and every joiner means that one.
    func invite(asksPerson: Bool) throws(LocalFailure) -> Invitation {
        if let other = served.node.invites(besides: served) {
            let option = served.home.option + served.home.of(other).accountOption
            throw LocalFailure(
                .failed,
                "“\(other)” invites at this moment, and a node has one open invitation at a time.\n"
                    + "Wait until its code was used or is over, or type `baton invite --cancel\(option)`."
            )
        }
        return try account.reception.invite(asksPerson: asksPerson)
    }

    /// The addresses at which another machine can probably reach this one, the best first.
    var addresses: [String] { served.surroundings.reachable(log).map(\.description) }

    func handle(_ call: AwaitInvitation, _ answer: @escaping Answer<InvitationReply>) {
        account.reception.awaitInvitation(call.code, isJoinerKnown: call.isJoinerKnown, answer)
    }

    func handle(_ call: AnswerJoiner, _ answer: @escaping Answer<InvitationReply>) {
        account.reception.answerJoiner(call.code, letIn: call.letIn, answer)
    }

    func handle(_: CancelInvitation, _ answer: Answer<CancelInvitationReply>) throws(LocalFailure) {
        guard account.reception.cancel() else {
            throw LocalFailure(.invitationOver, "No invitation is open.")
        }
        answer(.success(CancelInvitationReply()))
    }
}
