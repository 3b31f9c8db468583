/// Names the order in which writes arrived at one store, for as long as a place in it means one thing.
///
/// A store that may have forgotten what it took last begins a new one: after power loss, or when it comes from a
/// backup, a place that was told already may come to mean other writes.
package struct ArrivalOrder: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
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

    /// A place in the own order of arrival.
    package init(_ place: Arrival, in order: ArrivalOrder) {
        bytes = order.bytes + (0..<8).map { UInt8(truncatingIfNeeded: place.value >> (56 - 8 * $0)) }
    }

    /// The place, if the token was made in that order.
    package func place(in order: ArrivalOrder) -> Arrival? {
        guard bytes.count == ArrivalOrder.byteCount + 8, bytes.starts(with: order.bytes) else { return nil }
        return Arrival(value: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    func encode(to writer: inout CBORWriter) { writer.data(bytes) }

    init(from reader: inout CBORReader) throws(CBORError) { bytes = try reader.data(upTo: Self.bytesMost) }
}
