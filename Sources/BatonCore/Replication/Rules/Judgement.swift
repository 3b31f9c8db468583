/// What may have been ended by something that was let go, so that nobody can tell any more.
///
/// A device that has a deletion writes with later stamps. So this can only be so where one had lost it: it came from a
/// backup, or began with nothing. Updates share the fate of what they change.
extension Write {
    /// Whether a deletion or clear that is no later than that may have ended this write.
    package func isInDoubt(at horizon: HybridTime) -> Bool {
        guard !identity.kind.isPermanent else { return false }
        return switch action {
        case .full: stamp.time <= horizon
        case .count(let begun, _): begun.time <= horizon
        case .deletion, .partial: false
        }
    }

    /// Whether a range brings this where something later was in doubt and went: it counts again, though it was claimed
    /// long ago.
    ///
    /// A checkpoint goes in any case, whoever sends the range. All else goes only where the sender knows all that the
    /// store answers for, so that it brings nothing that was ended here.
    package func takesPlace(ofRemoved removed: Set<RecordIdentity>, isAllKnown: Bool) -> Bool {
        (identity.kind.isCheckpoint || isAllKnown) && removed.contains(identity)
    }

    /// Whether both are one write, though one of them may have been adopted.
    fileprivate func isCopy(of other: Write) -> Bool {
        guard stamp == other.stamp else { return false }
        switch (action, other.action) {
        case (.partial(let base, _), .partial(let other, _)): return base == other
        case (.count(let begun, let content), .count(let other, let others)):
            return begun == other && content.scope == others.scope
        default: return isOpening && other.isOpening
        }
    }

    /// Whether the other is this write, or counts on from the same beginning.
    fileprivate func isKnown(from other: Write) -> Bool {
        if case .count(let begun, _) = action, case .count(let beginning, _) = other.action {
            return begun == beginning
        }
        return isCopy(of: other)
    }
}

extension ReceivedRange {
    /// Whether a write that stands here is in doubt, because the peer neither knows nor sent it.
    package func isInDoubt(_ write: Write, sent: [Write]) -> Bool {
        !known.covers(write.dot) && write.isInDoubt(at: horizon) && !sent.contains(where: write.isKnown)
    }

    /// Whether the peer knows all that the store which takes the range answers for: what is claimed there, or will be at
    /// the end of what is under way, and what was let go there.
    ///
    /// Then it has, or knows to have ended, all of this that anything may have overwritten there.
    package func knowsAll(expected: VersionVector, dropped: VersionVector) -> Bool {
        expected.isWithin(known) && dropped.isWithin(known)
    }
}

extension StoreTransaction {
    /// What the peer that sent the writes claims of those that the store, which claims so much now, does not.
    ///
    /// The peer does not send them once more, and says one day with a whole batch that they are here: what is noted so
    /// is somebody's until then.
    package func promised(beyond complete: VersionVector) -> VersionVector {
        guard let sender else { return VersionVector() }
        return VersionVector(
            writes.lazy.map(\.dot).filter { !complete.covers($0) && sender.covers($0) }
                .map { ($0.origin, $0.sequence) })
    }

    /// Refuses writes of a peer that lacks what was let go here, but for those of a snapshot.
    package func demandSound(isPeerSetBack: Bool) throws(StoreFailure) {
        #if DEBUG
            if Faults.isPlanted(.setBackPeerTaken) { return }
        #endif
        guard isPeerSetBack, range == nil, !isAhead else { return }
        throw StoreFailure(
            .peerSetBack, "what was let go here may have ended what you send; take a snapshot first")
    }

    /// Whether a write that stands after the others were merged is to be written anew; of this record those were
    /// sent, and those have arrived from a peer that lacks what was let go here, up to that horizon.
    package func mustRenew(_ write: Write, sent: [Write], arrived: [Write], horizon: HybridTime) -> Bool {
        if let range, range.judges(write.identity), range.isInDoubt(write, sent: sent) { return true }
        #if DEBUG
            if Faults.isPlanted(.setBackPeerTaken) { return false }
        #endif
        return write.isInDoubt(at: horizon) && arrived.contains { $0.isSame(as: write) }
    }
}

extension Record {
    /// Returns the writes of this record that stay when a peer's range comes that has those writes; nil if all stay.
    ///
    /// - A write that the peer knows and does not have was overwritten or deleted: it goes.
    /// - A write in doubt stays, to be written anew, if this device wrote it, in whichever of its lives. It stays as
    ///   well if the peer does not know all that this store answers for: the write may be a part of that, or have
    ///   overwritten some of it, which then would be claimed here and be nowhere.
    /// - Any other write in doubt goes. Its author lost it before anyone was told that it is kept, and the range brings
    ///   the writes that it had overwritten.
    /// - A write that was sent and can't be read here stays, should it have come from elsewhere.
    /// - A checkpoint in doubt goes in any case: it may speak of what was deleted.
    package func remaining(
        judgedBy range: ReceivedRange, sent: [Write], unread: [QuarantinedWrite], isAllKnown: Bool,
        by life: Life?
    ) -> [Write]? {
        #if DEBUG
            if Faults.isPlanted(.snapshotKeepsAbsent) { return nil }
        #endif
        let surviving = survivingWrites
        var left = surviving.filter { write in
            if sent.contains(where: write.isCopy) { return true }
            if unread.contains(where: { $0.dot == write.dot }) { return true }
            #if DEBUG
                if Faults.isPlanted(.snapshotDeletesOthers) { return false }
            #endif
            if range.known.covers(write.dot) { return false }
            guard range.isInDoubt(write, sent: sent) else { return true }
            let isOwn = life?.isOfDevice(of: write.dot.origin.life) ?? false
            return (isOwn || !isAllKnown) && !identity.kind.isCheckpoint
        }
        guard left.count < surviving.count else { return nil }
        // Updates live and die with the incarnation that they change. One that the peer has without it, which was let go
        // there, stays as it is there: it is claimed here perhaps, and would not be taken once more.
        if surviving.contains(where: \.isOpening), !left.contains(where: \.isOpening) {
            left.removeAll { write in
                if case .partial = write.action { !sent.contains(where: write.isCopy) } else { false }
            }
        }
        return left
    }
}
