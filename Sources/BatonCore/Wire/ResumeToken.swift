/// A place in the order in which writes arrived at one store.
package struct Arrival: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    /// The place before all writes.
    package static let none = Arrival(value: 0)

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// Names the order in which writes arrived at one store, as long as its places keep their meaning.
///
/// A store that may have forgotten its latest writes begins a new order: after power loss or in a restored backup, a
/// place that was already sent may come to mean other writes.
package struct ArrivalOrder: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// The progress of reading a lane for a peer, in the order of arrival.
package struct Cursor: Equatable, Sendable {
    /// The place up to which all writes were sent.
    package var writes: Arrival
    /// The place up to which all clears were sent; clears are sent before other writes.
    package var clears: Arrival

    package init(writes: Arrival, clears: Arrival) {
        (self.writes, self.clears) = (writes, clears)
    }

    /// Creates a cursor for a lane of which everything up to a place was sent.
    package init(_ place: Arrival) { self.init(writes: place, clears: place) }

    /// Returns a cursor with the later place of each kind.
    func joined(_ other: Cursor) -> Cursor {
        Cursor(writes: max(writes, other.writes), clears: max(clears, other.clears))
    }

    /// The cursor at the beginning.
    package static let none = Cursor(.none)
}

/// The cursor at which a device continues sending to a peer, in the device's order of arrival.
///
/// The token is opaque to all devices but the one that made it, and is returned only to that device; it says nothing
/// about state.
package struct ResumeToken: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The longest token in bytes that is kept.
    package static let bytesMost = 32

    /// Creates a token from the bytes that a peer sent.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a token for a place in this device's order of arrival.
    package init(_ cursor: Cursor, in order: ArrivalOrder) {
        var token: [UInt8] = []
        token.append(addingCapacity: ArrivalOrder.byteCount + 16) { token in
            token.append(order.high, last: 8)
            token.append(order.low, last: 8)
            token.append(cursor.writes.value, last: 8)
            token.append(cursor.clears.value, last: 8)
        }
        bytes = token
    }

    /// Returns the cursor in an order of arrival; nil if the token was made in another order.
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

/// The progress of a snapshot that a peer sends.
package struct SnapshotProgress: Equatable, Sendable {
    /// The last record that arrived; nil before the first.
    package var through: RecordIdentity?
    /// The peer's claims for the lane when the snapshot began.
    package var start: VersionVector
    /// The peer's place in its order of arrival when the snapshot began.
    package var token: ResumeToken

    package init(through: RecordIdentity?, start: VersionVector, token: ResumeToken) {
        (self.through, self.start, self.token) = (through, start, token)
    }
}
