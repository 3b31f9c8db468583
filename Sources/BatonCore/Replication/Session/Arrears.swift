/// What is missing until both sides of a session have the same, as far as this side knows.
package struct Arrears: Equatable, Sendable {
    /// How many transactions are here, of which the peer has not said that it keeps them.
    package var toSend: UInt64
    /// How many the peer has that are not here.
    package var toTake: UInt64
    /// Whether the peer takes a snapshot of what is here.
    package var isSendingSnapshot: Bool
    /// Whether this side takes one of what the peer has.
    package var isTakingSnapshot: Bool

    package init(
        toSend: UInt64 = 0, toTake: UInt64 = 0, isSendingSnapshot: Bool = false,
        isTakingSnapshot: Bool = false
    ) {
        (self.toSend, self.toTake) = (toSend, toTake)
        (self.isSendingSnapshot, self.isTakingSnapshot) = (isSendingSnapshot, isTakingSnapshot)
    }
}

extension Exchange {
    /// What is missing; the present life of this device may have named more than the session was told of.
    ///
    /// It counts transactions that one side claims and the other does not, of which some may have been overwritten since.
    func arrears(named: OwnNames?) -> Arrears {
        var own = ownComplete
        for (lane, sequence) in named?.sequences ?? [:] {
            guard let life = named?.life else { break }
            own.extend(Origin(life: life, lane: lane), to: sequence)
        }
        return Arrears(
            toSend: own.count(beyond: peerHas), toTake: peerComplete.count(beyond: own),
            isSendingSnapshot: isSendingSnapshot, isTakingSnapshot: isTakingSnapshot)
    }
}
