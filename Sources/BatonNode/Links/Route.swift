import BatonCore

/// Where a device may be found: addresses that worked, that it told, or that the person typed.
///
/// This device alone keeps it, as a note.
struct Route: Equatable, Sendable {
    /// What the device was called when it was met; the roster knows better.
    var name: String
    /// The best one first, as `HOST:PORT`.
    var addresses: [String]

    /// How many addresses of one device are kept.
    static let addressesMost = DeviceAddresses.addressesMost

    /// Puts an address in front.
    mutating func prefer(_ address: String) {
        addresses.removeAll { $0 == address }
        addresses.insert(address, at: 0)
        addresses.removeLast(max(0, addresses.count - Self.addressesMost))
    }

    /// Adds an address behind the best one; those that were heard of longest ago make room.
    mutating func add(_ address: String) {
        guard addresses.first != address else { return }
        addresses.removeAll { $0 == address }
        addresses.insert(address, at: min(1, addresses.count))
        addresses.removeLast(max(0, addresses.count - Self.addressesMost))
    }

    /// The note that keeps this route.
    func note(for device: DeviceIdentifier) -> LocalNote {
        var writer = CBORWriter()
        writer.array(count: 2)
        writer.text(name)
        writer.array(count: addresses.count)
        for address in addresses { writer.text(address) }
        return LocalNote(space: .address, name: device.bytes, value: writer.bytes)
    }

    /// The device and the route of a note; nothing if it can't be read, which only costs a search.
    static func read(_ note: LocalNote) -> (device: DeviceIdentifier, route: Route)? {
        guard let device = DeviceIdentifier(bytes: note.name), let value = note.value else { return nil }
        do {
            let route = try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                try reader.array(count: 2)
                let name = try reader.text()
                let addresses = try reader.array(upTo: addressesMost) { (reader) throws(CBORError) in
                    try reader.text()
                }
                return Route(name: name, addresses: addresses)
            }
            return (device, route)
        } catch {
            return nil
        }
    }
}
