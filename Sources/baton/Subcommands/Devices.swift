import BatonClient
import BatonCore

/// `baton devices`: the machines of the account.
enum Devices {
    static var specification: CommandSpecification {
        CommandSpecification("devices", "List the machines of your account.")
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let devices = try node.devices()
        if call.isJSON {
            call.console.print(.object([.init("devices", .array(devices.map { JSON($0) }))]))
        } else {
            call.console.print(DeviceList(devices).table(at: .here))
        }
    }
}
