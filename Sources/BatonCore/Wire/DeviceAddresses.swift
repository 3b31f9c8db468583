/// The addresses at which a device of the account may be reached, as told by another device.
package struct DeviceAddresses: Equatable, Sendable {
    package var device: DeviceIdentifier
    /// The name that the device had when the sender last met it.
    package var name: String
    /// The addresses as `HOST:PORT`, the best one first.
    package var addresses: [String]

    package init(device: DeviceIdentifier, name: String, addresses: [String]) {
        (self.device, self.name, self.addresses) = (device, name, addresses)
    }

    func encode(to writer: inout CBORWriter) {
        let fitting = addresses.filter { $0.utf8.count <= Limits.addressBytes }.prefix(Limits.deviceAddresses)
        writer.map { fields in
            fields.field(1) { $0.identifier(device) }
            fields.field(2) { $0.text(name.prefix(fittingBytes: Limits.nameBytes)) }
            fields.field(3) { writer in
                writer.array(count: fitting.count)
                for address in fitting { writer.text(address) }
            }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var device: DeviceIdentifier?, name: String?, addresses: [String]?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: device = try reader.identifier()
            case 2: name = try reader.text(upTo: Limits.nameBytes)
            case 3:
                addresses = try reader.array(upTo: Limits.deviceAddresses) { (reader) throws(CBORError) in
                    try reader.text(upTo: Limits.addressBytes)
                }
            default: break
            }
        }
        self.init(
            device: try device.required(1, in: reader), name: try name.required(2, in: reader),
            addresses: try addresses.required(3, in: reader))
    }
}
