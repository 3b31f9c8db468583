import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton rename`: renames this device.
enum Rename {
    static var specification: CommandSpecification {
        CommandSpecification(
            "rename", "Rename this machine.", operands: [.required("NAME")])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let name = call.arguments[0] ?? ""
        let device = try node.ask(RenameDevice(to: name)).device
        guard !call.isJSON else {
            return call.console.print(.object([.init("renamed", JSON(device))]))
        }
        let short = device.device.identifier.short
        call.console.print("The device \(short) is now called “\(device.device.name)”.")
    }
}
