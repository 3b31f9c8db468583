import BatonCore
package import BatonNetwork

/// The addresses to connect to in one round for a device, in the order in which to try them.
///
/// Places take turns, the best one first, so that a name with many addresses does not hold up the others. The addresses
/// of one place alternate between IPv6 and IPv4, beginning with the family that the system prefers (RFC 8305).
package struct DialOrder {
    /// An address to connect to, and the place that it belongs to.
    package struct Entry: Equatable {
        package let address: SocketAddress
        /// The place as it is known, `HOST:PORT`.
        package let place: String
    }

    /// The addresses of each place that were not tried yet.
    private var waiting: [(place: String, addresses: ArraySlice<SocketAddress>)] = []
    /// All addresses that were added in this round.
    private var known: Set<SocketAddress> = []
    /// The place whose turn is next.
    private var turn = 0

    package init() {}

    /// Adds a place's addresses, except for those of other places; returns how many are new.
    package mutating func add(_ addresses: [SocketAddress], of place: String) -> Int {
        let room = max(0, Limits.attemptsPerRound - known.count)
        let new = Self.alternating(addresses.filter { !known.contains($0) }).prefix(room)
        known.formUnion(new)
        if !new.isEmpty { waiting.append((place, new)) }
        return new.count
    }

    /// Returns the next address to connect to; nil if there is none for now.
    package mutating func next() -> Entry? {
        guard !waiting.isEmpty else { return nil }
        if turn >= waiting.count { turn = 0 }
        let (place, address) = (waiting[turn].place, waiting[turn].addresses.removeFirst())
        if waiting[turn].addresses.isEmpty { waiting.remove(at: turn) } else { turn += 1 }
        return Entry(address: address, place: place)
    }

    /// Orders addresses so that the two families alternate, keeping the order within each family.
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
