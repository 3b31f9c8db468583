/// The result of a transaction.
package struct StoreCommit: Equatable, Sendable {
    /// The last write of the lane, after the transaction.
    package var head: Arrival
    /// The largest hybrid time among all writes that the lane ever stored.
    package var clock: HybridTime
    /// The records that changed, as they are now.
    package var changed: [Record]
    /// The claims of the lane after the transaction; nil in the middle of a snapshot, when a missing record may still
    /// arrive.
    package var complete: VersionVector?
    /// Writes that the store added: the succession of a new life, and the client states.
    package var additions: [Write] = []
    /// The names whose shown client state has changed or is gone, in the order of their records' identities.
    package var shown: [ClientStateName] = []
    /// The writes that the transaction newly quarantined.
    package var quarantined: [QuarantinedWrite] = []
    /// The writes that are no longer quarantined: they arrived in a readable form, or are no longer needed.
    package var resolved: [Dot] = []
    /// Whether less was claimed than the transaction completes, because of quarantined writes.
    package var isWithheld = false
    /// How many void writes of a peer were removed from the transaction (`VoidCheck`).
    package var voidCount = 0
    /// The meanings of statements that a peer sent, which were verified before the transaction.
    package var verified: [RecordKey: VerifiedStatement] = [:]
    /// How many late writes were skipped, because there was nothing that they could change.
    package var passedOver = 0
    /// Whether `settle(most:)` has something left to do in the lane.
    package var isUnsettled = false
    /// The reason why nothing was stored, if the transaction's condition did not hold.
    package var refusal: IndexRefusal?
    /// The records in which writes of this device do not count, because the present writes have a later time that no
    /// clock shows; for a clear that such a record survives, the clear itself.
    package var outranked: [RecordIdentity] = []

    package init(head: Arrival, clock: HybridTime, changed: [Record]) {
        (self.head, self.clock, self.changed) = (head, clock, changed)
    }

    /// Combines this commit with an earlier commit, as if they were one.
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

    /// Whether the store has renewed records under a life, or may do so while it settles the rest.
    package func hasWritten(under life: Life) -> Bool {
        isUnsettled || changed.contains { $0.survivingWrites.contains { $0.dot.origin.life == life } }
    }
}
