/// Counts the writes that were sent in one direction since the two sides were last in step.
///
/// A side's claims grow by whole batches only, which may be a long way apart. So a person is shown the last transaction
/// of each origin that was seen. This is not a claim: writes come in the order of their arrival at the sender, and a
/// write of an earlier transaction may still follow.
struct WriteTally: Sendable {
    /// The last transaction of each origin.
    private(set) var reached = VersionVector()
    /// How many writes were sent.
    private(set) var count: UInt64 = 0

    /// Counts the writes of one batch; only origins that their sender claims are noted, so that a peer can't add
    /// origins at will.
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

    /// Returns how many transactions of `vector` are neither in `known` nor reached; at least one unless `vector` is
    /// within `known`.
    func count(of vector: VersionVector, beyond known: VersionVector) -> UInt64 {
        guard !vector.isWithin(known) else { return 0 }
        var seen = known
        seen.join(reached)
        return max(1, vector.count(beyond: seen))
    }
}

/// The claims of the two sides of a session; after its end, the changes that wait for the peer are counted from them.
package struct SessionClaims: Equatable, Sendable {
    private let own: VersionVector
    private let peer: VersionVector

    package init(own: VersionVector, peer: VersionVector) { (self.own, self.peer) = (own, peer) }

    /// Returns how many transactions the peer lacks, including those that this device has named since (`named`).
    package func waiting(named: JournalPosition?) -> UInt64 { own.adding(named).count(beyond: peer) }
}

extension VersionVector {
    /// Returns the part of the vector that a device itself has written.
    ///
    /// Only these changes are counted as waiting for a device without a session: its reports about other devices'
    /// writes are out of date.
    package func written(by device: DeviceIdentifier) -> VersionVector {
        VersionVector(sorted.filter { $0.origin.life.isOf(device) }.map { ($0.origin, $0.sequence) })
    }

    /// Returns the vector with everything that a life has named.
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

    /// Returns what each side lacks, including the transactions that this device has named since the last commit
    /// (`named`).
    ///
    /// It counts transactions that one side has and the other does not, some of which may have been overwritten since.
    func backlog(named: JournalPosition?) -> SyncBacklog {
        let own = ownComplete.adding(named)
        return SyncBacklog(
            toSend: sent.count(of: own, beyond: peerHas), toTake: taken.count(of: peerComplete, beyond: own),
            taken: taken.count, isSendingSnapshot: isSendingSnapshot, isTakingSnapshot: isTakingSnapshot)
    }
}
