import BatonCore
import BatonNetwork
import BatonSecurity

/// What a person does to let a machine in.
extension Requests {
    /// Opens an invitation, unless another account of the node invites somebody.
    ///
    /// A joiner can't say which account it means: it has nothing but a code, which nobody may know before it is proved.
    /// So there is one open invitation at a port, and whoever knocks means that.
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

    /// Where another machine can probably reach this one, the best address first.
    var addresses: [String] { served.surroundings.reachable(log).map(\.description) }

    /// Ends the open invitation.
    func cancelInvitation() throws(LocalFailure) -> LocalAnswer {
        guard account.reception.cancel() else {
            throw LocalFailure(.invitationOver, "No invitation is open.")
        }
        return .invitationCancelled
    }
}
