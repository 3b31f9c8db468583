import BatonClient
import BatonCore

/// `baton recover`: comes back into an account by its recovery code.
enum Recover {
    static var specification: CommandSpecification {
        CommandSpecification(
            "recover", "Come back into your account on this machine, by the recovery code.",
            options: [
                .value("at", "HOST:PORT", "where another machine of the account is, if one is left"),
                .value(
                    "name", "NAME", "what this machine is called (its host name, unless you say otherwise)"),
            ],
            notes: [
                "For when no owner's machine is left that could invite. Makes this one an owner.",
                "Asks for the sixteen words of the recovery code; a script writes them to the",
                "standard input. What the account holds comes from its other machines; without",
                "any, it is empty.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let address = call.arguments.value("at")
        let words =
            ["recover", "--name", try HostName.device(named: call.arguments.value("name"))]
            + call.homeArguments + (address.map { ["--at", $0] } ?? [])
        var program = try NodeProgram.find().converse(words)
        let admission = try RecoveryCodeQuestion.ask(call) { (text) throws(LocalFailure) in
            program.say(text)
            return try program.next(AdmissionReply.self)
        }
        let (account, device, other) = (admission.account, admission.device, admission.inviter)
        let (option, options) = (try call.home().option, try call.options())
        let taken = call.nodeTakesUpAccount()
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    .init("account", .string(account.description)), .init("device", JSON(device)),
                    .init("met", other.isHere ? .null : JSON(other)),
                ]))
        }
        call.console.print(
            "This machine is “\(device.name)” (\(device.identifier.short)), an owner of account \(account.short)."
        )
        if other.isHere {
            call.console.print(
                """
                Nothing of the account is here: that would come from another of its machines. If one is left, type
                `baton leave\(options)`, and `baton recover\(options) --at HOST:PORT` with its address.
                """)
        } else {
            call.console.print("It was let in by “\(other.name)”, from which everything comes.")
        }
        call.console.print(
            """
            \(taken ?? "Next, start the node with `baton node\(option)`.") Then type `baton devices\(options)`, and for each \
            machine that was lost
            `baton revoke DEVICE\(options)`: until then whoever has it is still in the account.
            """)
    }
}
