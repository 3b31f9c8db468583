import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton join`: adds this machine to an account.
///
/// The person types the code of an invitation.
enum Join {
    static var specification: CommandSpecification {
        CommandSpecification(
            "join", "Add this machine to your account, with a code that another machine shows.",
            operands: [.repeated("CODE")],
            options: [
                .value(
                    "at", "HOST:PORT",
                    "the address of the machine that shows the code (found on the local network, if left out)"
                ),
                .value(
                    "name", "NAME", "the name of this machine (its host name, if left out)"),
                HandlerOptions.file,
            ],
            notes: [
                "Type `baton invite` on a machine of the account to get a code: three words. The",
                "first four letters of each are enough. On the same local network the machine",
                "is found without --at; `baton invite` shows its address for other networks.",
                "The configuration file may turn this off: see `baton help node`.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) { try join(call) }

    /// Joins the account; with `saysNext`, prints what to do next.
    static func join(_ call: Call, saysNext: Bool = true) throws(LocalFailure) {
        let arguments = call.arguments
        guard arguments[0] != nil else {
            throw LocalFailure(
                .usage, "The code is missing.\nType `baton invite` on a machine of the account.")
        }
        let place: [String]
        let waiting: VisibleText
        if let address = arguments.value("at") {
            (place, waiting) = (["--at", address], "Waiting for the machine at \(address)")
        } else {
            place = (try call.configuration() ?? Configuration()).discoveryArguments
            waiting = "Looking for the machine on the local network"
        }
        let option = try call.home().option
        let name = try HostName.device(named: arguments.value("name"))
        let code = arguments.operands.joined(separator: " ")
        var phrase: String?
        let admission = try NodeProgram.find().join(
            ["join", code] + place + call.homeArguments + ["--name", name],
            waited: call.progress(waiting).tell
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
            This machine is “\(device.name)” (\(device.identifier.short)), in the account of “\(inviter.name)” \
            (\(account.short)).
            """)
        if saysNext { call.console.print(taken ?? "Next, start the node with `baton node\(option)`.") }
    }

    /// Prints the name of the inviting machine, and whether a person must agree there.
    private static func greet(
        _ name: String, _ phrase: String, _ asksPerson: Bool, _ call: Call
    ) throws(LocalFailure) {
        call.console.print("“\(name)” invites this machine. Compare with its screen: \(phrase)")
        let option = try call.options()
        call.console.print(
            asksPerson
                ? "If it shows other words, press Ctrl-C. Waiting for somebody to confirm there."
                : "If it shows other words, type `baton leave\(option)`: it is not your account.")
        try call.console.flush()
    }
}
