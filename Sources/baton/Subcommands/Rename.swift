import BatonClient
import BatonCore

/// `baton rename`: gives a device a name.
enum Rename {
    static var specification: CommandSpecification {
        CommandSpecification(
            "rename", "Give this machine, or another of your account, a name.",
            operands: [.required("NAME")],
            options: [.value("device", "DEVICE", "another machine, by its name or identifier")])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let name = call.arguments[0] ?? ""
        let device = try node.ask(RenameDevice(call.arguments.value("device"), to: name)).device
        guard !call.isJSON else {
            return call.console.print(.object([.init("renamed", JSON(device))]))
        }
        let short = device.device.identifier.short
        call.console.print("The device \(short) is called “\(device.device.name)” now.")
    }
}
