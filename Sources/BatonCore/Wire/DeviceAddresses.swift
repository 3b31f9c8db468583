/// Where a device of the account may be found, as another one tells it.
package struct DeviceAddresses: Equatable, Sendable {
    package var device: DeviceIdentifier
    /// What it was called when it was met.
    package var name: String
    /// As `HOST:PORT`, the best one first.
    package var addresses: [String]

    package init(device: DeviceIdentifier, name: String, addresses: [String]) {
        (self.device, self.name, self.addresses) = (device, name, addresses)
    }

    /// How many devices one message is about at the most.
    package static let devicesMost = 256
    /// How many addresses of one device are told and kept.
    package static let addressesMost = 8
    /// The longest address, in bytes.
    package static let addressBytes = 300

    func encode(to writer: inout CBORWriter) {
        let fitting = addresses.filter { $0.utf8.count <= Self.addressBytes }.prefix(Self.addressesMost)
        writer.array(count: 3)
        writer.identifier(device)
        writer.text(name.prefix(fittingBytes: Limits.nameBytes))
        writer.array(count: fitting.count)
        for address in fitting { writer.text(address) }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        let device = try reader.identifier(DeviceIdentifier.self)
        let name = try reader.text(upTo: Limits.nameBytes)
        let addresses = try reader.array(upTo: Self.addressesMost) { (reader) throws(CBORError) in
            try reader.text(upTo: Self.addressBytes)
        }
        self.init(device: device, name: name, addresses: addresses)
    }
}
