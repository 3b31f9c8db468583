import BatonClient
import BatonCore

/// `baton join`: makes this machine a device of an account, by the invitation of another.
enum Join {
    static var specification: CommandSpecification {
        CommandSpecification(
            "join", "Make this machine a device of your account, by a code that another shows.",
            operands: [.required("CODE")],
            options: [
                .value("at", "HOST:PORT", "where the machine is that shows the code"),
                .value(
                    "name", "NAME", "what this machine is called (its host name, unless you say otherwise)"),
            ],
            notes: ["Type `baton invite` on a machine of the account to see a code."])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        guard let code = arguments[0], let address = arguments.value("at") else {
            throw LocalFailure(
                .usage,
                "Where is the machine that shows the code?\nSay so with --at HOST:PORT, as `baton invite` does there."
            )
        }
        let name = try HostName.device(named: arguments.value("name"))
        let answer = try NodeProgram.find().answer(
            ["join", code, "--at", address] + call.homeArguments + ["--name", name])
        guard case .admitted(let account, let device, let inviter) = answer else {
            throw LocalFailure(.failed, "baton-node answered with something else than an admission.")
        }
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    .init("account", .string(account.description)), .init("device", JSON(device)),
                    .init("inviter", JSON(inviter)),
                ]))
        }
        call.console.print(
            """
            This machine is “\(device.name)” (\(device.identifier.short)), of the account of “\(inviter.name)” \
            (\(account.short)).
            Next, start the node with `baton node\(try call.home().option)`.
            """)
    }
}
