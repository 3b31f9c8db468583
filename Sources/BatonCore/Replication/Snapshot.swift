/// Asks for the next part of all that a lane holds, in the order of identities.
///
/// Clears have the smallest kinds, and so come first.
package struct RangeRequest: Equatable, Sendable {
    package var lane: Lane
    /// The last record that the peer was sent; nothing at the beginning.
    package var after: RecordIdentity?
    /// Clears that arrived since are sent first: they may have changed what follows, and stand before it.
    package var since: Arrival?
    /// What the peer has and will have at the end of the snapshot; what was let go must be within it.
    ///
    /// Nothing at the beginning, where anything may have been let go.
    package var covered: VersionVector?
    /// How many bytes of writes are wanted, as of changes.
    package var bytes: Int

    package init(
        lane: Lane, after: RecordIdentity?, since: Arrival?, covered: VersionVector?, bytes: Int
    ) {
        (self.lane, self.after, self.since, self.covered, self.bytes) = (lane, after, since, covered, bytes)
    }
}

/// What became of a request for a range.
package enum RangeAnswer: Equatable, Sendable {
    case range(RecordRange)
    /// More was let go since the snapshot began; it is to begin anew.
    case anew
}

/// All surviving writes of the records of a part of a lane.
package struct RecordRange: Equatable, Sendable {
    /// What the peer must take before this range.
    package var ahead: [Write]
    package var writes: [Write]
    /// The last record of the range; nothing if it goes to the end.
    package var through: RecordIdentity?
    /// The record at the end has more writes than a frame holds, and they stand in `ahead`.
    package var isEndAhead: Bool
    /// What the store claims of the lane.
    package var complete: VersionVector
    /// What covers all that the store let go of the lane.
    package var dropped: VersionVector
    /// The largest hybrid time that was ever kept there.
    package var clock: HybridTime
    /// The last place in the order of arrival.
    package var head: Arrival

    package init(
        ahead: [Write], writes: [Write], through: RecordIdentity?, isEndAhead: Bool, complete: VersionVector,
        dropped: VersionVector, clock: HybridTime, head: Arrival
    ) {
        (self.ahead, self.writes, self.through, self.isEndAhead) = (ahead, writes, through, isEndAhead)
        (self.complete, self.dropped, self.clock, self.head) = (complete, dropped, clock, head)
    }
}

/// How far a snapshot came that a peer sends.
package struct SnapshotProgress: Equatable, Sendable {
    /// The last record that came; nothing before the first.
    package var through: RecordIdentity?
    /// What the peer claimed of the lane when the snapshot began.
    package var start: VersionVector
    /// Where the peer stood then in its order of arrival.
    package var token: ResumeToken

    package init(through: RecordIdentity?, start: VersionVector, token: ResumeToken) {
        (self.through, self.start, self.token) = (through, start, token)
    }
}

/// A part of a snapshot, as the store is to take it.
package struct ReceivedRange: Equatable, Sendable {
    package var after: RecordIdentity?
    package var through: RecordIdentity?
    package var isEndAhead: Bool
    /// What the peer claimed of the lane when it read the range: it lacks what this covers only where that was
    /// overwritten or deleted.
    package var known: VersionVector
    package var dropped: VersionVector
    package var clock: HybridTime
    /// What the peer claimed when the snapshot began, which may be claimed at its end.
    package var start: VersionVector
    /// A life that nobody had before, for what this device must write anew.
    package var life: Life?

    package init(
        after: RecordIdentity?, through: RecordIdentity?, isEndAhead: Bool, known: VersionVector,
        dropped: VersionVector, clock: HybridTime, start: VersionVector
    ) {
        (self.after, self.through, self.isEndAhead) = (after, through, isEndAhead)
        (self.known, self.dropped, self.clock, self.start) = (known, dropped, clock, start)
    }

    /// Whether a record belongs to it, and is judged by it.
    package func judges(_ identity: RecordIdentity) -> Bool {
        if let after, identity <= after { return false }
        guard let through else { return true }
        return isEndAhead ? identity < through : identity <= through
    }
}

/// Asks the store to let go of what all those devices have for good.
package struct CollectRequest: Equatable, Sendable {
    /// The devices that are waited for, this one not among them.
    package var roster: Set<DeviceIdentifier>
    /// How many traces may go at once.
    package var most: Int

    package init(roster: Set<DeviceIdentifier>, most: Int = Limits.collectedTraces) {
        (self.roster, self.most) = (roster, most)
    }
}

extension Record {
    /// What is left once those writes are removed that another store knows and does not have; nothing if all stays.
    package func remaining(known: VersionVector, sent: [Write]) -> [Write]? {
        let surviving = survivingWrites
        var left = surviving.filter { write in
            !known.covers(write.dot) || sent.contains { $0.isSame(as: write) }
        }
        guard left.count < surviving.count else { return nil }
        // Updates live and die with the incarnation that they change.
        if surviving.contains(where: \.isOpening), !left.contains(where: \.isOpening) {
            left.removeAll { if case .partial = $0.action { true } else { false } }
        }
        return left
    }
}

extension Record {
    /// The write that is let go once every device has it: a deletion or a clear.
    package var trace: Write? {
        survivingWrites.first { $0.action == .deletion || (clear != nil && $0.isOpening) }
    }

    /// This record without its trace.
    ///
    /// Counters that were begun later stand by themselves.
    package var withoutTrace: Record {
        let left = survivingWrites.filter { $0 != trace }
        return left.isEmpty ? Record(identity) : Record(merging: left)
    }
}

extension Write {
    /// Whether this write begins an incarnation.
    package var isOpening: Bool { !isPartial }
}
