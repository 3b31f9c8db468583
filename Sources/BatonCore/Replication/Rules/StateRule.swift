/// The facts about an index lane by which a store decides which client states it shows.
///
/// A store keeps two states of a name: the *newest* state, which is the record, and the *shown* state. A job may
/// continue from a state only on a device that has everything that the state's writer had. So the newest state is shown
/// once this device has that; until then, the state that was shown before stays.
package struct StateRule: Sendable {
    package let complete: VersionVector
    package let dropped: VersionVector
    package let lineage: Lineage

    package init(complete: VersionVector, dropped: VersionVector, lineage: Lineage) {
        (self.complete, self.dropped, self.lineage) = (complete, dropped, lineage)
    }

    /// The state that is shown, and the transaction that must be claimed before another state can be shown.
    package struct Verdict: Equatable, Sendable {
        package var shown: ShownState?
        /// A missing transaction; until it is claimed, this verdict holds unless the records change.
        package var missing: Dot?

        package init(_ shown: ShownState? = nil, missing: Dot? = nil) {
            (self.shown, self.missing) = (shown, missing)
        }
    }

    /// Judges the record of a client state by the state that was shown and the clears that delete all of its index.
    package func verdict(on record: Record, shown: ShownState?, clears: [Dot]) -> Verdict {
        guard !record.isEnded else { return Verdict() }
        // In the middle of a snapshot it is not known which records here were deleted elsewhere, so no state is shown.
        if let missing = dropped.first(beyond: complete) { return Verdict(missing: missing) }
        let contains = { (state: ShownState) in
            clears.allSatisfy { lineage.covers($0, by: state.state.covers) }
        }
        // A snapshot may have removed the shown state, and left an earlier state in the record.
        let standing = shown.flatMap { contains($0) && $0.stamp <= record.incarnation ? $0 : nil }
        // A state that does not cover its own dot was not written at the end of a batch, so it is not shown.
        guard let newest = ShownState(newestOf: record), newest.state.covers.covers(newest.dot),
            standing.map({ $0.stamp <= newest.stamp }) ?? true
        else { return Verdict(standing) }
        if let missing = newest.state.covers.first(beyond: complete) {
            return Verdict(standing, missing: missing)
        }
        // Checked only here, because the lives that a life follows are known only if the life is claimed.
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
    /// Whether the record was deleted, or nothing is known of it.
    fileprivate var isEnded: Bool { if case .deletion = opening { true } else { !isTraced } }

    /// The write of the clear that this record is, if it is one.
    package var clearDot: Dot? { clear == nil ? nil : tombstone?.dot }

    /// Returns the clears that concern this client state and that its writer had not seen.
    ///
    /// These clears must not be garbage-collected while the state exists: without them the state would be shown, here
    /// or on a device that gets it from here.
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
    /// Whether the range may contain clears, which come first in the order of records.
    package var judgesClears: Bool { after?.kind.isClear ?? true }
}

extension VersionVector {
    /// Returns the last transaction of the first origin of which the other vector covers less; nil if there is none.
    fileprivate func first(beyond other: VersionVector) -> Dot? {
        guard !isWithin(other) else { return nil }
        return beyond(other).sorted.first.map { Dot(origin: $0.origin, sequence: $0.sequence) }
    }
}
