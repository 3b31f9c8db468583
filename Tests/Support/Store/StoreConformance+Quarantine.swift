import BatonCore

/// Quarantined writes, which arrived and can't be read.
extension StoreConformance {
    static let quarantine: [StoreCheck] = [
        StoreCheck("an unreadable write is quarantined, and later writes of its origin are not claimed") {
            home, _ in
            do {
                let store = try home.open()
                let commit = try take(store, [write(1), write(3)], quarantined: [unreadable(2)], claiming: 3)
                try require(commit.quarantined, is: [unreadable(2)], "the quarantined writes")
                try require(commit.isWithheld, "claims are withheld")
                try require(try store.summary().complete, is: claim(1), "the claims")
            }
            let store = try home.open()
            try require(try store.quarantined(), is: [unreadable(2)], "the quarantined writes after opening")
            let again = try take(store, [], quarantined: [unreadable(2)], claiming: 9)
            try require(again.quarantined, is: [], "the writes quarantined a second time")
            try require(try store.summary().complete, is: claim(1), "the claims in the end")
            try require(try read(store, lane).writes, is: [write(1), write(3)], "the stored writes")
            try require(
                try store.summary(for: peer).resume[lane], is: ResumeToken(bytes: [9]), "the resume position")
        },
        StoreCheck("a quarantined write of one origin holds back no claims of another") { home, _ in
            let (other, both) = (SessionScript.origin(2, lane), SessionScript.origin(3, lane))
            let store = try home.open()
            var first = transaction([], [unreadable(2)], 5)
            first.completing.extend(other, to: 7)
            _ = try store.commit(first)
            _ = try store.commit(
                StoreTransaction(
                    lane: lane, writes: [], completing: VersionVector([(both, 8 as UInt64)])))
            var claims = claim(1)
            claims.extend(other, to: 7)
            claims.extend(both, to: 8)
            try require(try store.summary().complete, is: claims, "the claims")
        },
        StoreCheck("a quarantined write that arrives in readable form is claimed again") { home, _ in
            let store = try home.open()
            _ = try take(store, [write(1)], quarantined: [unreadable(2), unreadable(4)], claiming: 4)
            let commit = try take(store, [write(2)], quarantined: [], claiming: 4)
            try require(commit.resolved, is: [write(2).dot], "the writes resolved from quarantine")
            try require(try store.summary().complete, is: claim(3), "the claims")
            try require(try home.open().quarantined(), is: [unreadable(4)], "the rest")
        },
        StoreCheck("a quarantined write that is overwritten is claimed again") { home, _ in
            let store = try home.open()
            _ = try take(store, [], quarantined: [unreadable(2)], claiming: 2)
            // An update does not overwrite it, nor does any write that is not later.
            for time in [1, 2, 3] as [UInt64] {
                let commit = try take(
                    store, [write(10 + time, key: 2, time: time)], quarantined: [], claiming: 0)
                try require(
                    commit.resolved, is: time == 3 ? [write(2).dot] : [],
                    "the writes resolved from quarantine")
            }
            _ = try take(store, [], quarantined: [], claiming: 2)
            try require(try store.summary().complete, is: claim(2), "the claims")
            // A peer that still has it does not cause it to be quarantined again.
            try require(
                try take(store, [], quarantined: [unreadable(3, key: 2, time: 2)], claiming: 3).quarantined,
                is: [], "anew"
            )
            try require(try store.summary().complete, is: claim(3), "the claims then")
        },
        StoreCheck("a write that is stored or claimed is not quarantined") { home, _ in
            let store = try home.open()
            _ = try take(store, [write(1)], quarantined: [], claiming: 1)
            _ = try take(store, [write(3)], quarantined: [], claiming: 0)
            let commit = try take(store, [], quarantined: [unreadable(1), unreadable(3)], claiming: 3)
            try require(commit.quarantined, is: [], "the quarantined writes")
            try require(try store.summary().complete, is: claim(3), "the claims")
        },
        StoreCheck("a failed transaction quarantines nothing") { home, _ in
            let store = try home.open()
            do throws(StoreFailure) {
                try store.group { () throws(StoreFailure) in
                    _ = try store.commit(transaction([write(1)], [unreadable(2)], 2))
                    throw StoreFailure(.failed, "on purpose")
                }
            } catch {
                try require(error.text == "on purpose", "\(error)")
            }
            try require(try store.quarantined(), is: [], "the quarantined writes")
            _ = try take(store, [write(1), write(2)], quarantined: [], claiming: 2)
            try require(try store.summary().complete, is: claim(2), "the claims")
        },
        StoreCheck("a snapshot does not claim unreadable writes, and does not remove readable copies of them")
        { home, _ in
            let store = try home.open()
            _ = try take(store, [write(3)], quarantined: [], claiming: 0)
            var snapshot = transaction([write(1)], [unreadable(2), unreadable(3)], 0)
            snapshot.range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: claim(4), dropped: VersionVector(),
                horizon: .zero, start: claim(4))
            let commit = try store.commit(snapshot)
            try require(commit.isWithheld, "claims are withheld")
            try require(commit.quarantined, is: [unreadable(2)], "the quarantined writes")
            try require(try store.summary().complete, is: claim(1), "the claims")
            try require(try read(store, lane).writes.contains(write(3)), "a stored write is missing")
        },
        StoreCheck("a snapshot ends the quarantine of a write that its sender knows and has no longer") {
            home, _ in
            let store = try home.open()
            _ = try take(store, [write(1)], quarantined: [unreadable(2), unreadable(4)], claiming: 4)
            try require(try store.summary().complete, is: claim(1), "the claims before")
            // Nobody deletes what a device says of itself, so that a peer that lacks it proves nothing.
            let device = Device.key(peer).identity
            let permanent = QuarantinedWrite(
                dot: Dot(origin: SessionScript.origin(2, lane), sequence: 1), of: device, target: nil,
                reason: "on purpose", peer: peer)
            _ = try take(store, [], quarantined: [permanent], claiming: 0)
            var snapshot = transaction([write(1), write(3)], [], 0)
            var known = claim(3)
            known.extend(permanent.dot.origin, to: 1)
            snapshot.range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: known,
                dropped: claim(2), horizon: HybridTime(value: 2), start: claim(3))
            let commit = try store.commit(snapshot)
            try require(commit.resolved, is: [write(2).dot], "the writes resolved from quarantine")
            try require(try store.quarantined(), is: [unreadable(4), permanent], "the rest")
            try require(try store.summary().complete, is: claim(3), "the claims")
        },
    ]

    private static let lane = Lane.index
    private static let peer = DeviceIdentifier(high: 6, low: 6)

    private static func claim(_ sequence: UInt64) -> VersionVector {
        VersionVector([(SessionScript.origin(1, lane), sequence)])
    }

    /// Returns a full write, by default of the record and the time of its sequence.
    private static func write(_ sequence: UInt64, key: UInt64? = nil, time: UInt64? = nil) -> Write {
        let origin = SessionScript.origin(1, lane)
        return Write(
            dot: Dot(origin: origin, sequence: sequence), key: SessionScript.key(key ?? sequence, lane),
            stamp: Stamp(time: HybridTime(value: time ?? sequence), life: origin.life),
            action: .full(Write.Content(fields: Fields())))
    }

    private static func unreadable(_ sequence: UInt64, key: UInt64? = nil, time: UInt64? = nil)
        -> QuarantinedWrite
    {
        let write = write(sequence, key: key, time: time)
        return QuarantinedWrite(
            dot: write.dot,
            target: QuarantinedWrite.Target(identity: write.identity, incarnation: write.stamp),
            reason: "on purpose", peer: peer)
    }

    private static func transaction(_ writes: [Write], _ quarantined: [QuarantinedWrite], _ sequence: UInt64)
        -> StoreTransaction
    {
        var transaction = StoreTransaction(
            lane: lane, writes: writes, completing: claim(sequence),
            resume: StoreTransaction.Resume(peer: peer, token: ResumeToken(bytes: [UInt8(sequence)])))
        transaction.quarantined = quarantined
        return transaction
    }

    private static func take(
        _ store: any AccountStore, _ writes: [Write], quarantined: [QuarantinedWrite],
        claiming sequence: UInt64
    ) throws(StoreFailure) -> StoreCommit {
        try store.commit(transaction(writes, quarantined, sequence))
    }
}
