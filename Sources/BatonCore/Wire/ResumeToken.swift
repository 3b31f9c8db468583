/// A place in the order in which writes arrived at one store.
package struct Arrival: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    /// The place before all writes.
    package static let none = Arrival(value: 0)

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// Names an order in which writes arrived at one store.
///
/// In the same order, a place never gets another meaning.
///
/// A store that may have lost its latest writes begins a new order. Otherwise, after a loss of power or in a restored
/// backup, a place that was already sent could get another write.
package struct ArrivalOrder: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// How far a lane was read for a peer, in the order of arrival.
package struct Cursor: Equatable, Sendable {
    /// The place up to which all writes were sent.
    package var writes: Arrival
    /// The place up to which all clears were sent.
    ///
    /// Clears are sent before other writes.
    package var clears: Arrival

    package init(writes: Arrival, clears: Arrival) {
        (self.writes, self.clears) = (writes, clears)
    }

    /// Creates a cursor of a lane for which everything up to a place was sent.
    package init(_ place: Arrival) { self.init(writes: place, clears: place) }

    /// Returns a cursor with the later one of both places, for writes and for clears.
    func joined(_ other: Cursor) -> Cursor {
        Cursor(writes: max(writes, other.writes), clears: max(clears, other.clears))
    }

    /// The cursor at the beginning of a lane.
    package static let none = Cursor(.none)
}

/// The cursor at which a device continues to send to a peer, as bytes that the peer keeps.
///
/// Only the device that made the token understands it, and only that device gets it back. The token says nothing about
/// the state of the store.
package struct ResumeToken: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The maximum length in bytes of a token that is kept.
    package static let bytesMost = 32

    /// Creates a token from the bytes that a peer sent.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a token for a cursor in this device's order of arrival.
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

    /// Returns the token's cursor; nil if the token was not made in this order of arrival.
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

/// The progress in receiving a snapshot from a peer.
package struct SnapshotProgress: Equatable, Sendable {
    /// The last record that has arrived; nil if none has arrived yet.
    package var through: RecordIdentity?
    /// The peer's claims in the lane when the snapshot began.
    package var start: VersionVector
    /// The peer's resume token from when the snapshot began.
    package var token: ResumeToken

    package init(through: RecordIdentity?, start: VersionVector, token: ResumeToken) {
        (self.through, self.start, self.token) = (through, start, token)
    }
}
