package import BatonCore

/// Texts for a person before and after a device is revoked.
package struct RevocationText {
    private let status: DeviceStatus
    private let isLastOwner: Bool

    /// Creates the texts for a device.
    ///
    /// `status` is the device's status before the revocation.
    package init(_ status: DeviceStatus, isLastOwner: Bool = false) {
        (self.status, self.isLastOwner) = (status, isLastOwner)
    }

    /// The warning before the last owner leaves the account or is revoked.
    static let lastOwner: VisibleText =
        "It is the last owner. Until another machine becomes one with the recovery code (`baton promote`), no machine can be admitted, revoked or renewed."

    private var name: VisibleText { "“\(status.device.name)” (\(status.device.identifier.short))" }

    /// The lines that explain the consequences.
    ///
    /// A question follows them.
    package func linesToConfirm(at time: PresentTime) -> [VisibleText] {
        var lines: [VisibleText] =
            status.device.isHere
            ? [
                "\(name) is this machine.",
                "It will no longer be able to talk to your other machines.",
            ] : ["\(name) is \(status.presence(at: time))."]
        if !status.device.isHere {
            lines.append("\(status.lastChangeLine(at: time))")
            if let line = status.receivedLine(at: time) { lines.append(line) }
        }
        if status.isOwner {
            lines.append("It is an owner: its key will no longer admit or revoke machines.")
        }
        if isLastOwner {
            lines.append(Self.lastOwner)
        }
        lines.append("A revoked machine can't come back; it would have to join again, as a new one.")
        return lines
    }

    /// The lines that are printed after the device was revoked.
    package func linesWhenRevoked(at time: PresentTime) -> [VisibleText] {
        var lines: [VisibleText] = ["\(name) is revoked."]
        if status.isOwner {
            lines.append("Its owner key is revoked, too; the machines that it admitted stay.")
        }
        if status.device.isHere {
            lines.append(
                "Your other machines refuse it as soon as they learn of this.")
            lines.append("This machine keeps its data.")
        } else {
            lines.append("Machines that know of this refuse it.")
            lines.append("Other machines learn of this when they connect to one of these.")
            lines.append("The revoked machine keeps its data.")
            lines.append("Its earlier changes stay; \(status.lastChangeLine(at: time)).")
            if let line = status.receivedLine(at: time) { lines.append("It may have sent more: \(line).") }
        }
        return lines
    }
}
