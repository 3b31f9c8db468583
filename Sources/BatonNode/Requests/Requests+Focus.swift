import BatonCore

/// Handles calls about the focuses of the person.
extension Requests {
    func listFocuses(_: ListFocuses, _ answer: @escaping Answer<FocusesReply>) {
        account.focuses.list(answer)
    }

    func switchFocus(_ call: SwitchFocus, _ answer: @escaping Answer<FocusesReply>) {
        account.focuses.switchTo(call.name, answer)
    }

    func changeFocus(_ call: ChangeFocus, _ answer: @escaping Answer<FocusesReply>) {
        account.focuses.change(call, answer)
    }
}

extension ClientSession {
    /// Answers once the focus of the person has changed.
    func awaitFocus(_ call: AwaitFocus, by requests: Requests, _ answer: @escaping Answer<FocusNotice>) {
        requests.account.focuses.await(call, by: identifier, answer)
    }
}
