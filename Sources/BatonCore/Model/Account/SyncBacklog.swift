/// What is missing until both sides of a session have the same, as far as this side knows.
package struct SyncBacklog: Equatable, Sendable {
    /// How many transactions are here, of which nothing has been acknowledged by the peer.
    package var toSend: UInt64
    /// How many transactions the peer has, of which nothing has arrived here.
    package var toTake: UInt64
    /// How many writes have arrived since the two were last in step.
    package var taken: UInt64
    /// Whether the peer takes a snapshot of what is here.
    package var isSendingSnapshot: Bool
    /// Whether this side takes one of what the peer has.
    package var isTakingSnapshot: Bool

    package init(
        toSend: UInt64 = 0, toTake: UInt64 = 0, taken: UInt64 = 0, isSendingSnapshot: Bool = false,
        isTakingSnapshot: Bool = false
    ) {
        (self.toSend, self.toTake, self.taken) = (toSend, toTake, taken)
        (self.isSendingSnapshot, self.isTakingSnapshot) = (isSendingSnapshot, isTakingSnapshot)
    }
}
