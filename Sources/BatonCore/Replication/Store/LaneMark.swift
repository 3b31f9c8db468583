/// How far a device's journal and its store had come in one lane.
///
/// A store that was restored from a backup, or that lost its last transactions in a power failure, no longer has the
/// latest marks that it had. So marks that were saved outside of the store show whether the journal may continue.
package struct LaneMark: Equatable, Sendable {
    package let lane: Lane
    package let life: Life
    package let order: ArrivalOrder
    /// The last own transaction.
    package let sequence: UInt64
    /// The last place that was given out.
    package let head: Arrival

    package init(lane: Lane, life: Life, order: ArrivalOrder, sequence: UInt64, head: Arrival) {
        (self.lane, self.life, self.order) = (lane, life, order)
        (self.sequence, self.head) = (sequence, head)
    }

    /// The encoded mark, which always has the same size.
    package var encoded: [UInt8] {
        var encoded: [UInt8] = []
        encoded.append(addingCapacity: Self.byteCount) { bytes in
            bytes.append(life.high, last: 8)
            bytes.append(life.low, last: 8)
            bytes.append(order.high, last: 8)
            bytes.append(order.low, last: 8)
            bytes.append(UInt64(lane.rawValue), last: 8)
            bytes.append(sequence, last: 8)
            bytes.append(head.value, last: 8)
        }
        return encoded
    }

    /// The size of a mark in bytes.
    package static let byteCount = Life.byteCount + ArrivalOrder.byteCount + 24

    /// Decodes a mark; nil if the bytes are not a valid mark.
    package init?(_ encoded: [UInt8]) {
        guard encoded.count == Self.byteCount else { return nil }
        let numbers = encoded.dropFirst(Life.byteCount + ArrivalOrder.byteCount)
        let read = { (place: Int) in numbers.dropFirst(8 * place).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard let life = Life(bytes: encoded.prefix(Life.byteCount)),
            let order = ArrivalOrder(
                bytes: encoded.dropFirst(Life.byteCount).prefix(ArrivalOrder.byteCount)),
            let lane = UInt8(exactly: read(0)).flatMap(Lane.init)
        else { return nil }
        self.init(lane: lane, life: life, order: order, sequence: read(1), head: Arrival(value: read(2)))
    }
}
