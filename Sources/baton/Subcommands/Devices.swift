import BatonClient
import BatonCore

/// `baton devices`: the machines of the account.
enum Devices {
    static var specification: CommandSpecification {
        CommandSpecification(
            "devices", "List the machines of your account.",
            operands: [.optional("DEVICE")],
            notes: [
                "With a name or an identifier it tells all that is known of that one: also",
                "what it last changed here, and through which machine that came.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let all = try node.devices()
        let devices = try call.arguments[0].map { (text) throws(LocalFailure) in try all.called(text) } ?? all
        if call.isJSON {
            call.console.print(.object([.init("devices", .array(devices.map { JSON($0) }))]))
        } else if call.arguments[0] != nil {
            for device in devices {
                for line in device.detailLines(at: .here) { call.console.print(line) }
            }
        } else {
            call.console.print(DeviceList(devices).table(at: .here))
        }
    }
}

extension [DeviceStatus] {
    /// Those that are called so, or whose identifier begins so.
    fileprivate func called(_ text: String) throws(LocalFailure) -> [DeviceStatus] {
        let found = filter { status in
            status.device.name == text
                || !text.isEmpty && status.device.identifier.description.hasPrefix(text.lowercased())
        }
        guard !found.isEmpty else {
            throw LocalFailure(
                .notFound,
                "No device is called “\(text)”, nor begins its identifier so.\nSee `baton devices`.")
        }
        return found
    }
}
