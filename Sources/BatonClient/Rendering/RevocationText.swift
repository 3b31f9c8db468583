package import BatonCore

/// What a person reads before and after a device is revoked.
package struct RevocationText {
    private let status: DeviceStatus
    private let isLastOwner: Bool

    /// About a device, as it stood before, and whether the account has no other owner.
    package init(_ status: DeviceStatus, isLastOwner: Bool = false) {
        (self.status, self.isLastOwner) = (status, isLastOwner)
    }

    private var name: VisibleText { "“\(status.device.name)” (\(status.device.identifier.short))" }

    /// The lines that say what is at stake; the question follows.
    package func linesToConfirm(at time: PresentTime) -> [VisibleText] {
        var lines: [VisibleText] =
            status.device.isHere
            ? [
                "\(name) is the machine at which you type.",
                "It will talk to none of your other machines any more.",
            ] : ["\(name) is \(status.presence(at: time))."]
        if !status.device.isHere { lines.append("\(status.lastChangeLine(at: time))") }
        if status.isOwner {
            lines.append("It is an owner: nobody will be let in or shut out by its key any more.")
        }
        if isLastOwner {
            lines.append(
                "It is the last owner. Only the recovery code is left then: `baton promote`, on another machine, makes that one an owner. Until then nobody is let in or shut out, and nothing is renewed."
            )
        }
        lines.append("A revoked machine does not come back; it would have to join anew, as another one.")
        return lines
    }

    /// What has happened, and what it means.
    package func linesWhenRevoked(at time: PresentTime) -> [VisibleText] {
        var lines: [VisibleText] = ["\(name) is revoked."]
        if status.isOwner { lines.append("So is its owner key; the machines that it let in stay.") }
        if status.device.isHere {
            lines.append(
                "Your other machines refuse it as soon as they hear of this.")
            lines.append("Its data is still on it.")
        } else {
            lines.append("Machines that have heard of this refuse it.")
            lines.append(
                "Machines that are away hear of it when they connect to one of these. Its data is still on it."
            )
            lines.append("Its earlier changes stay; \(status.lastChangeLine(at: time)).")
        }
        return lines
    }
}
