import BatonCore

/// Snapshots of several peers that are under way in one lane.
extension StoreConformance {
    static let twoSnapshots: [StoreCheck] = [
        StoreCheck(
            "a write that one peer's snapshot has brought and will claim is no stray to another's snapshot"
        ) {
            home, _ in
            let write = Write.told(.told(2), at: 10, by: 4, .full())
            let life = Life(high: 6, low: 1)
            do {
                let store = try home.open()
                let last = RecordKey.told(3).identity
                _ = try store.commit(
                    range([write], of: peers[0], through: max(write.identity, last), knowing: claim(4, 10)))
            }
            // Nothing of it is claimed before the end of that snapshot; the other peer collected something later.
            let store = try home.open()
            var other = range([], of: peers[1], through: nil, knowing: claim(1, 30), droppedAt: 30)
            other.renewingLife = life
            _ = try store.commit(other)
            try require(
                try store.record(write.identity)?.isThere, is: true, "what the first snapshot brought")
            try require(
                try store.record(write.identity)?.incarnation.life, is: life, "who wrote it anew")
            var end = range([], of: peers[0], through: nil, knowing: claim(4, 10))
            end.range?.after = max(write.identity, RecordKey.told(3).identity)
            _ = try store.commit(end)
            try require(try store.summary().complete[write.dot.origin], is: 10, "the claims at its end")
            try require(try store.record(write.identity)?.isThere, is: true, "what is there of it then")
        },
        StoreCheck("a write that its peer claims and has sent is no stray to a snapshot") {
            home, _ in
            let write = Write.told(.told(2), at: 10, by: 4, .full())
            let life = Life(high: 6, low: 1)
            do {
                // A batch that is not whole: the peer sends it once, and claims it with a later one.
                let store = try home.open()
                var part = StoreTransaction(lane: .index, writes: [write], completing: VersionVector())
                part.sender = claim(4, 10)
                _ = try store.commit(part)
            }
            let store = try home.open()
            var other = range([], of: peers[1], through: nil, knowing: claim(1, 30), droppedAt: 30)
            other.renewingLife = life
            _ = try store.commit(other)
            try require(
                try store.record(write.identity)?.incarnation.life, is: life, "who wrote it anew")
            var whole = StoreTransaction(lane: .index, writes: [], completing: claim(4, 10))
            whole.sender = claim(4, 10)
            whole.sender?.join(claim(1, 30))
            _ = try store.commit(whole)
            try require(try store.summary().complete[write.dot.origin], is: 10, "the claims in the end")
            try require(try store.record(write.identity)?.isThere, is: true, "what is there of it then")
        },
        StoreCheck("a write that its peer has sent and does not claim is a stray") { home, _ in
            let store = try home.open()
            let write = Write.told(.told(2), at: 10, by: 4, .full())
            var part = StoreTransaction(lane: .index, writes: [write], completing: VersionVector())
            part.sender = claim(4, 9)
            _ = try store.commit(part)
            var other = range([], of: peers[1], through: nil, knowing: claim(1, 30), droppedAt: 30)
            other.renewingLife = Life(high: 6, low: 1)
            _ = try store.commit(other)
            try require(try store.record(write.identity), is: nil, "what nobody answers for")
        },
        StoreCheck("a write that no current snapshot will claim is a stray, and is removed when in doubt") {
            home, _ in
            let store = try home.open()
            let write = Write.told(.told(2), at: 10, by: 4, .full())
            // It arrived after that snapshot began, and comes once more behind its end.
            _ = try store.commit(
                range(
                    [write], of: peers[0], through: max(write.identity, RecordKey.told(3).identity),
                    knowing: claim(4, 9)))
            var known = claim(1, 30)
            known.join(claim(4, 9))
            var other = range([], of: peers[1], through: nil, knowing: known, droppedAt: 30)
            other.renewingLife = Life(high: 6, low: 1)
            _ = try store.commit(other)
            try require(try store.record(write.identity), is: nil, "what nobody answers for")
        },
    ]

    private static let peers = [DeviceIdentifier(high: 4, low: 1), DeviceIdentifier(high: 4, low: 2)]

    private static func claim(_ life: UInt64, _ sequence: UInt64) -> VersionVector {
        VersionVector([(Origin(life: Life(high: 1, low: life), lane: .index), sequence)])
    }

    /// Returns a part of a snapshot from its beginning on, of a peer that collected everything that it knows up to a
    /// time, or nothing.
    private static func range(
        _ writes: [Write], of peer: DeviceIdentifier, through: RecordIdentity?, knowing known: VersionVector,
        droppedAt horizon: UInt64 = 0
    ) -> StoreTransaction {
        var transaction = StoreTransaction(lane: .index, writes: writes, completing: VersionVector())
        (transaction.sender, transaction.clock) = (known, HybridTime(value: horizon))
        transaction.resume = StoreTransaction.Resume(peer: peer, token: ResumeToken(bytes: [1]))
        transaction.range = ReceivedRange(
            after: nil, through: through, isEndAhead: false, known: known,
            dropped: horizon > 0 ? known : VersionVector(), horizon: HybridTime(value: horizon), start: known)
        return transaction
    }
}
