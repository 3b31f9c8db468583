/// How far a device's journal and the store that keeps it had come.
///
/// A store that comes from a backup, or that lost its last transactions with the power, has another mark than who
/// saw it last; so a mark that is known outside the store shows whether its journal may go on.
package struct JournalMark: Equatable, Sendable {
    package let life: Life
    package let order: ArrivalOrder
    /// The last own transaction of each lane.
    package let sequences: [Lane: UInt64]
    /// The last place that was given out in each lane.
    package let heads: [Lane: Arrival]

    package init(
        life: Life, order: ArrivalOrder, sequences: [Lane: UInt64], heads: [Lane: Arrival]
    ) {
        (self.life, self.order, self.sequences, self.heads) = (life, order, sequences, heads)
    }

    /// The mark in bytes, always as many.
    package var encoded: [UInt8] {
        var bytes = life.bytes + order.bytes
        for lane in Lane.allCases {
            for number in [sequences[lane] ?? 0, heads[lane]?.value ?? 0] {
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            }
        }
        return bytes
    }

    /// The last place that was given out in each lane, of a mark in bytes.
    package static func heads(_ encoded: [UInt8]) -> [Lane: Arrival] {
        guard encoded.count == byteCount else { return [:] }
        var (heads, place) = ([Lane: Arrival](), Life.byteCount + ArrivalOrder.byteCount + 8)
        for lane in Lane.allCases {
            heads[lane] = Arrival(value: encoded[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) })
            place += 16
        }
        return heads
    }

    /// How many bytes a mark has.
    package static let byteCount = Life.byteCount + ArrivalOrder.byteCount + 32

    /// The life of a mark in bytes; nothing if they are none.
    package static func life(_ encoded: [UInt8]) -> Life? {
        encoded.count == byteCount ? Life(bytes: encoded.prefix(Life.byteCount)) : nil
    }
}
