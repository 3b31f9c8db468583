package import BatonCore

/// Whether another device of the account is connected.
package enum DeviceState: Equatable, Sendable {
    case inStep
    /// The device is connected, and has not everything that this one has, or the other way round.
    case syncing
    case notConnected
    /// The device is not connected, and no address of it is known.
    case noAddress
    /// The device may connect again, and nobody waits for it.
    case removed
    case left
    case revoked
    /// The device is the one on which the command runs.
    case thisMachine

    package init(_ status: DeviceStatus, hasPlaces: Bool) {
        self =
            if status.device.isHere {
                .thisMachine
            } else if status.revocation != nil {
                .revoked
            } else if status.hasLeft {
                .left
            } else if status.isConnected {
                status.isInStep ? .inStep : .syncing
            } else if status.removed != nil {
                .removed
            } else {
                hasPlaces ? .notConnected : .noAddress
            }
    }

    /// Whether it helps to try the addresses of the device.
    package var asksForAddresses: Bool {
        switch self {
        case .inStep, .syncing, .notConnected, .removed: true
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
        case .notConnected:
            Finding(
                .device, "notConnected", .problem, name, status.presence(at: time) + Self.tail(status))
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

    /// The version and the clock of a device when it was last connected.
    private static func tail(_ status: DeviceStatus) -> VisibleText {
        status.version.map { "; Baton \($0), \(status.clockText)" } ?? ""
    }

    /// The finding of an account without other devices.
    package static func alone(options: String) -> Finding {
        Finding(
            .device, "alone", .note, "devices", "no other device",
            advice: "Type `baton invite\(options)` on an owner's machine to add one.")
    }

    /// The finding if the node could not be asked for the devices.
    package static func unknown(_ device: String?) -> Finding {
        Finding(
            .device, "unknown", .note, device.map { "\($0)" } ?? "devices",
            "not checked, because only the node knows the devices and their addresses")
    }
}
