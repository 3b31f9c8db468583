package import BatonCore

/// The devices of an account, as a person sees them.
package struct DeviceList {
    private let devices: [DeviceStatus]

    package init(_ devices: [DeviceStatus]) { self.devices = devices }

    /// A row a device.
    package func table(at time: PresentTime) -> Table {
        var table = Table([
            .init("NAME", least: 8), .init("ID"), .init("ADMITTED", isOptional: true),
            .init("STATE", least: 12),
        ])
        for status in devices {
            table.add([
                VisibleText(status.device.name), VisibleText(status.device.identifier.short),
                time.text(status.admitted), status.device.isHere ? "here" : status.state(at: time),
            ])
        }
        return table
    }
}
