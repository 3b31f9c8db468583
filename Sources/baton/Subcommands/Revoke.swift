import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton revoke`: removes a device from the account for ever.
enum Revoke {
    static var specification: CommandSpecification {
        CommandSpecification(
            "revoke", "Shut a lost or stolen machine out of your account permanently.",
            operands: [.required("DEVICE")],
            options: [.flag("yes", "don't ask first")],
            notes: [
                "DEVICE is a name or an ID that `baton devices` shows. Only an owner's machine",
                "can revoke. The data on the revoked machine stays there. For a machine that may",
                "come back, type `baton remove`.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let text = call.arguments[0] ?? ""
        var node = try call.connect()
        let device = try node.ask(RevokeDevice(text, isConfirmed: false)).device
        if !call.arguments.has("yes") {
            let owners = try node.ask(ListDevices()).devices.filter(\.isCountedOwner).map(\.device.identifier)
            try demandConsent(device, isLastOwner: owners == [device.device.identifier], call)
        }
        // The device is now named by its whole identifier. Meanwhile, another device may have got the name.
        let identifier = device.device.identifier.description
        let revoked = try node.ask(RevokeDevice(identifier, isConfirmed: true)).device
        guard !call.isJSON else {
            return call.console.print(.object([.init("revoked", JSON(revoked))]))
        }
        // The text is about the status before the revocation. But it names the last change that arrived before the
        // connection ended.
        var told = device
        told.lastChange = revoked.lastChange
        told.received = revoked.received
        for line in RevocationText(told).linesWhenRevoked(at: .here) { call.console.print(line) }
    }

    private static func demandConsent(
        _ device: DeviceStatus, isLastOwner: Bool, _ call: Call
    ) throws(LocalFailure) {
        guard Question.canBeAsked, !call.isJSON else {
            throw LocalFailure(
                .usage, "This can't be undone, and there is no terminal to ask at. Add --yes to do it.")
        }
        let text = RevocationText(device, isLastOwner: isLastOwner)
        for line in text.linesToConfirm(at: .here) { call.console.print(line) }
        guard try Question.isAgreed(to: "Revoke it?", on: call.console) else {
            throw LocalFailure(.failed, "Nothing has changed.")
        }
    }
}

extension DeviceStatus {
    /// Whether the device is an owner that can still admit and revoke machines.
    fileprivate var isCountedOwner: Bool { isOwner && revocation == nil && !hasLeft }
}
