/// A place in the order in which writes arrived at one store.
package struct Arrival: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    /// Before all writes.
    package static let none = Arrival(value: 0)

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// Names the order in which writes arrived at one store, for as long as a place in it means one thing.
///
/// A store that may have forgotten what it took last begins a new one: after power loss, or when it comes from a
/// backup, a place that was told already may come to mean other writes.
package struct ArrivalOrder: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// How far a lane was read for a peer, in the order of arrival.
package struct Cursor: Equatable, Sendable {
    /// Up to where all writes were told.
    package var writes: Arrival
    /// Up to where the clears were told, which go before everything else.
    package var clears: Arrival

    package init(writes: Arrival, clears: Arrival) {
        (self.writes, self.clears) = (writes, clears)
    }

    /// Everything up to that place.
    package init(_ place: Arrival) { self.init(writes: place, clears: place) }

    /// The later places of the two.
    func joined(_ other: Cursor) -> Cursor {
        Cursor(writes: max(writes, other.writes), clears: max(clears, other.clears))
    }

    /// The beginning.
    package static let none = Cursor(.none)
}

/// Where to go on in a peer's order of arrival.
///
/// It is opaque to all but the peer that made it, and told only to that one; it says nothing about state.
package struct ResumeToken: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The longest that is kept.
    package static let bytesMost = 32

    /// As a peer told it.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// How far the own order of arrival was told.
    package init(_ cursor: Cursor, in order: ArrivalOrder) {
        var bytes = order.bytes
        for place in [cursor.writes, cursor.clears] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: place.value >> (56 - 8 * $0)) }
        }
        self.bytes = bytes
    }

    /// How far that order was told, if the token was made in it.
    package func cursor(in order: ArrivalOrder) -> Cursor? {
        guard bytes.count == ArrivalOrder.byteCount + 16, bytes.starts(with: order.bytes) else { return nil }
        let place = { (bytes: ArraySlice<UInt8>) in
            Arrival(value: bytes.reduce(0) { $0 << 8 | UInt64($1) })
        }
        return Cursor(writes: place(bytes.dropLast(8).suffix(8)), clears: place(bytes.suffix(8)))
    }

    func encode(to writer: inout CBORWriter) { writer.data(bytes) }

    init(from reader: inout CBORReader) throws(CBORError) { bytes = try reader.data(upTo: Self.bytesMost) }
}

/// How far a snapshot came that a peer sends.
package struct SnapshotProgress: Equatable, Sendable {
    /// The last record that came; nothing before the first.
    package var through: RecordIdentity?
    /// What the peer claimed of the lane when the snapshot began.
    package var start: VersionVector
    /// Where the peer stood then in its order of arrival.
    package var token: ResumeToken

    package init(through: RecordIdentity?, start: VersionVector, token: ResumeToken) {
        (self.through, self.start, self.token) = (through, start, token)
    }
}
