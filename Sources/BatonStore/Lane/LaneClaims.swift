import BatonCore

/// Decides which transactions a lane claims.
///
/// It also finds the place in the order of arrival up to which all writes are claimed.
final class LaneClaims: LanePart {
    /// Claims the transactions that the vector covers, except those that may not be claimed.
    ///
    /// Returns true if something was not claimed for a reason other than the limit of origins.
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

    /// Moves the settled place forward past the writes that are claimed by now, and returns the new place.
    ///
    /// Looks at no more than `most` writes.
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

    /// Withdraws all claims of this lane, and stores the vector that the lane answered for until then (`answered()`).
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

    /// Stores the vector that this store answered for before it gave up its claims.
    ///
    /// If this store was rescued from a damaged one, the vector is that of the damaged store.
    func noteGivenUp(_ answered: VersionVector) throws(StoreFailure) {
        var givenUp = VersionVector()
        givenUp.claim(answered, origins: Limits.vectorOrigins)
        transaction.state.claims.givenUp = givenUp
        try tables.claims.keepGivenUp(givenUp)
    }

    // MARK: Claims of senders

    /// Stores which of the arriving writes their sender claims.
    ///
    /// Earlier claims of senders are removed if this store now claims the same writes.
    ///
    /// The number of stored origins is limited to the number that can be claimed. Otherwise, a malicious member could
    /// make this store keep any number.
    func notePromises(of arriving: StoreTransaction) throws(StoreFailure) {
        let (before, complete) = (transaction.state.claims.promised, transaction.state.claims.complete)
        transaction.state.claims.promised = before.beyond(complete)
        transaction.state.claims.promised.claim(arriving.promised(beyond: complete))
        try tables.claims.keepPromised(transaction.state.claims.promised, insteadOf: before)
    }

    /// Stores which writes of an unfinished stream have arrived.
    ///
    /// This is forgotten when the stream ends or a snapshot replaces the stream.
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

    /// Returns the vector of all writes that this store answers for.
    ///
    /// These are the writes that the store claims, those that it will claim once all snapshots and streams in progress
    /// are complete, those that it garbage-collected, and those that it answered for before it gave up its claims.
    func answered() throws(StoreFailure) -> VersionVector {
        var answered = try expected()
        answered.join(transaction.state.tombstones.dropped)
        answered.join(transaction.state.claims.givenUp)
        return answered
    }

    /// Returns what this lane will claim once all snapshots and streams in progress are complete.
    func expected() throws(StoreFailure) -> VersionVector {
        var expected = transaction.state.claims.complete
        expected.join(transaction.state.claims.promised)
        for stream in transaction.state.claims.openStreams.values { expected.join(stream) }
        expected.join(try tables.peers.snapshotStarts())
        return expected
    }

    // MARK: Time

    /// Advances the clock with the writes of a transaction.
    ///
    /// Also stores that a write with an unbelieved time has arrived, when the first one does.
    ///
    /// This is stored even if the clock follows that time, because own writes with earlier stamps may still be on their
    /// way to the store.
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
