import BatonCore
import BatonNetwork

/// An address at which a device may be reached, with the source of the address.
struct Place: Equatable, Sendable {
    /// The address in the form `HOST:PORT`.
    ///
    /// A host name is resolved again at each attempt.
    var address: String
    /// The source of the address.
    ///
    /// A place with the source `found` is never stored, and never sent to other devices.
    var source: AddressSource
    /// Whether a person named the place on this machine.
    ///
    /// Such a place is kept until the person removes it.
    var isNamed = false
    /// The values that identify the links on which a private address was reached, or was received from another device.
    ///
    /// On other links, the address may belong to another machine. Therefore, it is dialled only on these links. If
    /// there are no values, it is never dialled.
    var links: [[UInt8]] = []

    /// The largest number of link values that a place keeps.
    static let linksMost = 8
    /// The largest size of a link value in bytes.
    ///
    /// It has room for the longest hardware address.
    static let linkBytesMost = 64

    /// Adds link values.
    ///
    /// If there are too many, the oldest values are dropped.
    mutating func add(_ links: Set<[UInt8]>) {
        let new = links.sorted { $0.lexicographicallyPrecedes($1) }
        self.links = Array((new + self.links.filter { !links.contains($0) }).prefix(Self.linksMost))
    }

    /// Returns whether to accept an address that another device sent.
    ///
    /// The address must be complete and short. If it is an IP address, it must be routable.
    static func canBeTold(_ address: String) -> Bool {
        guard address.utf8.count <= Limits.addressBytes, let endpoint = try? Endpoint(text: address),
            endpoint.port != 0, !endpoint.host.isEmpty
        else { return false }
        if let spelled = SocketAddress(endpoint) { return spelled.host.isRoutable }
        return endpoint.host.utf8.allSatisfy(isOfHostName)
    }

    /// Returns whether to try an address to which this place has resolved.
    ///
    /// An address that another device has sent must lead to another machine. Otherwise, that device could make this
    /// machine connect to programs on itself or on its own link, whatever a host name resolves to.
    ///
    /// An announced address is on this machine's link, where anybody can announce it. It must not lead to this machine
    /// either.
    ///
    /// A private address may be one that neither a person named nor a device announces. Then it must have been reached
    /// or received on a link to which this machine is connected now.
    func mayLead(
        to address: SocketAddress, isOwn: (SocketAddress.Host) -> Bool, present: () -> Set<[UInt8]>
    ) -> Bool {
        switch source {
        case .named: true
        case .met: isNamed || isHere(address.host, present)
        case .told: address.host.isRoutable && !isOwn(address.host) && isHere(address.host, present)
        case .found: address.host.isOfOneMachine && !isOwn(address.host)
        }
    }

    /// Returns whether an address belongs to the same machine on the present links as on the links of this place.
    private func isHere(_ host: SocketAddress.Host, _ present: () -> Set<[UInt8]>) -> Bool {
        !host.isPrivate || !present().isDisjoint(with: links)
    }

    private static func isOfHostName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension AddressSource {
    /// Reads a stored source.
    ///
    /// A place with the source `found` is never stored.
    fileprivate init(stored number: UInt64) {
        let source = AddressSource(number: number)
        self = source == .found ? .told : source
    }
}

/// The addresses at which a device may be reached.
///
/// A person named them, this device reached the other device at them, or other devices sent them.
/// A route is stored as a note, which is not replicated.
struct Route: Equatable, Sendable {
    /// The name that the device gave when it connected.
    ///
    /// The name in the roster takes precedence.
    var name: String
    /// The addresses, best first.
    ///
    /// There are at most `Limits.deviceAddresses`.
    private(set) var places: [Place]

    init(name: String, named addresses: [String] = []) {
        (self.name, places) = (name, [])
        set(named: addresses)
    }

    private init(name: String, places: [Place]) { (self.name, self.places) = (name, places) }

    // MARK: Commands

    /// Puts these addresses first.
    ///
    /// They replace the addresses that a person named before.
    mutating func set(named addresses: [String]) {
        let known = places.filter { $0.source == .met }
        places.removeAll { $0.source == .named || addresses.contains($0.address) }
        for place in places.indices { places[place].isNamed = false }
        let named = addresses.map { (address) -> Place in
            var place = known.first { $0.address == address } ?? Place(address: address, source: .named)
            place.isNamed = true
            return place
        }
        places.insert(contentsOf: named, at: 0)
        makeRoom()
    }

