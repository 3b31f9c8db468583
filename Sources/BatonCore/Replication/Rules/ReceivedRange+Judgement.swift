/// Judges writes in doubt.
///
/// A write is in doubt if a deletion or clear may have ended it that was garbage-collected, so that no device can tell
/// any more.
///
/// A device that has a deletion makes its later writes with later stamps. So a write can be in doubt only if its author
/// did not have the deletion, for example because it was restored from a backup or was new. An update is in doubt only
/// together with the full write that it changes.
extension Write {
    /// Whether a garbage-collected deletion or clear may have ended this write.
    ///
    /// No garbage-collected deletion or clear is later than the horizon.
    ///
    /// The record of a device is never in doubt, because nothing deletes it. It also could not be renewed, because the
    /// device's signature covers the stamp.
    package func isInDoubt(at horizon: HybridTime) -> Bool {
        guard identity.kind.isDeletable else { return false }
        return switch action {
        case .full: stamp.time <= horizon
        case .count(let begun, _): begun.time <= horizon
        case .deletion, .partial: false
        }
    }

    /// Whether this write of a range is merged although it was claimed long ago.
    ///
    /// This is necessary if a later write of its record was in doubt and was removed.
    ///
    /// A removed checkpoint is always replaced, whoever sends the range. Any other record is replaced only if the
    /// sender knows everything that the store answers for. Otherwise, the range could bring back a write that was ended
    /// here.
    package func takesPlace(ofRemoved removed: Set<RecordIdentity>, isAllKnown: Bool) -> Bool {
        (identity.kind.isCheckpoint || isAllKnown) && removed.contains(identity)
    }

    /// Whether both are the same write.
    ///
    /// One of them may have been adopted, and then has another dot.
    fileprivate func isCopy(of other: Write) -> Bool {
        guard stamp == other.stamp else { return false }
        switch (action, other.action) {
        case (.partial(let base, _), .partial(let other, _)): return base == other
        case (.count(let begun, let content), .count(let other, let others)):
            return begun == other && content.scope == others.scope
        default: return isOpening && other.isOpening
        }
    }

    /// Whether the other write is this write, or a later value of the same counter.
    fileprivate func isKnown(from other: Write) -> Bool {
        if case .count(let begun, _) = action, case .count(let beginning, _) = other.action {
            return begun == beginning
        }
        return isCopy(of: other)
    }
}

extension ReceivedRange {
    /// Whether a stored write is in doubt and the peer neither knows it nor sent it.
    package func isInDoubt(_ write: Write, sent: [Write]) -> Bool {
        !known.covers(write.dot) && write.isInDoubt(at: horizon) && !sent.contains(where: write.isKnown)
    }

    /// Whether the peer knows everything that the receiving store answers for.
    ///
    /// This includes what the store claims, what it will claim when a snapshot or stream ends, and what it
    /// garbage-collected. It also includes all of this from before the store gave up its claims.
    ///
    /// In that case, the peer has every write that a write of the store may have overwritten, or knows that the
    /// overwritten write was ended.
    package func knowsAll(_ answered: VersionVector) -> Bool { answered.isWithin(known) }

    /// Whether a quarantined write can be forgotten because the peer knows it and no longer has it.
    ///
    /// On the peer, the write was overwritten or deleted, or it is a deletion that was garbage-collected. Statements of
    /// the roster and records of devices are never deleted. So a peer that lacks one of them is not believed.
    package func resolves(_ write: QuarantinedWrite, sent: [QuarantinedWrite]) -> Bool {
        guard let identity = write.identity, judges(identity), !identity.kind.isSigned else { return false }
        return known.covers(write.dot) && !sent.contains { $0.dot == write.dot }
    }
}

extension StoreTransaction {
    /// Returns the vector of the writes that the sender claims and the store does not claim yet.
    ///
    /// The sender does not send these writes again. The store claims them with a later whole batch. Until then, the
    /// store notes that it will claim them.
    package func promised(beyond complete: VersionVector) -> VersionVector {
        guard let sender else { return VersionVector() }
        return VersionVector(
            writes.lazy.map(\.dot).filter { !complete.covers($0) && sender.covers($0) }
                .map { ($0.origin, $0.sequence) })
    }

    /// The vector of the writes, if they are a part of a stream; otherwise nil.
    ///
    /// The end of the stream claims these writes, even if they are overwritten here before that.
    package var partOfStream: VersionVector? {
        guard isPart else { return nil }
        return VersionVector(writes.map { ($0.dot.origin, $0.dot.sequence) })
    }

    /// Throws if the peer lacks deletions that were garbage-collected here, unless the writes belong to a snapshot.
    package func demandSound(isPeerSetBack: Bool) throws(StoreFailure) {
        guard isPeerSetBack, range == nil, !isAhead else { return }
        throw StoreFailure(
            .peerSetBack,
            "deletions that were garbage-collected here may cover what you send; take a snapshot first")
    }

    /// Whether a write that survives the merge must get a new dot and a new stamp.
    ///
    /// `sent` are the peer's writes of this record. `arrived` are the writes from a peer that lacks deletions that were
    /// garbage-collected here, up to `horizon`.
    package func mustRenew(_ write: Write, sent: [Write], arrived: [Write], horizon: HybridTime) -> Bool {
        if let range, range.judges(write.identity), range.isInDoubt(write, sent: sent) { return true }
        return write.isInDoubt(at: horizon) && arrived.contains { $0.isSame(as: write) }
    }
}

extension Record {
    /// Returns the writes of this record that are kept when a peer's range arrives; nil if all are kept.
    ///
    /// `sent` are the range's writes of this record.
    ///
    /// - If the peer knows a write and does not have it, the write was overwritten or deleted. So it is removed. There
    ///   is one exception: an update is kept if its full write is renewed, because the renewed write includes the
    ///   update.
    /// - Statements of the roster and records of devices are kept. Nothing deletes them, and the range contains the
    ///   writes that overwrote them. Otherwise, a malicious member could take back a revocation or a device's last
    ///   record.
    /// - A write in doubt is kept and will be renewed, if this device wrote it in any of its lives. It is also kept if
    ///   the peer does not know everything that this store answers for. In that case, the write may belong to that, or
    ///   may have overwritten something that does. If it were removed, this store would claim something that is lost.
    /// - Any other write in doubt is removed. Its author lost the write before reporting it as stored, and the range
    ///   brings back the writes that it had overwritten.
    /// - A write is kept if the peer sent it in a form that can't be read here. Another device may have sent it in a
    ///   readable form.
    /// - A checkpoint in doubt is always removed, because it may cover items that were deleted.
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
        // An update is removed together with the incarnation that it changes. There is one exception. The peer may have
        // an update without the incarnation, because the incarnation was garbage-collected there. Then the update is
        // kept here, too. It may be claimed here, and would not be accepted again.
        if surviving.contains(where: \.isOpening), !left.contains(where: \.isOpening) {
            left.removeAll { write in
                if case .partial = write.action { !sent.contains(where: write.isCopy) } else { false }
            }
        }
        return left
    }
}
