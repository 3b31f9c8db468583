/// The batch to which changes belong, and their position in the batch.
package struct BatchPlace: Equatable, Sendable {
    /// The number of the batch; the app chooses it, and it is valid for one connection.
    package var batch: UInt64
    /// The number of changes in the batch before these changes; changes at offset 0 begin the batch.
    package var offset: Int

    package init(_ batch: UInt64, offset: Int) { (self.batch, self.offset) = (batch, offset) }
}

/// The properties of an open batch that `OpenBatches` needs.
package protocol BegunBatch {
    /// The index that the batch changes.
    var index: ClientStateName { get }
    /// The number of changes that the batch has so far.
    var count: Int { get }
}

/// The batches that one connection has begun and not ended.
///
/// This type decides which changes and which ends of batches are accepted.
///
/// Changes state their offset in the batch, and the end of a batch states its number of changes. After a loss of the
/// connection, no batch is open, and only changes at offset 0 begin one. So changes that are sent after the loss can't
/// be mistaken for a complete batch, even if the client does not know of the loss. The node and the simulator use this
/// type.
///
///     no batch ── changes at 0 ──▶ open ── changes at `count` ──▶ open ── end of `count` ──▶ accepted, no batch
///
/// Everything else is refused. Refused changes do not count, and a refused end discards the batch.
package struct OpenBatches<Batch: BegunBatch> {
    private var batches: [UInt64: Batch] = [:]

    package init() {}

    /// The reason why changes or an end are refused.
    package enum Refusal: Error, Equatable, Sendable {
        /// The connection has not begun the batch, or the batch has ended.
        case notBegun
        /// The batch changes another index.
        case otherIndex
        /// The batch has this number of changes, but the app stated another offset or count.
        case otherCount(Int)
        /// The connection has reached the limit of open batches.
        case tooMany
    }

    /// The open batch with this number.
    package subscript(number: UInt64) -> Batch? {
        get { batches[number] }
        set { batches[number] = newValue }
    }

    /// The open batches, in the order of their numbers.
    package var all: [Batch] { batches.sorted { $0.key < $1.key }.map(\.value) }

    /// Accepts changes at a place of a batch; begins the batch if the changes are at offset 0.
    ///
    /// If a batch with this number is already open and is begun again, the old batch is returned. The caller must
    /// discard the changes of the old batch.
    package mutating func admit(
        _ place: BatchPlace, of index: ClientStateName, beginning: @autoclosure () -> Batch
    ) throws(Refusal) -> Batch? {
        let open = batches[place.batch]
        if let open, open.index != index { throw .otherIndex }
        if let open, place.offset > 0 {
            guard open.count == place.offset else { throw .otherCount(open.count) }
            return nil
        }
        guard place.offset == 0 else { throw .notBegun }
        guard open != nil || batches.count < Limits.openBatches else { throw .tooMany }
        batches[place.batch] = beginning()
        return open
    }

    /// Ends a batch, which must have `count` changes; returns the batch.
    ///
    /// If the number of changes differs, the batch is no longer open, either. The caller must discard the batch in this
    /// case, and save it otherwise.
    package mutating func end(
        _ number: UInt64, of index: ClientStateName, count: Int
    ) throws(Refusal) -> (batch: Batch, refusal: Refusal?) {
        let batch = try remove(number, of: index)
        return (batch, batch.count == count ? nil : .otherCount(batch.count))
    }

    /// Removes a batch, and returns it so that the caller can discard it.
    package mutating func remove(_ number: UInt64, of index: ClientStateName) throws(Refusal) -> Batch {
        guard let batch = batches[number] else { throw .notBegun }
        guard batch.index == index else { throw .otherIndex }
        batches[number] = nil
        return batch
    }

    /// Removes all batches, and returns them.
    ///
    /// This is necessary if the connection has ended, or if the state that the batches would change was replaced.
    package mutating func removeAll() -> [Batch] {
        defer { batches = [:] }
        return all
    }
}
