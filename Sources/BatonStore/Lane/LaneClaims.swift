import BatonCore

/// Decides what a lane claims, and up to which place in the order of arrival everything is claimed.
final class LaneClaims: LanePart {
    /// Claims what the vector covers, except what may not be claimed; returns true if something other than the limit of
    /// origins prevented a claim.
    @discardableResult
    func claim(_ vector: VersionVector) throws(StoreFailure) -> Bool {
        let before = transaction.state.claims.complete
        var (complete, lineage) = (before, transaction.state.claims.lineage)
        let claimable = transaction.state.quarantine.claimable(of: vector)
        try lineage.claim(claimable, in: &complete) { (origin) throws(StoreFailure) in
            try records.stored(Succession.key(of: origin).identity).flatMap { Succession($0.record) }?.follows
                ?? []
        }
        (transaction.state.claims.complete, transaction.state.claims.lineage) = (complete, lineage)
        try tables.claims.keep(complete.beyond(before))
        return !vector.isWithin(complete) && complete.count < Limits.laneOrigins
    }

    /// Loads the successions of the claimed lives.
    func loadLineage() throws(StoreFailure) {
        // Successions of lives that are not claimed are not read, because a peer can write any number of them.
        for (origin, _) in transaction.state.claims.complete.sorted {
            recordSuccession(
                try records.stored(Succession.key(of: origin).identity).flatMap { Succession($0.record) })
        }
    }

    /// Records the succession of a life, if the life is claimed.
    func recordSuccession(_ succession: Succession?) {
        guard let succession, transaction.state.claims.complete[succession.origin] > 0 else { return }
        transaction.state.claims.lineage.recordOrigin(succession.origin, following: succession.follows)
    }

    /// Advances the settled place past writes that are claimed by now, looking at `most` writes or fewer; returns the
    /// place.
    @discardableResult
    func findSettled(most: Int = .max) throws(StoreFailure) -> Arrival {
        let claims = transaction.state.claims
        let recent = transaction.state.recent.writes(after: claims.settled, upTo: transaction.state.head)
        if let recent, recent.allSatisfy({ claims.complete.covers($0.write.dot) }) {
            transaction.state.claims.settled = transaction.state.head
            return transaction.state.head
        }
        let place = try tables.writes.settled(
            by: claims.complete, after: claims.settled, upTo: transaction.state.head,
            lastFurther: transaction.state.lastFurther, most: most)
        transaction.state.claims.settled = max(claims.settled, place)
        return transaction.state.claims.settled
    }

    /// Withdraws all claims of this lane, and stores what it answered for until then (`answered()`).
    func giveUp(answeringFor answered: VersionVector) throws(StoreFailure) {
        let before = transaction.state.claims
        for table in ["complete", "dropped", "reports", "snapshots", "peers", "shown_states"] {
            try tables.rows.removeAll(from: table)
        }
        transaction.state.claims = LaneState.Claims()
        transaction.state.claims.abandoned = before.abandoned.union(before.complete.sorted.map(\.origin.life))
        transaction.state.claims.renamed = before.renamed
        try noteGivenUp(answered)
        transaction.state.tombstones.dropped = VersionVector()
        transaction.state.tombstones.reports = Reports()
        try tables.claims.keepPromised(VersionVector(), insteadOf: before.promised)
        for peer in before.openStreams.keys.sorted() { try tables.claims.keepOpenStream(of: peer, nil) }
    }

    /// Stores what this store, or the damaged store from which it was rescued, answered for before it gave up its
    /// claims.
    func noteGivenUp(_ answered: VersionVector) throws(StoreFailure) {
        var givenUp = VersionVector()
        givenUp.claim(answered, origins: Limits.vectorOrigins)
        transaction.state.claims.givenUp = givenUp
        try tables.claims.keepGivenUp(givenUp)
    }

    // MARK: Claims of senders

    /// Stores what the sender of writes claims of them, and forgets senders' claims that this store now makes itself.
    ///
    /// It stores no more origins than can be claimed, so a malicious member can't make it store many.
    func notePromises(of arriving: StoreTransaction) throws(StoreFailure) {
        let (before, complete) = (transaction.state.claims.promised, transaction.state.claims.complete)
        transaction.state.claims.promised = before.beyond(complete)
        transaction.state.claims.promised.claim(arriving.promised(beyond: complete))
        try tables.claims.keepPromised(transaction.state.claims.promised, insteadOf: before)
    }

    /// Stores which writes of an unfinished stream have arrived, and forgets them when the stream ends or a snapshot
    /// replaces it.
    func noteStream(_ arriving: StoreTransaction) throws(StoreFailure) {
        guard let peer = arriving.resume?.peer, !arriving.isAhead, arriving.range?.through == nil else {
            return
        }
        guard let part = arriving.partOfStream else { return try endStream(of: peer) }
        var stream = transaction.state.claims.openStreams[peer] ?? VersionVector()
        let before = stream
        stream.claim(part.beyond(transaction.state.claims.complete))
        guard stream != before else { return }
        transaction.state.claims.openStreams[peer] = stream
        try tables.claims.keepOpenStream(of: peer, stream)
    }

    /// Forgets which writes of a peer's stream have arrived.
    func endStream(of peer: DeviceIdentifier) throws(StoreFailure) {
        guard transaction.state.claims.openStreams.removeValue(forKey: peer) != nil else { return }
        try tables.claims.keepOpenStream(of: peer, nil)
    }

    /// Returns what this store answers for: what it claims, what it will claim once all snapshots and streams in
    /// progress are complete, what it garbage-collected, and what it answered for before it gave up its claims.
    func answered() throws(StoreFailure) -> VersionVector {
        var answered = try expected()
        answered.join(transaction.state.tombstones.dropped)
        answered.join(transaction.state.claims.givenUp)
        return answered
    }

    /// Returns what will be claimed once all snapshots and streams in progress are complete.
    func expected() throws(StoreFailure) -> VersionVector {
        var expected = transaction.state.claims.complete
        expected.join(transaction.state.claims.promised)
        for stream in transaction.state.claims.openStreams.values { expected.join(stream) }
        expected.join(try tables.peers.snapshotStarts())
        return expected
    }

    // MARK: Time

    /// Advances the clock with the writes of a transaction, and notes the first arrival of a write with an unbelieved
    /// time.
    ///
    /// This is noted even if the clock follows the time, because own writes with earlier stamps may be under way.
    func follow(_ arriving: StoreTransaction) throws(StoreFailure) {
        let clock = transaction.state.clock
        transaction.state.clock =
            arriving.isNamedHere ? max(clock, arriving.clock) : clock.following(arriving.clock)
        guard !transaction.state.hasUnbelievedTime, arriving.writes.contains(where: \.hasUnbelievedTime)
        else { return }
        transaction.state.hasUnbelievedTime = true
        try tables.notes.keepUnbelievedTime()
    }
}
