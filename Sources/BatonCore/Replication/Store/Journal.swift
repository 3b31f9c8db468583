/// Names a device's own writes: it gives each write a dot, which is never used twice, and a stamp that is later than
/// all stamps seen so far.
///
/// A life is named by random bytes. A new life begins whenever the journal is opened and can't prove that it continues
/// where the last life ended. So no dot is used twice, even after a loss of power or a restored backup. A life that
/// makes no write leaves no trace.
///
/// Within each lane, writes are stored in the order in which they are named. Across lanes, this is not so: a write of
/// one lane may be stored while an earlier write of the other lane is not stored, and never will be. That does no harm.
/// Claims, reports, the covered transactions of client states, and garbage collection each concern one lane, and stamps
/// are compared only within a record.
///
/// Commands: `transaction(…)`, `ending(…)`, `adoption(of:in:)`, `witness(_:)`, `beginLife(_:)`. Queries: `life`,
/// `clock`, `names`.
package struct Journal: Sendable {
    package private(set) var life: Life
    package private(set) var clock: HybridClock
    private var sequences: [Lane: UInt64] = [:]
    /// Signs the record of this device and marks its activities; nil if signatures are not checked.
    package var signer: (any DeviceSigner)?

    /// Opens the journal with a life that was never used before, or continues a life after its last transactions.
    ///
    /// `sequences` are the numbers of the last transactions.
    package init(
        life: Life, latest: HybridTime, after sequences: [Lane: UInt64] = [:],
        signer: (any DeviceSigner)? = nil
    ) {
        (self.life, clock, self.sequences) = (life, HybridClock(latest: latest), sequences)
        self.signer = signer
    }

    /// The last transactions that the current life has named.
    package var names: JournalPosition { JournalPosition(life: life, sequences: sequences) }

    /// Names the writes of one transaction; returns nil if a draft exceeds the limits or can't be signed.
    package mutating func transaction(
        _ lane: Lane, _ drafts: [Draft], now: WallTime
    ) -> StoreTransaction? {
        precondition(
            !drafts.contains(where: \.isGuessed), "only the store may say what a client state covers")
        guard drafts.allSatisfy(\.isWithinLimits) else { return nil }
        var stamped: [(draft: Draft, stamp: Stamp)] = []
        for draft in drafts {
            let stamp = Stamp(time: clock.next(at: now), life: life)
            guard let draft = draft.signed(by: signer, at: stamp) else { return nil }
            stamped.append((draft, stamp))
        }
        let (origin, sequence) = next(in: lane)
        var transaction = complete([], in: origin, sequence)
        for (place, (draft, stamp)) in stamped.enumerated() {
            transaction.add(draft, Dot(origin: origin, sequence: sequence, place: UInt32(place)), at: stamp)
        }
        transaction.clock = clock.latest
        return transaction
    }

    /// Names a staged batch of `count` drafts, and the client state that ends it, if there is one.
    ///
    /// Returns nil if the state or the count exceeds the limits.
    ///
    /// The drafts get the places before that of the state. Each draft gets a stamp of its own, in ascending order.
    package mutating func ending(
        _ batch: BatchIdentifier, count: Int, with state: Draft?, now: WallTime
    ) -> StoreTransaction? {
        guard state?.isWithinLimits ?? true, let places = UInt32(exactly: count), places < .max else {
            return nil
        }
        let (origin, sequence) = next(in: .index)
        var transaction = complete([], in: origin, sequence)
        let first = Dot(origin: origin, sequence: sequence)
        let time = clock.next(UInt64(count), at: now)
        transaction.batch = StagedBatch(
            batch, count: count, first: first, stamp: Stamp(time: time, life: life))
        if let state {
            let dot = Dot(origin: origin, sequence: sequence, place: places)
            transaction.add(state, dot, at: Stamp(time: clock.next(at: now), life: life))
        }
        transaction.clock = clock.latest
        return transaction
    }

    private func next(in lane: Lane) -> (Origin, UInt64) {
        (Origin(life: life, lane: lane), sequences[lane, default: 0] + 1)
    }

    /// Adopts strays, which means that it gives new dots to writes that their author lost and that no device could
    /// claim.
    ///
    /// The stamps and the content of the writes do not change.
    ///
    /// A device that has the write under its old dot uses the new dot from then on, because the dots of a later life
    /// are larger. Writes of a life that is later than the current one are skipped.
    package mutating func adoption(of strays: [Write], in lane: Lane) -> StoreTransaction? {
        let strays = strays.filter { $0.dot.origin.life < life }
        guard !strays.isEmpty else { return nil }
        let (origin, sequence) = next(in: lane)
        let writes = strays.enumerated().map { place, write in
            write.named(Dot(origin: origin, sequence: sequence, place: UInt32(place)))
        }
        return complete(writes, in: origin, sequence)
    }

    /// Returns a transaction with the next number of an origin, and marks the number as used.
    private mutating func complete(
        _ writes: [Write], in origin: Origin, _ sequence: UInt64
    ) -> StoreTransaction {
        sequences[origin.lane] = sequence
        var transaction = StoreTransaction(
            lane: origin.lane, writes: writes, completing: VersionVector([(origin, sequence)]),
            clock: clock.latest)
        if sequence == 1 { transaction.beginning = origin }
        return transaction
    }

    /// Takes note of a hybrid time that was seen, so that all later stamps are larger.
    package mutating func witness(_ time: HybridTime) { clock.witness(time) }

    /// Begins a new life, because a write of the current life was not stored.
    ///
    /// In the current life, a vector that claims later writes would also cover the lost write.
    package mutating func beginLife(_ life: Life) {
        precondition(life != self.life, "a life is never used again")
        (self.life, sequences) = (life, [:])
    }
}
