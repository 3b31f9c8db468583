/// Counts the writes that were sent in one direction since the two sides were last in step.
///
/// The claims of a side grow only by whole batches, and there may be a long time between these. So the progress that a
/// person sees is computed from the last transaction of each origin that was seen. This is not a claim. Writes are sent
/// in the order in which they arrived at the sender, and a write of an earlier transaction may still follow.
struct WriteTally: Sendable {
    /// The last transaction that was seen, for each origin.
    private(set) var reached = VersionVector()
    /// The number of writes that were sent.
    private(set) var count: UInt64 = 0

    /// Counts the writes of one batch.
    ///
    /// An origin is noted only if the sender claims it, so that a peer can't add any number of origins.
    mutating func recordWrites(_ writes: [Write], among claimed: VersionVector) {
        count += UInt64(writes.count)
        for write in writes where claimed[write.dot.origin] > 0 {
            reached.extend(write.dot.origin, to: write.dot.sequence)
        }
    }

    /// Adds the counts of another tally.
    mutating func add(_ other: Self) {
        count += other.count
        reached.join(other.reached)
    }

    /// Returns the number of transactions of `vector` that are neither in `known` nor seen.
    ///
    /// It is at least one, unless `vector` is within `known`.
    func count(of vector: VersionVector, beyond known: VersionVector) -> UInt64 {
        guard !vector.isWithin(known) else { return 0 }
        var seen = known
        seen.join(reached)
        return max(1, vector.count(beyond: seen))
    }
}

/// The claims of the two sides of a session.
///
/// After the session's end, they serve to count the changes that wait for the peer.
package struct SessionClaims: Equatable, Sendable {
    private let own: VersionVector
    private let peer: VersionVector

    package init(own: VersionVector, peer: VersionVector) { (self.own, self.peer) = (own, peer) }

    /// Returns the number of transactions that the peer lacks.
    ///
    /// `named` adds the transactions that this device has named since.
    package func waiting(named: JournalPosition?) -> UInt64 { own.adding(named).count(beyond: peer) }
}

extension VersionVector {
    /// Returns the part of the vector whose transactions a device has written itself.
    ///
    /// For a device without a session, only these changes are counted as waiting. Its known reports about other
    /// devices' writes may be out of date.
    package func written(by device: DeviceIdentifier) -> VersionVector {
        VersionVector(sorted.filter { $0.origin.life.isOf(device) }.map { ($0.origin, $0.sequence) })
    }

    /// Returns the vector with all transactions added that a life has named.
    fileprivate func adding(_ named: JournalPosition?) -> VersionVector {
        var sum = self
        guard let named else { return sum }
        for (lane, sequence) in named.sequences {
            sum.extend(Origin(life: named.life, lane: lane), to: sequence)
        }
        return sum
    }
}

extension Exchange {
    /// The current claims of both sides, as far as they are known here.
    var claims: SessionClaims {
        var peer = peerHas
        peer.join(sent.reached)
        return SessionClaims(own: ownComplete, peer: peer)
    }

    /// Returns the numbers of transactions that each side lacks.
    ///
    /// `named` adds the transactions that this device has named since the last commit.
    ///
    /// A transaction is counted if one side has it and the other does not, even if it was overwritten since.
    func backlog(named: JournalPosition?) -> SyncBacklog {
        let own = ownComplete.adding(named)
        return SyncBacklog(
            toSend: sent.count(of: own, beyond: peerHas), toTake: taken.count(of: peerComplete, beyond: own),
            taken: taken.count, isSendingSnapshot: isSendingSnapshot, isTakingSnapshot: isTakingSnapshot)
    }
}
