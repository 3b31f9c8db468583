import BatonCore
package import BatonNetwork

/// The addresses of a device to connect to in one round, in the order in which they are tried.
///
/// Places take turns, and the best place comes first. This keeps a host name with many addresses from delaying the
/// other places. The addresses of one place alternate between IPv6 and IPv4. The family that the system prefers comes
/// first (RFC 8305).
package struct DialOrder {
    /// An address to connect to, and the place to which the address belongs.
    package struct Entry: Equatable {
        package let address: SocketAddress
        /// The place in the form `HOST:PORT`.
        package let place: String
    }

    /// The addresses of each place that were not tried yet.
    private var waiting: [(place: String, addresses: ArraySlice<SocketAddress>)] = []
    /// All addresses that were added in this round.
    private var known: Set<SocketAddress> = []
    /// The index of the place whose turn is next.
    private var turn = 0

    package init() {}

    /// Adds the addresses of a place, and returns the number of new addresses.
    ///
    /// Addresses that another place has added are left out.
    package mutating func add(_ addresses: [SocketAddress], of place: String) -> Int {
        let room = max(0, Limits.attemptsPerRound - known.count)
        let new = Self.alternating(addresses.filter { !known.contains($0) }).prefix(room)
        known.formUnion(new)
        if !new.isEmpty { waiting.append((place, new)) }
        return new.count
    }

    /// Returns the next address to connect to; nil if there is no address left at the moment.
    package mutating func next() -> Entry? {
        guard !waiting.isEmpty else { return nil }
        if turn >= waiting.count { turn = 0 }
        let (place, address) = (waiting[turn].place, waiting[turn].addresses.removeFirst())
        if waiting[turn].addresses.isEmpty { waiting.remove(at: turn) } else { turn += 1 }
        return Entry(address: address, place: place)
    }

    /// Sorts addresses so that the two families alternate.
    ///
    /// The order within each family stays the same.
    private static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
        var unique: [SocketAddress] = []
        for address in addresses where !unique.contains(address) { unique.append(address) }
        guard let first = unique.first else { return [] }
        let preferred = unique.filter { $0.host.isVersion4 == first.host.isVersion4 }
        let others = unique.filter { $0.host.isVersion4 != first.host.isVersion4 }
        var ordered: [SocketAddress] = []
        for place in 0..<max(preferred.count, others.count) {
            if place < preferred.count { ordered.append(preferred[place]) }
            if place < others.count { ordered.append(others[place]) }
        }
        return ordered
    }
}
