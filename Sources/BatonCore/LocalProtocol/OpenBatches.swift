/// The position of changes in a batch of an app.
package struct BatchPlace: Equatable, Sendable {
    /// The number of the batch, which the app chooses; it is valid for one connection.
    package var batch: UInt64
    /// The number of changes of the batch that come before; changes at 0 begin the batch.
    package var offset: Int

    package init(_ batch: UInt64, offset: Int) { (self.batch, self.offset) = (batch, offset) }
}

/// The properties of an open batch that the rules for batches need.
package protocol BegunBatch {
    /// The index that the batch changes.
    var index: ClientStateName { get }
    /// The number of changes that the batch has so far.
    var count: Int { get }
}

/// The batches that one connection has begun and not ended, with the rule by which changes and ends are accepted.
///
/// Changes state their offset in the batch, and an end states the number of changes. So changes that are sent after a
/// loss of the connection can't pass for a whole batch, whatever the client believes: no batch is open then, and only
/// changes at offset 0 begin one. The node and the simulator use this type.
///
///     no batch ── changes at 0 ──▶ open ── changes at `count` ──▶ open ── end of `count` ──▶ accepted, no batch
///
/// Everything else is refused. Refused changes do not count; a refused end discards the batch.
package struct OpenBatches<Batch: BegunBatch> {
    private var batches: [UInt64: Batch] = [:]

    package init() {}

    /// The reason why changes or an end are refused.
    package enum Refusal: Error, Equatable, Sendable {
        /// The connection has begun no such batch, or the batch has ended.
        case notBegun
        /// The batch changes another index.
        case otherIndex
        /// The batch has this number of changes, which differs from the stated offset or count.
        case otherCount(Int)
        /// The connection has reached the limit of open batches.
        case tooMany
    }

    /// The open batch of that number.
    package subscript(number: UInt64) -> Batch? {
        get { batches[number] }
        set { batches[number] = newValue }
    }

    /// The open batches, in the order of their numbers.
    package var all: [Batch] { batches.sorted { $0.key < $1.key }.map(\.value) }

    /// Admits changes at a place of a batch, and begins the batch if they are its first ones.
    ///
    /// If a batch with this number is already open and begins again, the old batch is returned: its changes are to be
    /// discarded.
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

    /// Ends a batch, which must have `count` changes.
    ///
    /// The batch is no longer open afterwards, even if its count differs. So the caller gets it in both cases, to save
    /// it or to discard it.
    package mutating func end(
        _ number: UInt64, of index: ClientStateName, count: Int
    ) throws(Refusal) -> (batch: Batch, refusal: Refusal?) {
        let batch = try remove(number, of: index)
        return (batch, batch.count == count ? nil : .otherCount(batch.count))
    }

    /// Removes a batch, to be discarded.
    package mutating func remove(_ number: UInt64, of index: ClientStateName) throws(Refusal) -> Batch {
        guard let batch = batches[number] else { throw .notBegun }
        guard batch.index == index else { throw .otherIndex }
        batches[number] = nil
        return batch
    }

    /// Removes and returns all batches, because the connection has ended, or the state that they would change was
    /// replaced.
    package mutating func removeAll() -> [Batch] {
        defer { batches = [:] }
        return all
    }
}
