/// The result of a transaction.
package struct StoreCommit: Equatable, Sendable {
    /// The place of the lane's last write, after the transaction.
    package var head: Arrival
    /// The largest hybrid time of all writes that the lane ever stored.
    package var clock: HybridTime
    /// The records that the transaction changed, in their new state.
    package var changed: [Record]
    /// The claims of the lane after the transaction.
    ///
    /// They are nil during a snapshot, when a missing record may still arrive.
    package var complete: VersionVector?
    /// The writes that the store added to the transaction: the succession of a new life, and the client states.
    package var additions: [Write] = []
    /// The names whose shown client state has changed or is no longer shown, in the order of their records' identities.
    package var shown: [ClientStateName] = []
    /// The writes that the transaction newly quarantined.
    package var quarantined: [QuarantinedWrite] = []
    /// The writes that are no longer quarantined, because they arrived in a readable form or are no longer needed.
    package var resolved: [Dot] = []
    /// Whether the lane claims less than the transaction completes, because of quarantined writes.
    package var isWithheld = false
    /// The number of void writes of a peer that were removed from the transaction (`VoidCheck`).
    package var voidCount = 0
    /// The meanings of the statements that a peer sent.
    ///
    /// They were verified before the transaction.
    package var verified: [RecordKey: VerifiedStatement] = [:]
    /// The number of late writes that were skipped because there was nothing that they could change.
    package var passedOver = 0
    /// Whether `settle(most:)` still has work to do in the lane.
    package var isUnsettled = false
    /// The reason why the app's writes were not stored; nil if the transaction's condition held.
    package var refusal: IndexRefusal?
    /// The records in which this device's writes have no effect, because the records have a later time that no clock
    /// shows.
    ///
    /// If such a record survives a clear, the clear itself is listed.
    package var outranked: [RecordIdentity] = []

    package init(head: Arrival, clock: HybridTime, changed: [Record]) {
        (self.head, self.clock, self.changed) = (head, clock, changed)
    }

    /// Combines this commit with an earlier one, as if both were one commit.
    package func after(_ earlier: StoreCommit) -> StoreCommit {
        var both = self
        let again = Set(changed.map(\.identity))
        both.changed += earlier.changed.filter { !again.contains($0.identity) }
        both.changed.sort { $0.identity < $1.identity }
        both.shown = Set(earlier.shown + shown).sorted { $0.key.identity < $1.key.identity }
        both.additions = earlier.additions + additions
        let resolvedSince = Set(resolved)
        both.quarantined = earlier.quarantined.filter { !resolvedSince.contains($0.dot) } + quarantined
        both.resolved = earlier.resolved + resolved
        both.passedOver += earlier.passedOver
        both.voidCount += earlier.voidCount
        both.verified.merge(earlier.verified) { own, _ in own }
        both.outranked = earlier.outranked + outranked
        return both
    }

    /// Whether the store has renewed records under a life, or may still do so when it settles the rest.
    package func hasWritten(under life: Life) -> Bool {
        isUnsettled || changed.contains { $0.survivingWrites.contains { $0.dot.origin.life == life } }
    }
}
