// What a person asks of the devices of the account. A device is named by its name, or by the beginning of its identifier.

/// Lists the devices of the account, this one first.
package struct ListDevices: AccountCall, BareCall {
    package typealias Reply = DevicesReply
    package static let number = LocalCallNumber.listDevices

    package init() {}
}

/// The devices of the account.
package struct DevicesReply: SimpleReply {
    package static let kind: UInt64 = 5

    package var devices: [DeviceStatus]

    package init(_ devices: [DeviceStatus]) { self.devices = devices }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: devices.count)
        for device in devices { device.encode(to: &writer) }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        devices = try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
            try DeviceStatus(from: &reader)
        }
    }
}

/// How one device is after the call: a list of one.
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
    /// Whether the device is revoked; otherwise the node only tells how the device is.
    package var isConfirmed: Bool

    package init(_ device: String, isConfirmed: Bool) {
        (self.device, self.isConfirmed) = (device, isConfirmed)
    }

    package func encode(to writer: inout CBORWriter) { writer.text(device, flag: isConfirmed) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (device, isConfirmed) = try reader.textAndFlag()
    }
}

/// Stops waiting for a device that is gone, until it is met again.
package struct RemoveDevice: AccountCall {
    package typealias Reply = DeviceReply
    package static let number = LocalCallNumber.removeDevice

    package var device: String

    package init(_ device: String) { self.device = device }

    package func encode(to writer: inout CBORWriter) { writer.text(device) }

    package init(from reader: inout CBORReader) throws(CBORError) { device = try reader.text() }
}

/// Gives a device another name.
package struct RenameDevice: AccountCall {
    package typealias Reply = DeviceReply
    package static let number = LocalCallNumber.renameDevice

    /// The device; nil means this one.
    package var device: String?
    package var name: String

    package init(_ device: String?, to name: String) { (self.device, self.name) = (device, name) }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.optional(device)
        writer.text(name)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(try reader.optionalText(), to: try reader.text())
    }
}

/// Names addresses at which to dial a device, besides those that are found out.
package struct SetAddresses: AccountCall {
    package typealias Reply = DeviceReply
    package static let number = LocalCallNumber.setAddresses

    package var device: String
    /// The addresses, in place of those that were set before; none drops them.
    package var addresses: [String]

    package init(_ device: String, _ addresses: [String]) {
        (self.device, self.addresses) = (device, addresses)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.text(device)
        writer.texts(addresses)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(try reader.text(), try reader.texts())
    }
}
