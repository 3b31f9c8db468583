import BatonClient
import BatonCore

/// `baton init`: makes an account, with this machine as its first device.
enum Initialise {
    static var specification: CommandSpecification {
        CommandSpecification(
            "init", "Make an account, with this machine as its first device.",
            options: [
                .value(
                    "name", "NAME", "what this machine is called (its host name, unless you say otherwise)")
            ],
            notes: ["A machine that is to join an account that exists takes `baton join` instead."])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let name = try HostName.device(named: call.arguments.value("name"))
        let answer = try NodeProgram.find().answer(["init"] + call.homeArguments + ["--name", name])
        guard case .initialised(let account, let device, let recoveryCode) = answer else {
            throw LocalFailure(.failed, "baton-node answered with something else than a new account.")
        }
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    .init("account", .string(account.description)), .init("device", JSON(device)),
                    .init("recoveryCode", .string(recoveryCode)),
                ]))
        }
        let option = try call.home().option
        call.console.print(
            """
            This machine is “\(device.name)” (\(device.identifier.short)), the first of account \(account.short).

            Recovery code: \(recoveryCode)
            Write it down and keep it apart from your machines. It is the way back into the account when they are
            lost, and it is shown only this once.

            Next, start the node with `baton node\(option)`. Then let another machine in with `baton invite\(option)`.
            """)
    }
}