    /// Puts the address at which the device was reached first.
    mutating func meet(at address: String, on links: Set<[UInt8]>) {
        meet(at: address, on: links, behind: 0)
    }

    private mutating func meet(at address: String, on links: Set<[UInt8]>, behind count: Int) {
        var place = places.first { $0.address == address } ?? Place(address: address, source: .met)
        // If the address was only received on a link, that link does not count as one on which the device was reached.
        if place.source != .met { place.links = [] }
        place.source = .met
        place.add(links)
        places.removeAll { $0.address == address }
        places.insert(place, at: min(count, places.count))
        makeRoom()
    }

    /// Adds an address on which a connecting device says that it listens.
    ///
    /// The address is inserted behind the best one.
    mutating func hear(from address: String, on links: Set<[UInt8]>) {
        meet(at: address, on: links, behind: places.first?.address == address ? 0 : 1)
    }

    /// Adds an address that another device sent.
    ///
    /// The address is inserted behind the addresses at which this device reached the other device itself.
    mutating func hear(told address: String, on links: Set<[UInt8]>) {
        guard Place.canBeTold(address) else { return }
        if let known = places.firstIndex(where: { $0.address == address }) {
            if places[known].source == .told { places[known].add(links) }
            return
        }
        let place = places.firstIndex { $0.source == .told } ?? places.count
        var new = Place(address: address, source: .told)
        new.add(links)
        places.insert(new, at: place)
        makeRoom()
    }

    /// Removes the addresses that other devices sent.
    mutating func dropTold() { places.removeAll { $0.source == .told } }

    /// Removes addresses beyond the limit.
    ///
    /// The addresses that other devices sent longest ago are removed first, and then the addresses that were reached
    /// longest ago. Named addresses are removed last.
    private mutating func makeRoom() {
        while places.count > Limits.deviceAddresses {
            let place =
                places.lastIndex { $0.source == .told } ?? places.lastIndex { !$0.isNamed }
                ?? places.count - 1
            places.remove(at: place)
        }
    }

    // MARK: Queries

    /// All addresses, best first.
    var addresses: [String] { places.map(\.address) }

    /// The addresses that a person named.
    var named: [String] { places.filter(\.isNamed).map(\.address) }

    /// The addresses that may be sent to other devices, because they mean the same on other machines.
    var tellable: [String] { addresses.filter(Place.canBeTold) }

    // MARK: Keeping

    /// Returns the note that stores this route.
    func note(for device: DeviceIdentifier) -> LocalNote {
        var writer = CBORWriter()
        writer.array(count: 2)
        writer.text(name)
        writer.array(count: places.count)
        for place in places {
            writer.array(count: 4)
            writer.text(place.address)
            writer.unsigned(place.source.rawValue)
            writer.boolean(place.isNamed)
            writer.array(count: place.links.count)
            for link in place.links { writer.data(link) }
        }
        return LocalNote(space: .address, name: device.bytes, value: writer.bytes)
    }

    /// Returns the device and the route of a note.
    ///
    /// The result is nil if the note can't be read. In this case, the device must be found again.
    static func read(_ note: LocalNote) -> (device: DeviceIdentifier, route: Route)? {
        guard let device = DeviceIdentifier(bytes: note.name), let value = note.value else { return nil }
        do {
            let route = try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                try reader.array(count: 2)
                let name = try reader.text()
                let places = try reader.array(upTo: Limits.deviceAddresses) { (reader) throws(CBORError) in
                    try reader.array(count: 4)
                    let address = try reader.text(upTo: Limits.addressBytes)
                    let source = AddressSource(stored: try reader.unsigned())
                    let isNamed = try reader.boolean()
                    let links = try reader.array(upTo: Place.linksMost) { (reader) throws(CBORError) in
                        try reader.data(upTo: Place.linkBytesMost)
                    }
                    return Place(address: address, source: source, isNamed: isNamed, links: links)
                }
                return Route(name: name, places: places)
            }
            return (device, route)
        } catch {
            return nil
        }
    }
}
