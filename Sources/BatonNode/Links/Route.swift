import BatonCore
import BatonNetwork

/// An address at which a device may be reached, with the source from which it is known.
struct Place: Equatable, Sendable {
    /// `HOST:PORT`; a host name is resolved anew at each attempt.
    var address: String
    /// A place that was found is never stored, or sent to others.
    var source: AddressSource
    /// Whether a person named the place on this machine; it is then kept until the person drops it.
    var isNamed = false
    /// The values that identify the links on which a private address was reached or told.
    ///
    /// Elsewhere the address may belong to another machine, so it is dialled only on these links, and never if there
    /// are none.
    var links: [[UInt8]] = []

    /// The most values of links that a place keeps.
    static let linksMost = 8
    /// The most bytes of a value, with room for the longest hardware address.
    static let linkBytesMost = 64

    /// Adds values of links, dropping the oldest ones if there are too many.
    mutating func add(_ links: Set<[UInt8]>) {
        let new = links.sorted { $0.lexicographicallyPrecedes($1) }
        self.links = Array((new + self.links.filter { !links.contains($0) }).prefix(Self.linksMost))
    }

    /// Whether an address that another device sent may be tried: it is complete and short, and is not spelled as a
    /// local address.
    static func canBeTold(_ address: String) -> Bool {
        guard address.utf8.count <= Limits.addressBytes, let endpoint = try? Endpoint(text: address),
            endpoint.port != 0, !endpoint.host.isEmpty
        else { return false }
        if let spelled = SocketAddress(endpoint) { return spelled.host.isRoutable }
        return endpoint.host.utf8.allSatisfy(isOfHostName)
    }

    /// Returns whether to try an address to which this place has resolved.
    ///
    /// An address that another device has sent must lead to another machine. Otherwise a device could make this machine
    /// connect to programs on itself or on its own link, whatever a host name resolves to. An announced address is on
    /// this machine's link, where anybody can announce it, but must not lead to this machine either. A private address
    /// that neither a person named nor a device announces must have been reached or told on a link that is present.
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

    /// Returns whether an address means the same machine on the links that are present.
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
    /// Reads a stored source; a place that is found is never stored.
    fileprivate init(stored number: UInt64) {
        let source = AddressSource(number: number)
        self = source == .found ? .told : source
    }
}

/// The addresses at which a device may be found: those that a person named, those where it was reached, and those that
/// others sent.
///
/// It is stored as a note, which is not replicated.
struct Route: Equatable, Sendable {
    /// The name that the device gave when it connected; the name in the roster comes first.
    var name: String
    /// The addresses, the best one first; at most `Limits.deviceAddresses`.
    private(set) var places: [Place]

    init(name: String, named addresses: [String] = []) {
        (self.name, places) = (name, [])
        set(named: addresses)
    }

    private init(name: String, places: [Place]) { (self.name, self.places) = (name, places) }

    // MARK: Commands

    /// Puts these addresses first, instead of those that a person named before.
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

    /// Puts the address where the device was reached first.
    mutating func meet(at address: String, on links: Set<[UInt8]>) {
        meet(at: address, on: links, behind: 0)
    }

    private mutating func meet(at address: String, on links: Set<[UInt8]>, behind count: Int) {
        var place = places.first { $0.address == address } ?? Place(address: address, source: .met)
        // Links on which the address was only told don't count as links on which it was reached.
        if place.source != .met { place.links = [] }
        place.source = .met
        place.add(links)
        places.removeAll { $0.address == address }
        places.insert(place, at: min(count, places.count))
        makeRoom()
    }

    /// Adds an address at which a connecting device says that it listens, behind the best one.
    mutating func hear(from address: String, on links: Set<[UInt8]>) {
        meet(at: address, on: links, behind: places.first?.address == address ? 0 : 1)
    }

    /// Adds an address that another device sent, behind those that this device found itself.
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

    /// Removes the addresses that others sent.
    mutating func dropTold() { places.removeAll { $0.source == .told } }

    /// Removes addresses beyond the limit: first those that others sent longest ago, then those where the device was
    /// reached longest ago; named ones stay.
    private mutating func makeRoom() {
        while places.count > Limits.deviceAddresses {
            let place =
                places.lastIndex { $0.source == .told } ?? places.lastIndex { !$0.isNamed }
                ?? places.count - 1
            places.remove(at: place)
        }
    }

    // MARK: Queries

    /// All addresses, the best one first.
    var addresses: [String] { places.map(\.address) }

    /// The addresses that a person named.
    var named: [String] { places.filter(\.isNamed).map(\.address) }

    /// The addresses that mean the same on other machines.
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

    /// Returns the device and the route of a note; nil if it can't be read, so that the device must be found again.
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
