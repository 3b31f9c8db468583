import BatonClient
import BatonCore

/// `baton init`: makes an account, with this machine as its first device.
enum Initialise {
    static var specification: CommandSpecification {
        CommandSpecification(
            "init", "Make an account, with this machine as its first device.",
            options: [
                .value(
                    "name", "NAME", "what this machine is called (its host name, unless you say otherwise)"),
                .flag("no-confirm", "don't ask for the recovery code again; --json never does"),
            ],
            notes: [
                "Shows the recovery code, sixteen words, and asks for it before anything is made.",
                "A machine that is to join an account that exists takes `baton join` instead.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        // Whoever reads JSON keeps the code as it keeps the rest.
        let isConfirming = !call.isJSON && !call.arguments.has("no-confirm")
        guard !isConfirming || Question.canBeAsked else {
            throw LocalFailure(
                .usage,
                "The recovery code is asked for once it is written down, and there is no terminal to ask at.\n"
                    + "Type `baton init` at one, or say --no-confirm and keep the code all the same.")
        }
        let home = try call.home()
        let name = try HostName.device(named: call.arguments.value("name"))
        let words = ["init"] + call.homeArguments + ["--name", name]
        var conversation = try NodeProgram.find().converse(words + (isConfirming ? ["--confirm"] : []))
        let made = try conversation.next(NewAccountReply.self)
        let (account, device, recoveryCode) = (made.account, made.device, made.recoveryCode)
        guard !call.isJSON else {
            // What came of it `baton accounts` tells.
            _ = call.nodeTakesUpAccount()
            return call.console.print(
                .object([
                    .init("account", .string(account.description)), .init("device", JSON(device)),
                    .init("recoveryCode", .string(recoveryCode)),
                ]))
        }
        let code = RecoveryCodeText(recoveryCode)
        call.console.print("Recovery code:\n")
        for line in code.lines { call.console.print(line) }
        call.console.print(
            """

            Write it down and keep it apart from your machines. It is the way back into the account when they are
            lost, and it is shown only this once.

            """)
        if isConfirming { try confirm(code, with: &conversation, call) }
        let (option, accountOption) = (home.option, home.accountOption)
        let next: VisibleText =
            call.nodeTakesUpAccount().map { "\($0) Let" }
            ?? "Next, start the node with `baton node\(option)`. Then let"
        call.console.print(
            """
            This machine is “\(device.name)” (\(device.identifier.short)), the first of account \(account.short).

            \(next) another machine in with `baton invite\(option)\(accountOption)`.
            """)
    }

    /// Asks for the code until it is right, since the paper with it would be void otherwise; nothing is made before.
    private static func confirm(
        _ code: RecoveryCodeText, with conversation: inout NodeConversation, _ call: Call
    ) throws(LocalFailure) {
        while true {
            call.console.print(
                "Type the \(String(code.count)) words from your paper; four letters of each are enough:")
            try call.console.flush()
            guard let typed = RecoveryCodeQuestion.typed(code.count) else { break }
            conversation.say(typed)
            do throws(LocalFailure) {
                _ = try conversation.next(NewAccountReply.self)
                return call.console.print("")
            } catch  where error.code == .usage {
                call.console.print("\(error.text) Once more, or Ctrl-C to make no account.")
            }
        }
        try call.console.flush()
        throw LocalFailure(
            .failed,
            "Nothing was made, and the words on the paper are void.\nType `baton init` to begin anew, with other words."
        )
    }
}
