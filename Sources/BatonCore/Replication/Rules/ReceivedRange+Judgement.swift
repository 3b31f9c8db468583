/// Judges writes that a garbage-collected deletion or clear may have ended, which nobody can tell any more.
///
/// A device that has a deletion writes with later stamps. So a write can be in doubt only where a device had lost the
/// deletion: it came from a backup, or began empty. Updates share the fate of what they change.
extension Write {
    /// Whether a deletion or clear that is no later than that may have ended this write.
    ///
    /// The record of a device is never in doubt: nothing deletes one. It could not be written anew either, as the
    /// signature of its device covers the stamp.
    package func isInDoubt(at horizon: HybridTime) -> Bool {
        guard identity.kind.isDeletable else { return false }
        return switch action {
        case .full: stamp.time <= horizon
        case .count(let begun, _): begun.time <= horizon
        case .deletion, .partial: false
        }
    }

    /// Whether a range brings this write where something later was in doubt and was removed: it counts again, though it
    /// was claimed long ago.
    ///
    /// A checkpoint is replaced in any case, whoever sends the range. Everything else is replaced only if the sender
    /// knows all that the store answers for, so that it brings nothing that was ended here.
    package func takesPlace(ofRemoved removed: Set<RecordIdentity>, isAllKnown: Bool) -> Bool {
        (identity.kind.isCheckpoint || isAllKnown) && removed.contains(identity)
    }

    /// Whether both are the same write, though one of them may have been adopted.
    fileprivate func isCopy(of other: Write) -> Bool {
        guard stamp == other.stamp else { return false }
        switch (action, other.action) {
        case (.partial(let base, _), .partial(let other, _)): return base == other
        case (.count(let begun, let content), .count(let other, let others)):
            return begun == other && content.scope == others.scope
        default: return isOpening && other.isOpening
        }
    }

    /// Whether the other is this write, or continues its counter from the same beginning.
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

    /// Whether the peer knows everything that the receiving store answers for: what is claimed there, or will be at the
    /// end of what is under way, what was garbage-collected there, and what was all of this before the store gave up
    /// its claims.
    ///
    /// Then the peer has, or knows to have ended, every such write that anything there may have overwritten.
    package func knowsAll(_ answered: VersionVector) -> Bool { answered.isWithin(known) }

    /// Whether a quarantined write means nothing any more, because the peer knows it and does not have it.
    ///
    /// It was overwritten or deleted there, or is a deletion that was garbage-collected. Nothing deletes statements of
    /// the roster and the records of devices, so a peer that lacks one is not believed.
    package func resolves(_ write: QuarantinedWrite, sent: [QuarantinedWrite]) -> Bool {
        guard let identity = write.identity, judges(identity), !identity.kind.isSigned else { return false }
        return known.covers(write.dot) && !sent.contains { $0.dot == write.dot }
    }
}

extension StoreTransaction {
    /// Returns what the sender of the writes claims of them beyond what the store claims now.
    ///
    /// The peer does not send these writes once more, and says later with a whole batch that they are here: until then,
    /// writes noted here belong to someone.
    package func promised(beyond complete: VersionVector) -> VersionVector {
        guard let sender else { return VersionVector() }
        return VersionVector(
            writes.lazy.map(\.dot).filter { !complete.covers($0) && sender.covers($0) }
                .map { ($0.origin, $0.sequence) })
    }

    /// The writes of a part of a stream, which the end of the stream claims whatever happens to them here until then.
    package var partOfStream: VersionVector? {
        guard isPart else { return nil }
        return VersionVector(writes.map { ($0.dot.origin, $0.dot.sequence) })
    }

    /// Refuses writes of a peer that lacks what was garbage-collected here, except those of a snapshot.
    package func demandSound(isPeerSetBack: Bool) throws(StoreFailure) {
        guard isPeerSetBack, range == nil, !isAhead else { return }
        throw StoreFailure(
            .peerSetBack,
            "deletions that were garbage-collected here may cover what you send; take a snapshot first")
    }

    /// Whether a write that stands after the merge must be written anew.
    ///
    /// `sent` are the writes of this record that were sent, and `arrived` those that came from a peer that lacks what
    /// was garbage-collected here up to that horizon.
    package func mustRenew(_ write: Write, sent: [Write], arrived: [Write], horizon: HybridTime) -> Bool {
        if let range, range.judges(write.identity), range.isInDoubt(write, sent: sent) { return true }
        return write.isInDoubt(at: horizon) && arrived.contains { $0.isSame(as: write) }
    }
}

extension Record {
    /// Returns the writes of this record that stay when a peer's range comes that has those writes; nil if all stay.
    ///
    /// - A write that the peer knows and does not have was overwritten or deleted: it goes. Only an update stays if the
    ///   full write that it changes is to be written anew, which takes the update along.
    /// - A statement of the roster and the record of a device stay. Nothing deletes them, and the range has what overwrote
    ///   them. A member of bad will could take a revocation back otherwise, or what a device said last.
    /// - A write in doubt stays, to be written anew, if this device wrote it, in whichever of its lives. It stays as
    ///   well if the peer does not know all that this store answers for: the write may be a part of that, or have
    ///   overwritten some of it, which then would be claimed here and be nowhere.
    /// - Any other write in doubt goes. Its author lost it before anyone was told that it is kept, and the range brings
    ///   the writes that it had overwritten.
    /// - A write that was sent and can't be read here stays, in case it came from elsewhere.
    /// - A checkpoint in doubt goes in any case: it may speak of what was deleted.
    package func remaining(
        judgedBy range: ReceivedRange, sent: [Write], unread: [QuarantinedWrite], isAllKnown: Bool,
        by life: Life?
    ) -> [Write]? {
        guard !identity.kind.isSigned else { return nil }
        let surviving = survivingWrites
        func stays(_ write: Write) -> Bool {
            if sent.contains(where: write.isCopy) { return true }
            if unread.contains(where: { $0.dot == write.dot }) { return true }
            if range.known.covers(write.dot) { return false }
            guard range.isInDoubt(write, sent: sent) else { return true }
            let isOwn = life?.isOfDevice(of: write.dot.origin.life) ?? false
            return (isOwn || !isAllKnown) && !identity.kind.isCheckpoint
        }
        let isRenewed = surviving.contains {
            if case .full = $0.action { range.isInDoubt($0, sent: sent) && stays($0) } else { false }
        }
        var left = surviving.filter { stays($0) || (isRenewed && !$0.isOpening) }
        guard left.count < surviving.count else { return nil }
        // Updates live and die with the incarnation that they change. If the peer has an update without its
        // incarnation, which was garbage-collected there, the update stays as it is there: it may be claimed here, and
        // would not be taken again.
        if surviving.contains(where: \.isOpening), !left.contains(where: \.isOpening) {
            left.removeAll { write in
                if case .partial = write.action { !sent.contains(where: write.isCopy) } else { false }
            }
        }
        return left
    }
}
