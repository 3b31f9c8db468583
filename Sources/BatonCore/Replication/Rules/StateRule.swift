/// The facts about an index lane by which a store decides which client states it shows.
///
/// It keeps two states of a name: the *newest*, which is the record, and the one that is *shown*. A job may continue
/// from a state only where everything that its writer had is there, so the newest is shown once that is so; until then
/// the one before it stays.
package struct StateRule: Sendable {
    package let complete: VersionVector
    package let dropped: VersionVector
    package let lineage: Lineage

    package init(complete: VersionVector, dropped: VersionVector, lineage: Lineage) {
        (self.complete, self.dropped, self.lineage) = (complete, dropped, lineage)
    }

    /// The state that is shown, and what must be claimed before another one can be.
    package struct Verdict: Equatable, Sendable {
        package var shown: ShownState?
        /// A transaction; as long as it is not claimed, this verdict holds unless the records change.
        package var missing: Dot?

        package init(_ shown: ShownState? = nil, missing: Dot? = nil) {
            (self.shown, self.missing) = (shown, missing)
        }
    }

    /// Judges the record of a client state, given the state that was shown and the clears that delete all of its index.
    package func verdict(on record: Record, shown: ShownState?, clears: [Dot]) -> Verdict {
        guard !record.isEnded else { return Verdict() }
        // In the middle of a snapshot nobody knows which of the records here were deleted elsewhere and forgotten.
        if let missing = dropped.first(beyond: complete) { return Verdict(missing: missing) }
        let contains = { (state: ShownState) in
            clears.allSatisfy { lineage.covers($0, by: state.state.covers) }
        }
        // A snapshot may have removed the shown one, and left an earlier one.
        let standing = shown.flatMap { contains($0) && $0.stamp <= record.incarnation ? $0 : nil }
        // A state that does not cover itself was not written at the end of a batch, whoever gave it this dot.
        guard let newest = ShownState(newestOf: record), newest.state.covers.covers(newest.dot),
            standing.map({ $0.stamp <= newest.stamp }) ?? true
        else { return Verdict(standing) }
        if let missing = newest.state.covers.first(beyond: complete) {
            return Verdict(standing, missing: missing)
        }
        // The lives that a life follows are known only where the life is claimed.
        guard contains(newest) else { return Verdict(standing) }
        return Verdict(newest)
    }
}

extension ClientStateName {
    /// The clears that delete all of the index, or more than that.
    package var clears: [RecordIdentity] {
        let scope = Scope.items(app: app, index: index)
        return scope.outward(Set(1...scope.count)).map { $0.clearKey(in: .index).identity }
    }
}

extension Record {
    /// Whether nothing is known of the record any more, or that it was deleted.
    fileprivate var isEnded: Bool { if case .deletion = opening { true } else { !isTraced } }

    /// The write of the clear that this record is, if it is one.
    package var clearDot: Dot? { clear == nil ? nil : tombstone?.dot }

    /// Returns the clears that concern this client state and that its writer had not seen.
    ///
    /// They must not be garbage-collected while it stands: without them it would be shown, here or on a device that
    /// gets it from here.
    package func unseenClears<Failure: Error>(
        _ lineage: Lineage, _ dot: (RecordIdentity) throws(Failure) -> Dot?
    ) throws(Failure) -> [RecordIdentity] {
        guard isThere, let key else { return [] }
        let name: ClientStateName
        do throws(CBORError) { name = try ClientStateName(key) } catch { return [] }
        let covers = ShownState(newestOf: self)?.state.covers ?? VersionVector()
        var unseen: [RecordIdentity] = []
        for identity in name.clears {
            guard let dot = try dot(identity), !lineage.covers(dot, by: covers) else { continue }
            unseen.append(identity)
        }
        return unseen
    }
}

extension ReceivedRange {
    /// Whether clears may belong to it; they come first.
    package var judgesClears: Bool { after?.kind.isClear ?? true }
}

extension VersionVector {
    /// Returns a transaction that is covered here and not by the other: the last one of the first such origin.
    fileprivate func first(beyond other: VersionVector) -> Dot? {
        guard !isWithin(other) else { return nil }
        return beyond(other).sorted.first.map { Dot(origin: $0.origin, sequence: $0.sequence) }
    }
}
