/// How many changes are still to be exchanged until both sides of a session are in step, as far as this side knows.
package struct SyncBacklog: Equatable, Sendable {
    /// The number of transactions on this device of which the peer has not acknowledged any part.
    package var toSend: UInt64
    /// The number of transactions on the peer of which no part has arrived here.
    package var toTake: UInt64
    /// The number of writes that have arrived since both sides were last in step.
    package var taken: UInt64
    /// Whether this side sends a snapshot to the peer.
    package var isSendingSnapshot: Bool
    /// Whether this side receives a snapshot from the peer.
    package var isTakingSnapshot: Bool

    package init(
        toSend: UInt64 = 0, toTake: UInt64 = 0, taken: UInt64 = 0, isSendingSnapshot: Bool = false,
        isTakingSnapshot: Bool = false
    ) {
        (self.toSend, self.toTake, self.taken) = (toSend, toTake, taken)
        (self.isSendingSnapshot, self.isTakingSnapshot) = (isSendingSnapshot, isTakingSnapshot)
    }
}
