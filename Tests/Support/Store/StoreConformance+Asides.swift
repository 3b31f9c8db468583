import BatonCore

/// Quarantined writes, which arrived and can't be read.
extension StoreConformance {
    static let settingAside: [StoreCheck] = [
        StoreCheck("what can't be read is set aside, and nothing from it on is claimed") { home, _ in
            do {
                let store = try home.open()
                let commit = try take(store, [write(1), write(3)], asides: [aside(2)], claiming: 3)
                try require(commit.setAside, is: [aside(2)], "what is set aside")
                try require(commit.isWithheld, "claims are withheld")
                try require(try store.summary().complete, is: claim(1), "what is claimed")
            }
            let store = try home.open()
            try require(try store.asides(), is: [aside(2)], "what is set aside after opening")
            let again = try take(store, [], asides: [aside(2)], claiming: 9)
            try require(again.setAside, is: [], "what is set aside a second time")
            try require(try store.summary().complete, is: claim(1), "what is claimed in the end")
            try require(try read(store, lane).writes, is: [write(1), write(3)], "what is there")
            try require(
                try store.summary(for: peer).resume[lane], is: ResumeToken(bytes: [9]), "where to go on")
        },
        StoreCheck("what is set aside of one origin keeps back nothing of another") { home, _ in
            let (other, both) = (SessionScript.origin(2, lane), SessionScript.origin(3, lane))
            let store = try home.open()
            var first = transaction([], [aside(2)], 5)
            first.completing.extend(other, to: 7)
            _ = try store.commit(first)
            _ = try store.commit(
                StoreTransaction(
                    lane: lane, writes: [], completing: VersionVector([(both, 8 as UInt64)])))
            var claims = claim(1)
            claims.extend(other, to: 7)
            claims.extend(both, to: 8)
            try require(try store.summary().complete, is: claims, "what is claimed")
        },
        StoreCheck("what was set aside and comes after all is claimed again") { home, _ in
            let store = try home.open()
            _ = try take(store, [write(1)], asides: [aside(2), aside(4)], claiming: 4)
            let commit = try take(store, [write(2)], asides: [], claiming: 4)
            try require(commit.resolved, is: [write(2).dot], "what is resolved")
            try require(try store.summary().complete, is: claim(3), "what is claimed")
            try require(try home.open().asides(), is: [aside(4)], "what is left")
        },
        StoreCheck("what was set aside and is overwritten is claimed again") { home, _ in
            let store = try home.open()
            _ = try take(store, [], asides: [aside(2)], claiming: 2)
            // An update does not overwrite it, nor does any write that is not later.
            for time in [1, 2, 3] as [UInt64] {
                let commit = try take(store, [write(10 + time, key: 2, time: time)], asides: [], claiming: 0)
                try require(commit.resolved, is: time == 3 ? [write(2).dot] : [], "what is resolved")
            }
            _ = try take(store, [], asides: [], claiming: 2)
            try require(try store.summary().complete, is: claim(2), "what is claimed")
            // A peer that still has it does not cause it to be quarantined again.
            try require(
                try take(store, [], asides: [aside(3, key: 2, time: 2)], claiming: 3).setAside, is: [], "anew"
            )
            try require(try store.summary().complete, is: claim(3), "what is claimed then")
        },
        StoreCheck("what is here or claimed is not set aside, whoever can't say it") { home, _ in
            let store = try home.open()
            _ = try take(store, [write(1)], asides: [], claiming: 1)
            _ = try take(store, [write(3)], asides: [], claiming: 0)
            let commit = try take(store, [], asides: [aside(1), aside(3)], claiming: 3)
            try require(commit.setAside, is: [], "what is set aside")
            try require(try store.summary().complete, is: claim(3), "what is claimed")
        },
        StoreCheck("a transaction that fails sets nothing aside") { home, _ in
            let store = try home.open()
            do throws(StoreFailure) {
                try store.group { () throws(StoreFailure) in
                    _ = try store.commit(transaction([write(1)], [aside(2)], 2))
                    throw StoreFailure(.failed, "on purpose")
                }
            } catch {
                try require(error.text == "on purpose", "\(error)")
            }
            try require(try store.asides(), is: [], "what is set aside")
            _ = try take(store, [write(1), write(2)], asides: [], claiming: 2)
            try require(try store.summary().complete, is: claim(2), "what is claimed")
        },
        StoreCheck("a snapshot does not claim what can't be read, nor remove it where it is") { home, _ in
            let store = try home.open()
            _ = try take(store, [write(3)], asides: [], claiming: 0)
            var snapshot = transaction([write(1)], [aside(2), aside(3)], 0)
            snapshot.range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: claim(4), dropped: VersionVector(),
                horizon: .zero, start: claim(4))
            let commit = try store.commit(snapshot)
            try require(commit.isWithheld, "claims are withheld")
            try require(commit.setAside, is: [aside(2)], "what is set aside")
            try require(try store.summary().complete, is: claim(1), "what is claimed")
            try require(try read(store, lane).writes.contains(write(3)), "what is here stays")
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

    private static func aside(_ sequence: UInt64, key: UInt64? = nil, time: UInt64? = nil) -> QuarantinedWrite
    {
        let write = write(sequence, key: key, time: time)
        return QuarantinedWrite(
            dot: write.dot,
            target: QuarantinedWrite.Target(identity: write.identity, incarnation: write.stamp),
            reason: "on purpose", peer: peer)
    }

    private static func transaction(_ writes: [Write], _ asides: [QuarantinedWrite], _ sequence: UInt64)
        -> StoreTransaction
    {
        var transaction = StoreTransaction(
            lane: lane, writes: writes, completing: claim(sequence),
            resume: StoreTransaction.Resume(peer: peer, token: ResumeToken(bytes: [UInt8(sequence)])))
        transaction.asides = asides
        return transaction
    }

    private static func take(
        _ store: any AccountStore, _ writes: [Write], asides: [QuarantinedWrite], claiming sequence: UInt64
    ) throws(StoreFailure) -> StoreCommit {
        try store.commit(transaction(writes, asides, sequence))
    }
}
