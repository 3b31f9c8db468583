/// The facts about an index lane from which a store decides which client states to show.
///
/// A store keeps two states for each name. The *newest* state is the one in the record. The *shown* state is the one
/// that apps get. A job may continue from a state only on a device that has everything that the state's writer had. So
/// the newest state is shown as soon as this device has all of that. Until then, the store shows the earlier state.
package struct StateRule: Sendable {
    package let complete: VersionVector
    package let dropped: VersionVector
    package let lineage: Lineage

    package init(complete: VersionVector, dropped: VersionVector, lineage: Lineage) {
        (self.complete, self.dropped, self.lineage) = (complete, dropped, lineage)
    }

    /// The state to show, and the transaction that must be claimed before another state can be shown.
    package struct Verdict: Equatable, Sendable {
        package var shown: ShownState?
        /// A transaction that is missing here.
        ///
        /// Until it is claimed, the verdict changes only if the records change.
        package var missing: Dot?

        package init(_ shown: ShownState? = nil, missing: Dot? = nil) {
            (self.shown, self.missing) = (shown, missing)
        }
    }

    /// Decides which state of a record is shown.
    ///
    /// `shown` is the state that was shown before. `clears` are the clears that delete the whole index.
    package func verdict(on record: Record, shown: ShownState?, clears: [Dot]) -> Verdict {
        guard !record.isEnded else { return Verdict() }
        // During a snapshot it is unknown which records here were deleted elsewhere, so no state is shown.
        if let missing = dropped.first(beyond: complete) { return Verdict(missing: missing) }
        let contains = { (state: ShownState) in
            clears.allSatisfy { lineage.covers($0, by: state.state.covers) }
        }
        // A snapshot may have removed the state that was shown, and left an earlier state in the record.
        let standing = shown.flatMap { contains($0) && $0.stamp <= record.incarnation ? $0 : nil }
        // A state that does not cover its own dot was not written at the end of a batch. It is not shown.
        guard let newest = ShownState(newestOf: record), newest.state.covers.covers(newest.dot),
            standing.map({ $0.stamp <= newest.stamp }) ?? true
        else { return Verdict(standing) }
        if let missing = newest.state.covers.first(beyond: complete) {
            return Verdict(standing, missing: missing)
        }
        // This is checked last. The lives that a life follows are known only once the life is claimed.
        guard contains(newest) else { return Verdict(standing) }
        return Verdict(newest)
    }
}

extension ClientStateName {
    /// The records of the clears that delete the whole index, or more than the index.
    package var clears: [RecordIdentity] {
        let scope = Scope.items(app: app, index: index)
        return scope.outward(Set(1...scope.count)).map { $0.clearKey(in: .index).identity }
    }
}

extension Record {
    /// Whether the record was deleted, or no write of it is known.
    fileprivate var isEnded: Bool { if case .deletion = opening { true } else { !isTraced } }

    /// The dot of the clear that this record describes; nil if the record is not a clear.
    package var clearDot: Dot? { clear == nil ? nil : tombstone?.dot }

    /// Returns the clears of this client state's index that the writer of the state had not seen.
    ///
    /// These clears must not be garbage-collected while the state exists. Without them, this device would show the
    /// state, and so would a device that gets it from here.
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
    /// Whether the range may contain clears.
    ///
    /// In the order of records, clears come first.
    package var judgesClears: Bool { after?.kind.isClear ?? true }
}

extension VersionVector {
    /// Returns the last transaction of the first origin of which the other vector covers less than this one; nil if
    /// there is no such origin.
    fileprivate func first(beyond other: VersionVector) -> Dot? {
        guard !isWithin(other) else { return nil }
        return beyond(other).sorted.first.map { Dot(origin: $0.origin, sequence: $0.sequence) }
    }
}
