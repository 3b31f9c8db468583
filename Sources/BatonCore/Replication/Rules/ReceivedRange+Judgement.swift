/// Judges writes in doubt: a garbage-collected deletion or clear may have ended them, and no device can tell whether it
/// did.
///
/// A device that has a deletion writes with later stamps. So a write can be in doubt only if its author lacked the
/// deletion, because it was restored from a backup or began empty. An update shares the fate of the full write that it
/// changes.
extension Write {
    /// Whether a deletion or clear that is not later than the horizon may have ended this write.
    ///
    /// The record of a device is never in doubt, because nothing deletes it. It could not be renewed either, because
    /// the device's signature covers the stamp.
    package func isInDoubt(at horizon: HybridTime) -> Bool {
        guard identity.kind.isDeletable else { return false }
        return switch action {
        case .full: stamp.time <= horizon
        case .count(let begun, _): begun.time <= horizon
        case .deletion, .partial: false
        }
    }

    /// Whether this write of a range is merged although it was claimed long ago, because a later write of its record
    /// was in doubt and was removed.
    ///
    /// A checkpoint is replaced in any case, whoever sends the range. Any other record is replaced only if the sender
    /// knows all that the store answers for, so that the range brings nothing that was ended here.
    package func takesPlace(ofRemoved removed: Set<RecordIdentity>, isAllKnown: Bool) -> Bool {
        (identity.kind.isCheckpoint || isAllKnown) && removed.contains(identity)
    }

    /// Whether the two are the same write, although one of them may have been adopted and have another dot.
    fileprivate func isCopy(of other: Write) -> Bool {
        guard stamp == other.stamp else { return false }
        switch (action, other.action) {
        case (.partial(let base, _), .partial(let other, _)): return base == other
        case (.count(let begun, let content), .count(let other, let others)):
            return begun == other && content.scope == others.scope
        default: return isOpening && other.isOpening
        }
    }

    /// Whether the other write is this write, or continues its counter from the same beginning.
    fileprivate func isKnown(from other: Write) -> Bool {
        if case .count(let begun, _) = action, case .count(let beginning, _) = other.action {
            return begun == beginning
        }
        return isCopy(of: other)
    }
}

extension ReceivedRange {
    /// Whether a stored write is in doubt, because the peer neither knows it nor sent it.
    package func isInDoubt(_ write: Write, sent: [Write]) -> Bool {
        !known.covers(write.dot) && write.isInDoubt(at: horizon) && !sent.contains(where: write.isKnown)
    }

    /// Whether the peer knows everything that the receiving store answers for: what the store claims, or will claim
    /// when a snapshot or stream ends, what it garbage-collected, and all of this from before it gave up its claims.
    ///
    /// Then the peer has every write that a write of the store may have overwritten, or knows that it was ended.
    package func knowsAll(_ answered: VersionVector) -> Bool { answered.isWithin(known) }

    /// Whether a quarantined write can be forgotten, because the peer knows it and no longer has it.
    ///
    /// The write was overwritten or deleted there, or is a deletion that was garbage-collected. Nothing deletes
    /// statements of the roster and the records of devices, so a peer that lacks one is not believed.
    package func resolves(_ write: QuarantinedWrite, sent: [QuarantinedWrite]) -> Bool {
        guard let identity = write.identity, judges(identity), !identity.kind.isSigned else { return false }
        return known.covers(write.dot) && !sent.contains { $0.dot == write.dot }
    }
}

extension StoreTransaction {
    /// Returns the vector of the writes that their sender claims and the store does not claim yet.
    ///
    /// The sender does not send these writes again; a later whole batch brings their claim. Until then, the store notes
    /// that they will be claimed.
    package func promised(beyond complete: VersionVector) -> VersionVector {
        guard let sender else { return VersionVector() }
        return VersionVector(
            writes.lazy.map(\.dot).filter { !complete.covers($0) && sender.covers($0) }
                .map { ($0.origin, $0.sequence) })
    }

    /// The vector of the writes, if they are a part of a stream: the stream's end claims them, even if they are
    /// overwritten here before that.
    package var partOfStream: VersionVector? {
        guard isPart else { return nil }
        return VersionVector(writes.map { ($0.dot.origin, $0.dot.sequence) })
    }

    /// Throws if a peer that lacks what was garbage-collected here sent the writes, unless they are of a snapshot.
    package func demandSound(isPeerSetBack: Bool) throws(StoreFailure) {
        guard isPeerSetBack, range == nil, !isAhead else { return }
        throw StoreFailure(
            .peerSetBack,
            "deletions that were garbage-collected here may cover what you send; take a snapshot first")
    }

    /// Whether a write that survives the merge must be renewed.
    ///
    /// `sent` are the writes of this record that were sent, and `arrived` the writes from a peer that lacks what was
    /// garbage-collected here up to `horizon`.
    package func mustRenew(_ write: Write, sent: [Write], arrived: [Write], horizon: HybridTime) -> Bool {
        if let range, range.judges(write.identity), range.isInDoubt(write, sent: sent) { return true }
        return write.isInDoubt(at: horizon) && arrived.contains { $0.isSame(as: write) }
    }
}

extension Record {
    /// Returns the writes of this record that stay when a peer's range with the writes `sent` arrives; nil if all stay.
    ///
    /// - A write that the peer knows and does not have was overwritten or deleted, so it is removed. An exception is an
    ///   update of a full write that is renewed: the renewed write includes the update.
    /// - A statement of the roster and the record of a device stay. Nothing deletes them, and the range has what
    ///   overwrote them. Otherwise a malicious member could take back a revocation, or a device's last record.
    /// - A write in doubt stays, to be renewed, if this device wrote it in any of its lives. It also stays if the peer
    ///   does not know all that this store answers for: the write may be a part of that, or may have overwritten a
    ///   part, which would then be claimed here and be lost.
    /// - Any other write in doubt is removed. Its author lost it before reporting it as stored, and the range brings
    ///   the writes that it had overwritten.
    /// - A write stays if the peer sent it in a form that can't be read here; another device may have sent it readably.
    /// - A checkpoint in doubt is removed in any case: it may cover items that were deleted.
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
        // incarnation, which was garbage-collected there, the update stays here, too: it may be claimed here, and would
        // not be accepted again.
        if surviving.contains(where: \.isOpening), !left.contains(where: \.isOpening) {
            left.removeAll { write in
                if case .partial = write.action { !sent.contains(where: write.isCopy) } else { false }
            }
        }
        return left
    }
}
