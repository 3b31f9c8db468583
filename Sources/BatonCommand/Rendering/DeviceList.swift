import BatonClient
package import BatonCore
package import BatonTerminal

/// Shows the devices of an account to a person.
package struct DeviceList {
    private let devices: [DeviceStatus]

    package init(_ devices: [DeviceStatus]) { self.devices = devices }

    /// A table that has a row for each device.
    package func table(at time: PresentTime) -> Table {
        var table = Table([
            .init("DEVICE", least: 8), .init("ID"), .init("ROLE", least: 8),
            .init("JOINED", isOptional: true), .init("LAST SEEN", least: 12),
        ])
        for status in devices {
            table.add([
                VisibleText(status.device.name), VisibleText(status.device.identifier.short),
                status.kind(at: time), status.knownAdmission.map { time.text($0) } ?? "not known",
                status.device.isHere ? "here" : status.presence(at: time),
            ])
        }
        return table
    }
}

extension DeviceStatus {
    /// Lines with everything that is known about the device.
    package func detailLines(at time: PresentTime) -> [VisibleText] {
        let place: VisibleText = device.isHere ? "this machine" : presence(at: time)
        var lines: [VisibleText] = [
            "\(device.name) (\(device.identifier.description)): \(kind(at: time))"
                + (knownAdmission.map { ", joined " + time.text($0) } ?? ""),
            "  \(place)",
        ]
        if let versionText { lines.append("  \(versionText)") }
        if !namedAddresses.isEmpty { lines.append("  named addresses: \(Self.places(namedAddresses))") }
        let others = addresses.filter { !namedAddresses.contains($0) }
        if !others.isEmpty { lines.append("  found addresses: \(Self.places(others))") }
        if !device.isHere {
            lines.append("  \(lastChangeLine(at: time))")
            if let line = receivedLine(at: time) { lines.append("  \(line)") }
        }
        return lines
    }

    /// The device's version, and the difference between its clock and this machine's; nil if the version is unknown.
    ///
    /// If the device is not connected, its clock is unknown. Then the text says how the clock was at the last
    /// connection.
    var versionText: VisibleText? {
        let isPresent = isConnected || device.isHere
        return version.map {
            "\(isPresent ? "" : "when last connected: ")Baton \($0), \(clockText(isPresent))"
        }
    }

    private func clockText(_ isPresent: Bool) -> VisibleText {
        guard let clockLead else { return "its clock is unknown" }
        let verb = isPresent ? "is" : "was"
        // A difference of less than two seconds may be the time that messages take to arrive.
        guard abs(clockLead) >= 2000 else { return "its clock \(verb) right" }
        let span = HumanTime.span(.milliseconds(abs(clockLead)))
        return "its clock \(verb) \(span) \(clockLead > 0 ? "ahead of" : "behind") this machine's"
    }

    /// A line about the latest change by the device that this machine has received.
    package func lastChangeLine(at time: PresentTime) -> VisibleText {
        guard let change = lastChange else {
            return received == nil ? "no change was received from it" : "no change that it made was received"
        }
        let way: VisibleText =
            change.sender.identifier == device.identifier
            ? "directly" : "through “\(change.sender.name)”"
        let (made, taken) = (time.text(change.made), time.text(change.taken))
        let line: VisibleText = "last change received: \(change.thing), \(made), \(way)"
        return made == taken ? line : line + ", received \(taken)"
    }

    /// A line about the number of changes that arrived over the device's own connections; nil if there were none.
    ///
    /// The changes may be by any device.
    package func receivedLine(at time: PresentTime) -> VisibleText? {
        received.map { received in
            "changes received over its connections: \(received.count), the last one \(time.text(received.latest))"
        }
    }

    /// The role of the device in the account, or how it lost its role.
    package func kind(at time: PresentTime) -> VisibleText {
        if let revocation {
            let when = time.text(revocation.date)
            return revocation.isOfOwner
                ? "revoked \(when), with the owner that admitted it, by “\(revocation.revoker)”"
                : "revoked \(when) by “\(revocation.revoker)”"
        }
        if let removed, hasLeft { return "left \(time.text(removed))" }
        if let removed, !isConnected { return "removed \(time.text(removed))" }
        return isOwner ? "owner" : "device"
    }
}
