import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton init`: creates an account.
///
/// This machine is its first device.
enum Initialise {
    static var specification: CommandSpecification {
        CommandSpecification(
            "init", "Create an account, with this machine as its first device.",
            options: [
                .value(
                    "name", "NAME", "the name of this machine (its host name, if left out)"),
                .flag("no-confirm", "don't ask you to repeat the recovery code; --json never does"),
            ],
            notes: [
                "Shows the recovery code, sixteen words, and asks you to repeat it before the",
                "account is created. To join an account that exists, type `baton join`.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) { try create(call) }

    /// Creates the account; with `saysNext`, prints what to do next.
    static func create(_ call: Call, saysNext: Bool = true) throws(LocalFailure) {
        // With `--json`, a program stores the code together with the other values. So no person has to confirm it.
        let isConfirming = !call.isJSON && !call.arguments.has("no-confirm")
        guard !isConfirming || Question.canBeAsked else {
            throw LocalFailure(
                .usage,
                "You are asked to repeat the recovery code, and there is no terminal to ask at.\n"
                    + "Type `baton init` at one, or add --no-confirm and write the code down all the same.")
        }
        let home = try call.home()
        let name = try HostName.device(named: call.arguments.value("name"))
        let words = ["init"] + call.homeArguments + ["--name", name]
        var conversation = try NodeProgram.find().converse(words + (isConfirming ? ["--confirm"] : []))
        let made = try conversation.next(NewAccountReply.self)
        let (account, device, recoveryCode) = (made.account, made.device, made.recoveryCode)
        guard !call.isJSON else {
            // The result is not printed here. `baton accounts` shows it.
            _ = call.nodeTakesUpAccount()
            return call.console.print(
                .object([
                    .init("account", .string(account.description)), .init("device", JSON(device)),
                    .init("recoveryCode", .string(recoveryCode)),
                ]))
        }
        let code = RecoveryCodeText(recoveryCode)
        call.console.print("Recovery code:\n")
        for line in code.lines(width: call.console.width) { call.console.print(exactly: line) }
        call.console.print(
            """

            Write it down and keep it apart from your machines. It is shown only once.
            It is the way back into the account when your machines are lost.

            """)
        if isConfirming { try confirm(code, with: &conversation, call) }
        let (option, accountOption) = (home.option, home.accountOption)
        let next: VisibleText =
            call.nodeTakesUpAccount().map { "\($0) Add" }
            ?? "Next, start the node with `baton node\(option)`. Then add"
        call.console.print(
            "This machine is “\(device.name)” (\(device.identifier.short)), the first of account \(account.short)."
        )
        if saysNext {
            call.console.print("\n\(next) another machine with `baton invite\(option)\(accountOption)`.")
        }
    }

    /// Asks the person to type the code, until it is right.
    ///
    /// The account is created only then. The code stays the same, because the person has already written it on paper.
    private static func confirm(
        _ code: RecoveryCodeText, with conversation: inout NodeConversation, _ call: Call
    ) throws(LocalFailure) {
        while true {
            call.console.print(
                "Type the \(String(code.count)) words from your paper; four letters of each are enough:")
            try call.console.flush()
            guard let typed = try RecoveryCodeQuestion.typed(code.count, on: call.console) else { break }
            conversation.say(typed)
            do throws(LocalFailure) {
                _ = try conversation.next(NewAccountReply.self)
                return call.console.print("")
            } catch  where error.code == .usage {
                call.console.print("\(error.text) Try again, or press Ctrl-C to create no account.")
            }
        }
        try call.console.flush()
        throw LocalFailure(
            .failed,
            "No account was created, and the code on your paper is void.\nType `baton init` to start again, with a new code."
        )
    }
}
