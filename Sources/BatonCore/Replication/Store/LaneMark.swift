/// The position of a device's journal and of its store in one lane.
///
/// A store may have been restored from a backup, or may have lost its last transactions in a power failure. Then it no
/// longer has its latest mark. So a mark that was saved outside of the store shows whether the journal may continue.
package struct LaneMark: Equatable, Sendable {
    package let lane: Lane
    package let life: Life
    package let order: ArrivalOrder
    /// The number of this device's last transaction.
    package let sequence: UInt64
    /// The last place that the store gave to a write.
    package let head: Arrival

    package init(lane: Lane, life: Life, order: ArrivalOrder, sequence: UInt64, head: Arrival) {
        (self.lane, self.life, self.order) = (lane, life, order)
        (self.sequence, self.head) = (sequence, head)
    }

    /// The encoding of the mark, which always has the same size.
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
