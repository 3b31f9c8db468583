import BatonClient
import BatonCore

/// `baton join`: makes this machine a device of an account, by the invitation of another.
enum Join {
    static var specification: CommandSpecification {
        CommandSpecification(
            "join", "Make this machine a device of your account, by a code that another shows.",
            operands: [.repeated("CODE")],
            options: [
                .value("at", "HOST:PORT", "where the machine is that shows the code"),
                .value(
                    "name", "NAME", "what this machine is called (its host name, unless you say otherwise)"),
            ],
            notes: [
                "Type `baton invite` on a machine of the account to see a code: three words,",
                "of which four letters each are enough.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        guard arguments[0] != nil, let address = arguments.value("at") else {
            throw LocalFailure(
                .usage,
                "Where is the machine that shows the code?\nSay so with --at HOST:PORT, as `baton invite` does there."
            )
        }
        let option = try call.home().option
        let name = try HostName.device(named: arguments.value("name"))
        let code = arguments.operands.joined(separator: " ")
        var phrase: String?
        let admission = try NodeProgram.find().join(
            ["join", code, "--at", address] + call.homeArguments + ["--name", name],
            waited: call.progress("Waiting for the machine at \(address)").tell
        ) { (notice) throws(LocalFailure) in
            phrase = notice.phrase
            if !call.isJSON { try greet(notice.name, notice.phrase, notice.asksPerson, call) }
        }
        let (account, device, inviter) = (admission.account, admission.device, admission.inviter)
        let taken = call.nodeTakesUpAccount()
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    .init("account", .string(account.description)), .init("device", JSON(device)),
                    .init("inviter", JSON(inviter)), .init("compare", JSON(phrase)),
                ]))
        }
        call.console.print(
            """
            This machine is “\(device.name)” (\(device.identifier.short)), of the account of “\(inviter.name)” \
            (\(account.short)).
            """)
        call.console.print(taken ?? "Next, start the node with `baton node\(option)`.")
    }

    /// Says who lets this machine in, and that it waits, if it does.
    private static func greet(
        _ name: String, _ phrase: String, _ asksPerson: Bool, _ call: Call
    ) throws(LocalFailure) {
        call.console.print("“\(name)” invites this machine. Compare with its screen: \(phrase)")
        let option = try call.options()
        call.console.print(
            asksPerson
                ? "If it shows other words, press Ctrl-C. Waiting until somebody there lets it in."
                : "If it shows other words, type `baton leave\(option)`: it is not your account.")
        try call.console.flush()
    }
}
