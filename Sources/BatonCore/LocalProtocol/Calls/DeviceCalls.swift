// The calls about the devices of the account. A call names a device by its name or by the beginning of its identifier.

/// Lists the devices of the account; this device comes first.
package struct ListDevices: AccountCall, BareCall {
    package typealias Reply = DevicesReply
    package static let number = LocalCallNumber.listDevices

    package init() {}
}

/// The devices of the account.
package struct DevicesReply: SimpleReply {
    package static let kind = LocalReplyKind.devices

    package var devices: [DeviceStatus]

    package init(_ devices: [DeviceStatus]) { self.devices = devices }

    package func encode(to writer: inout CBORWriter) { writer.value(devices) }

    package init(from reader: inout CBORReader) throws(CBORError) { devices = try reader.value() }
}

/// The state of one device after the call, encoded as a list with one element.
package struct DeviceReply: SimpleReply {
    package static let kind = DevicesReply.kind

    package var device: DeviceStatus

    package init(_ device: DeviceStatus) { self.device = device }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 1)
        device.encode(to: &writer)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 1)
        device = try DeviceStatus(from: &reader)
    }
}

/// Excludes a device from the account.
package struct RevokeDevice: AccountCall {
    package typealias Reply = DeviceReply
    package static let number = LocalCallNumber.revokeDevice

    package var device: String
    /// Whether to revoke the device; otherwise the node only returns the state of the device.
    package var isConfirmed: Bool

    package init(_ device: String, isConfirmed: Bool) {
        (self.device, self.isConfirmed) = (device, isConfirmed)
    }

    package func encode(to writer: inout CBORWriter) { writer.pair(device, isConfirmed) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (device, isConfirmed) = try reader.pair()
    }
}

/// Removes a device that is gone: the account no longer waits for it, until it connects again.
package struct RemoveDevice: AccountCall {
    package typealias Reply = DeviceReply
    package static let number = LocalCallNumber.removeDevice

    package var device: String

    package init(_ device: String) { self.device = device }

    package func encode(to writer: inout CBORWriter) { writer.value(device) }

    package init(from reader: inout CBORReader) throws(CBORError) { device = try reader.value() }
}

/// Renames this device; no device can rename another one.
package struct RenameDevice: AccountCall {
    package typealias Reply = DeviceReply
    package static let number = LocalCallNumber.renameDevice

    package var name: String

    package init(to name: String) { self.name = name }

    package func encode(to writer: inout CBORWriter) { writer.text(name) }

    package init(from reader: inout CBORReader) throws(CBORError) { name = try reader.text() }
}

/// Sets addresses at which the node tries to reach a device, in addition to the addresses that it discovers.
package struct SetAddresses: AccountCall {
    package typealias Reply = DeviceReply
    package static let number = LocalCallNumber.setAddresses

    package var device: String
    /// The new addresses, which replace the addresses that were set before; an empty list only removes those.
    package var addresses: [String]

    package init(_ device: String, _ addresses: [String]) {
        (self.device, self.addresses) = (device, addresses)
    }

    package func encode(to writer: inout CBORWriter) { writer.pair(device, addresses) }

    package init(from reader: inout CBORReader) throws(CBORError) { (device, addresses) = try reader.pair() }
}
