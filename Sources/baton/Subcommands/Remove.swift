import BatonClient
import BatonCore

/// `baton remove`: says that a device is gone.
enum Remove {
    static var specification: CommandSpecification {
        CommandSpecification(
            "remove", "Say that a machine is gone, so that nobody waits for it.",
            operands: [.required("DEVICE")],
            notes: [
                "DEVICE is a name or an identifier that `baton devices` shows. The machine comes",
                "back by itself when another one meets it. If it was lost or stolen, type",
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
            "“\(device.name)” (\(device.identifier.short)) is gone: nobody waits for it any more.")
        call.console.print("When one of your machines meets it, it is back by itself.")
        call.console.print("If it was lost or stolen, type `baton revoke \(device.identifier.short)`.")
    }
}
