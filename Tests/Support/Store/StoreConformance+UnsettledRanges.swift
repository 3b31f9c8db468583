import BatonCore

/// Snapshots from a device that has garbage-collected clears and tombstones, while work is left here.
extension StoreConformance {
    package static let unsettledRanges: [StoreCheck] = [
        StoreCheck("a commit that removes a clear reports every record that the clear had ended") { home, _ in
            let scope = Scope.items(app: "a", index: "i")
            let (full, clear) = (Write.told(.told(), at: 1, .full(in: scope)), Write.clear(scope, at: 5))
            let store = try home.open()
            let cleared = try store.commit(
                StoreTransaction(lane: .index, writes: [full, clear], completing: claims(of: [full, clear])))
            var beginning = range([], knowing: [full, clear])
            beginning.range?.through = clear.identity
            let removed = try store.commit(beginning)
            try require(try store.record(clear.identity), is: nil, "the clear")
            let changes = (cleared.changed + removed.changed).filter { $0.identity == full.identity }
            try require(changes.last?.isThere, is: false, "the last report of the cleared record")
        },
        StoreCheck("a range does not bring back a draft whose clear or deletion it removes") { home, _ in
            for isCleared in [true, false] {
                let device = IndexingDevice(1, try home.open())
                let number: UInt64 = isCleared ? 1 : 2
                try device.stage([IndexingDevice.item(number)], in: number)
                try device.end(number, count: 1, state: nil)
                let key = IndexingDevice.key(number)
                let late = HybridTime(value: 1 << 40).value
                let end =
                    isCleared
                    ? Write.clear(IndexingDevice.scope, at: late)
                    : Write.told(key, at: late, by: 2, .deletion)
                _ = try device.store.commit(
                    StoreTransaction(lane: .index, writes: [end], completing: claims(of: [end])))
                var whole = range([], knowing: [end])
                let known = try device.store.summary(for: nil).complete
                whole.range?.known.join(known)
                whole.range?.start.join(known)
                whole.sender?.join(known)
                _ = try device.store.commit(whole)
                while try device.store.settle(most: 1) != nil {}
                try require(
                    try device.store.record(key.identity)?.isThere ?? false, is: false,
                    "whether the item is there, \(isCleared ? "cleared" : "deleted")")
            }
        },
        StoreCheck("a write of a stream that has not ended stays, though another device does not know it") {
            home, _ in
            let (store, peer) = (try home.open(), DeviceIdentifier(high: 7, low: 1))
            let write = Write.told(.told(), at: 5, .full())
            func part(_ writes: [Write], isLast: Bool) -> StoreTransaction {
                var part = StoreTransaction(
                    lane: .index, writes: writes, completing: isLast ? claims(of: writes) : VersionVector())
                part.resume = StoreTransaction.Resume(peer: peer, token: ResumeToken(bytes: [1]))
                (part.sender, part.isPart) = (VersionVector(), !isLast)
                return part
            }
            _ = try store.commit(part([write], isLast: false))
            _ = try store.commit(range([], knowing: []))
            let kept = try store.record(write.identity)
            try require(kept?.fields, is: .told([1: 1]), "the fields")
            try require(kept?.incarnation.life, is: renewing, "the life that wrote the record anew")

            // The stream ends without claiming the next write. Nobody is about to claim that one any more.
            let stray = Write.told(.told(2), at: 6, by: 3, .full())
            _ = try store.commit(part([stray], isLast: false))
            _ = try store.commit(part([], isLast: true))
            let known = try store.summary(for: nil).complete
            var next = range([], knowing: [])
            next.range?.known = known
            next.sender = known
            _ = try store.commit(next)
            try require(try store.record(stray.identity), is: nil, "the write that nobody claims")
        },
    ]

    private static let renewing = Life(high: 6, low: 1)

    private static func claims(of writes: [Write]) -> VersionVector {
        VersionVector(writes.map { ($0.dot.origin, $0.dot.sequence) })
    }

    /// Returns a whole snapshot of a peer that knows these writes, and has collected something later than everything.
    private static func range(_ writes: [Write], knowing known: [Write]) -> StoreTransaction {
        let (known, horizon) = (claims(of: known), HybridTime(value: 1 << 41))
        var transaction = StoreTransaction(lane: .index, writes: writes, completing: VersionVector())
        (transaction.sender, transaction.clock) = (known, horizon)
        transaction.resume = StoreTransaction.Resume(
            peer: DeviceIdentifier(high: 4, low: 1), token: ResumeToken(bytes: [1]))
        transaction.range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: known, dropped: VersionVector(),
            horizon: horizon, start: known)
        transaction.renewingLife = renewing
        return transaction
    }
}
