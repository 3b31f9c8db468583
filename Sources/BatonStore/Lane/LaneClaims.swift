import BatonCore

/// Decides what a lane claims, and up to where everything is claimed.
final class LaneClaims: LanePart {
    /// Claims what the vector covers, too, unless something forbids it; returns whether something other than the
    /// limit of origins did.
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

    /// Notes which lives the claimed ones follow.
    func loadLineage() throws(StoreFailure) {
        // Anybody can write any number of successions of lives that are not claimed; they are not read.
        for (origin, _) in transaction.state.claims.complete.sorted {
            recordSuccession(
                try records.stored(Succession.key(of: origin).identity).flatMap { Succession($0.record) })
        }
    }

    /// Notes which lives a life follows, if it is claimed.
    func recordSuccession(_ succession: Succession?) {
        guard let succession, transaction.state.claims.complete[succession.origin] > 0 else { return }
        transaction.state.claims.lineage.recordOrigin(succession.origin, following: succession.follows)
    }

    /// Looks further, through at most this many writes, up to where everything is claimed by now.
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

    /// Withdraws all claims about what is here, and notes what this store answered for until then.
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

    /// Notes what this store, or the damaged one from which it was rescued, answered for before it gave that up.
    func noteGivenUp(_ answered: VersionVector) throws(StoreFailure) {
        var givenUp = VersionVector()
        givenUp.claim(answered, origins: Limits.vectorOrigins)
        transaction.state.claims.givenUp = givenUp
        try tables.claims.keepGivenUp(givenUp)
    }

    // MARK: Claims of senders

    /// Notes what the sender of writes claims of them, and forgets what is claimed here by now.
    ///
    /// No more origins are noted than can be claimed, so a malicious member can't make them many.
    func notePromises(of arriving: StoreTransaction) throws(StoreFailure) {
        let (before, complete) = (transaction.state.claims.promised, transaction.state.claims.complete)
        transaction.state.claims.promised = before.beyond(complete)
        transaction.state.claims.promised.claim(arriving.promised(beyond: complete))
        try tables.claims.keepPromised(transaction.state.claims.promised, insteadOf: before)
    }

    /// Notes what has come of a stream that has not ended, and forgets it when the stream ends or a snapshot has taken
    /// its place.
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

    /// Forgets what has come of the stream of a peer.
    func endStream(of peer: DeviceIdentifier) throws(StoreFailure) {
        guard transaction.state.claims.openStreams.removeValue(forKey: peer) != nil else { return }
        try tables.claims.keepOpenStream(of: peer, nil)
    }

    /// Returns what this store answers for: what it claims, what it will claim once all snapshots and streams in
    /// progress are complete, what it garbage-collected, and what was all of this before it gave up its claims.
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

    /// Lets the clock follow the writes of a transaction, and notes the first write with a time that no clock shows.
    ///
    /// The write is noted even if the clock follows its time: own writes may be under way with earlier stamps.
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
