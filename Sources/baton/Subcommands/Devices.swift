import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton devices`: lists the machines of the account, or sets the address of one of them.
enum Devices {
    static var specification: CommandSpecification {
        CommandSpecification(
            "devices", "List the machines of your account, or set the address of one.",
            operands: [.optional("DEVICE")],
            options: [
                .flag("all", "also list those that have left or were revoked"),
                .value(
                    "at", "HOST:PORT", "look for DEVICE at this address (port 4817 if left out)",
                    repeats: true),
                .flag("no-at", "forget the addresses that were set with --at"),
            ],
            notes: [
                "DEVICE is a name or an ID. All that is known of that machine is shown, with the",
                "last change that was received from it, and through which machine.",
                "Machines find each other by themselves as long as one of the two keeps its",
                "address. If both have new ones, set an address with --at on one of them. It",
                "replaces those set before, and is kept until you type --no-at.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        if arguments.has("at") || arguments.has("no-at") { return try setAddresses(call) }
        var node = try call.connect()
        let all = try node.ask(ListDevices()).devices
        let devices: [DeviceStatus]
        if let text = arguments[0] {
            devices = try all.called(text)
        } else {
            devices = arguments.has("all") ? all : all.filter(\.belongs)
        }
        if call.isJSON {
            call.console.print(.object([.init("devices", .array(devices.map { JSON($0) }))]))
        } else if arguments[0] != nil {
            for device in devices {
                for line in device.detailLines(at: .here) { call.console.print(line) }
            }
        } else {
            call.console.print(DeviceList(devices).table(at: .here))
            let hidden = Int64(all.count - devices.count)
            guard hidden > 0 else { return }
            call.console.print(
                "Not shown: \(HumanTime.count(hidden, "machine")) (left or revoked). `baton devices --all` shows all."
            )
        }
    }

    private static func setAddresses(_ call: Call) throws(LocalFailure) {
        let addresses = call.arguments.values("at")
        guard let text = call.arguments[0] else {
            throw LocalFailure(.usage, "No machine was named.\nType `baton devices DEVICE --at HOST:PORT`.")
        }
        guard addresses.isEmpty || !call.arguments.has("no-at"), !call.arguments.has("all") else {
            throw LocalFailure(.usage, "--at, --no-at and --all can't be combined.")
        }
        var node = try call.connect()
        let device = try node.ask(SetAddresses(text, addresses)).device
        guard !call.isJSON else {
            return call.console.print(.object([.init("devices", .array([JSON(device)]))]))
        }
        let name = device.device.name
        call.console.print(
            device.namedAddresses.isEmpty
                ? "No address is set for “\(name)” any more."
                : "Looking for “\(name)” at \(device.namedAddresses.joined(separator: ", ")).")
    }
}

extension [DeviceStatus] {
    /// The devices with this name.
    ///
    /// If there is none, the devices whose identifier begins with the text.
    fileprivate func called(_ text: String) throws(LocalFailure) -> [DeviceStatus] {
        let named = filter { status in
            let device = status.device
            return [device.name, device.identifier.description].contains(text)
                || device.name == "\(text) (\(device.identifier.short))"
        }
        if !named.isEmpty { return named }
        let begun = filter {
            !text.isEmpty && $0.device.identifier.description.hasPrefix(text.lowercased())
        }
        guard !begun.isEmpty else {
            throw LocalFailure(
                .notFound, "No device has the name or ID “\(text)”.\nSee `baton devices`.")
        }
        return begun
    }
}
