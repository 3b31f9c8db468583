/// A client state at the end of a batch of this device, named and not yet written: what it covers is known only in the
/// transaction that stores the batch.
///
/// It is not a `Write`, so that no state can be written with a guess of what it covers.
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

    /// Returns the write; it covers the batch, and everything that the store claims after the batch.
    ///
    /// A store at the limit of its claims does not claim the batch. The state covers the batch anyway, so that only a
    /// device that has the batch shows the state.
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

    /// The largest size in bytes of the field with the vector that is covered.
    static let coversBytesMost = 16 + (Limits.laneOrigins + 1) * 28
}
