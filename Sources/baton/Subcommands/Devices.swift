import BatonClient
import BatonCore

/// `baton devices`: the machines of the account, and where to find one of them.
enum Devices {
    static var specification: CommandSpecification {
        CommandSpecification(
            "devices", "List the machines of your account, or say where one of them is.",
            operands: [.optional("DEVICE")],
            options: [
                .flag("all", "list those that have left or were revoked, too"),
                .value(
                    "at", "HOST:PORT", "look for DEVICE at this address (port 4817 if left out)",
                    repeats: true),
                .flag("no-at", "drop the addresses that --at named for DEVICE"),
            ],
            notes: [
                "With a name or an identifier it tells all that is known of that one: also",
                "what it last changed here, and through which machine that came.",
                "Machines find each other by themselves as long as one of the two keeps its",
                "address. If both have new ones, name an address with --at on one of them. It",
                "takes the place of those named before, and is kept until --no-at drops it.",
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
                "\(HumanTime.count(hidden, "more machine")) left or revoked: `baton devices --all` shows all."
            )
        }
    }

    private static func setAddresses(_ call: Call) throws(LocalFailure) {
        let addresses = call.arguments.values("at")
        guard let text = call.arguments[0] else {
            throw LocalFailure(.usage, "Which machine?\nType `baton devices DEVICE --at HOST:PORT`.")
        }
        guard addresses.isEmpty || !call.arguments.has("no-at"), !call.arguments.has("all") else {
            throw LocalFailure(.usage, "--at, --no-at and --all don't go together.")
        }
        var node = try call.connect()
        let device = try node.ask(SetAddresses(text, addresses)).device
        guard !call.isJSON else {
            return call.console.print(.object([.init("devices", .array([JSON(device)]))]))
        }
        let name = device.device.name
        call.console.print(
            device.namedAddresses.isEmpty
                ? "No address is named for “\(name)” any more."
                : "Looking for “\(name)” at \(device.namedAddresses.joined(separator: ", ")).")
    }
}

extension DeviceStatus {
    /// Whether it belongs to the account, as far as is known.
    fileprivate var belongs: Bool { revocation == nil && !hasLeft }
}

extension [DeviceStatus] {
    /// Those with that name, or else those whose identifier begins so.
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
