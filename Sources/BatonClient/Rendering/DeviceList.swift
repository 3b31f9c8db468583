package import BatonCore

/// The devices of an account, as a person sees them.
package struct DeviceList {
    private let devices: [DeviceStatus]

    package init(_ devices: [DeviceStatus]) { self.devices = devices }

    /// A row a device.
    package func table(at time: PresentTime) -> Table {
        var table = Table([
            .init("DEVICE", least: 8), .init("ID"), .init("IS", least: 8),
            .init("SINCE", isOptional: true), .init("LAST SEEN", least: 12),
        ])
        for status in devices {
            table.add([
                VisibleText(status.device.name), VisibleText(status.device.identifier.short),
                status.kind(at: time), time.text(status.admitted),
                status.device.isHere ? "here" : status.presence(at: time),
            ])
        }
        return table
    }
}

extension DeviceStatus {
    /// What the device is to the account.
    package func kind(at time: PresentTime) -> VisibleText {
        if let revocation {
            let when = time.text(revocation.date)
            return revocation.isOfOwner
                ? "shut out \(when), as “\(revocation.revoker)” revoked who let it in"
                : "revoked \(when) by “\(revocation.revoker)”"
        }
        if let removed, !isConnected { return "removed \(time.text(removed))" }
        return isOwner ? "owner" : "device"
    }
}
