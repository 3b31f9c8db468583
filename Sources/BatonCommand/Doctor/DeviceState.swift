import BatonClient
package import BatonCore

/// Whether this machine is connected to another device of the account.
package enum DeviceState: Equatable, Sendable {
    case inStep
    /// The device is connected, but at least one of the two devices lacks changes of the other.
    case syncing
    /// The device has said that it can't store the changes that it receives.
    case notStoring
    case notConnected
    /// The device is not connected, and this machine knows no address of it.
    case noAddress
    /// The device was removed.
    ///
    /// It may connect again, but no tombstones are kept for it.
    case removed
    case left
    case revoked
    /// The device is this machine.
    case thisMachine

    package init(_ status: DeviceStatus, hasPlaces: Bool) {
        self =
            if status.device.isHere {
                .thisMachine
            } else if status.revocation != nil {
                .revoked
            } else if status.hasLeft {
                .left
            } else if status.closeCode == CloseCode.storage.rawValue {
                .notStoring
            } else if status.isConnected {
                status.isInStep ? .inStep : .syncing
            } else if status.removed != nil {
                .removed
            } else {
                hasPlaces ? .notConnected : .noAddress
            }
    }

    /// Whether it is useful to try the addresses of the device.
    package var asksForAddresses: Bool {
        switch self {
        case .inStep, .syncing, .notStoring, .notConnected, .removed: true
        case .noAddress, .left, .revoked, .thisMachine: false
        }
    }

    package func finding(_ status: DeviceStatus, at time: PresentTime, options: String) -> Finding {
        let (name, short) = (status.device.name, status.device.identifier.short)
        var finding = result(status, at: time, "\(name)", short, options)
        finding.device = status.device
        return finding
    }

    private func result(
        _ status: DeviceStatus, at time: PresentTime, _ name: VisibleText, _ short: String, _ options: String
    ) -> Finding {
        switch self {
        case .inStep: Finding(.device, "inStep", .ok, name, status.presence(at: time) + Self.tail(status))
        case .syncing: Finding(.device, "syncing", .note, name, status.presence(at: time) + Self.tail(status))
        case .notStoring:
            Finding(
                .device, "notStoring", .problem, name,
                "\(status.trouble ?? "it can't store what it is sent")" + Self.tail(status),
                advice:
                    "On “\(name)”, type `baton doctor` to see what is wrong with its disk, and free up space; the changes that wait here are then sent automatically."
            )
        case .notConnected:
            Finding(
                .device, "notConnected", .problem, name,
                status.presence(at: time) + (status.trouble.map { "; \($0)" } ?? "")
                    + (status.waitingText.map { "; " + $0 } ?? "") + Self.tail(status))
        case .noAddress:
            Finding(
                .device, "noAddress", .problem, name,
                status.presence(at: time) + "; no address of it is known",
                advice: "Type `baton devices \(short) --at HOST:PORT\(options)` to set one.")
        case .removed:
            Finding(
                .device, "removed", .note, name,
                status.removed.map { "removed \(time.text($0)); it comes back when it connects again" }
                    ?? "removed")
        case .left:
            Finding(.device, "left", .note, name, "it has left the account, so it is not connected")
        case .revoked:
            Finding(
                .device, "revoked", .note, name,
                status.kind(at: time) + "; this machine does not connect to it",
                advice:
                    "To use it again, type `baton leave` on it, `baton invite\(options)` on an owner's machine, and `baton join CODE --at HOST:PORT` on it."
            )
        case .thisMachine:
            Finding(
                .device, "thisMachine", .note, name, "this machine; name another one to see how to reach it")
        }
    }

    /// The text about the version and the clock of a device.
    private static func tail(_ status: DeviceStatus) -> VisibleText {
        status.versionText.map { "; " + $0 } ?? ""
    }

    /// Returns whether, between two moments, a connected device stored none of the changes that it lacked.
    ///
    /// It is not enough that the number of changes to send is the same. While a person types, the number may be the
    /// same by chance, although the device was in step in between. So the time since which the device is out of step
    /// must be the same, too. A private machine sends nothing of its index, so no conclusion is drawn from it.
    package static func hasStoredNothing(
        from earlier: DeviceStatus, to later: DeviceStatus, isPrivate: Bool
    ) -> Bool {
        guard !isPrivate, let backlog = earlier.backlog, backlog.toSend > 0 else { return false }
        return later.backlog == backlog && later.outOfStepSince == earlier.outOfStepSince
    }

    /// The finding about a connected device that stores nothing and answers at none of its addresses.
    package static func unanswering(
        _ status: DeviceStatus, for time: Duration, options: String
    ) -> Finding {
        let (name, short) = (status.device.name, status.device.identifier.short)
        let changes = HumanTime.count(Int64(clamping: status.backlog?.toSend ?? 0), "change")
        var finding = Finding(
            .device, "unanswering", .problem, "\(name)",
            "none of its addresses answers, and it has stored nothing for \(HumanTime.span(time)); \(changes) to send",
            advice:
                "On “\(name)”, look whether its node answers with `baton status`, and restart it. If the machine has moved, set the right address with `baton devices \(short) --at HOST:PORT\(options)`."
        )
        finding.device = status.device
        return finding
    }

    /// The finding if the account has no other device.
    package static func alone(options: String) -> Finding {
        Finding(
            .device, "alone", .note, "devices", "no other device",
            advice: "Type `baton invite\(options)` on an owner's machine to add one.")
    }

    /// The finding if the node could not be asked about devices.
    package static func unknown(_ device: String?) -> Finding {
        Finding(
            .device, "unknown", .note, device.map { "\($0)" } ?? "devices",
            "not checked, because only the node knows the devices and their addresses")
    }
}
