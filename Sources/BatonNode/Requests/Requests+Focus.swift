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
