import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton remove`: removes a device that is no longer used, so that no machine waits for it.
enum Remove {
    static var specification: CommandSpecification {
        CommandSpecification(
            "remove", "Remove a machine that is gone, so that the others stop waiting for it.",
            operands: [.required("DEVICE")],
            notes: [
                "DEVICE is a name or an ID that `baton devices` shows. The machine comes back by",
                "itself when it connects to another one. If it was lost or stolen, type",
                "`baton revoke`.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let removed = try node.ask(RemoveDevice(call.arguments[0] ?? "")).device
        guard !call.isJSON else {
            return call.console.print(.object([.init("removed", JSON(removed))]))
        }
        let device = removed.device
        call.console.print(
            "“\(device.name)” (\(device.identifier.short)) is removed: no machine waits for it any more.")
        call.console.print("It comes back by itself when it connects to one of your machines.")
        call.console.print("If it was lost or stolen, type `baton revoke \(device.identifier.short)`.")
    }
}
