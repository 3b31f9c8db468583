import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton recover`: adds this machine to an account with the account's recovery code, and makes it an owner.
enum Recover {
    static var specification: CommandSpecification {
        CommandSpecification(
            "recover", "Get back into your account on this machine, with the recovery code.",
            options: [
                .value("at", "HOST:PORT", "the address of another machine of the account, if one is left"),
                .value(
                    "name", "NAME", "the name of this machine (its host name, if left out)"),
            ],
            notes: [
                "Use it when no owner's machine is left to invite this one. It becomes an owner.",
                "Asks for the sixteen words of the recovery code; a script can pipe them in.",
                "The account's data comes from its other machines; without any, the account is",
                "empty.",
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
                The account is empty: its data would come from another of its machines. If one is left, type
                `baton leave\(options)`, and `baton recover\(options) --at HOST:PORT` with its address.
                """)
        } else {
            call.console.print("It was admitted by “\(other.name)”, which sends it all data.")
        }
        call.console.print(
            """
            \(taken ?? "Next, start the node with `baton node\(option)`.") Then type `baton devices\(options)`, and for each \
            machine that was lost
            `baton revoke DEVICE\(options)`: until then, whoever has that machine is still in the account.
            """)
    }
}
