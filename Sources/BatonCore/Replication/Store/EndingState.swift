/// A client state at the end of a batch of this device, which has a dot but is not written yet.
///
/// Only the transaction that stores the batch knows which transactions the state covers.
///
/// This type is not a `Write`. So no state can be written that only guesses what it covers.
package struct EndingState: Equatable, Sendable {
    package let dot: Dot
    package let stamp: Stamp
    package let name: ClientStateName
    private let state: ClientState

    init(_ state: ClientState, of name: ClientStateName, dot: Dot, stamp: Stamp) {
        self.state = state
        self.name = name
        self.dot = dot
        self.stamp = stamp
    }

    /// Returns the write of the state.
    ///
    /// The state covers the batch, and everything that the store claims after the batch.
    ///
    /// A store that has reached the limit of its claims does not claim the batch. The state covers the batch anyway, so
    /// only a device that has the batch shows the state.
    package func write(
        after complete: VersionVector, completing batch: VersionVector, _ lineage: Lineage
    ) -> Write {
        var covers = complete.restricted(to: .index)
        covers.join(batch.restricted(to: .index))
        covers = lineage.reduced(covers)
        covers.cover(dot)
        return Write(
            dot: dot, key: name.key, stamp: stamp, action: .full(state.covering(covers).content(name)))
    }

    /// The maximum size in bytes of the field with the covered transactions.
    static let coversBytesMost = 16 + (Limits.laneOrigins + 1) * 28
}
