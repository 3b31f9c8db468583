/// Names a device's own writes: it gives out each dot once, and each stamp later than all that were seen.
///
/// A life is named by random bytes. A new one begins with every opening of the journal that can't be shown to continue
/// where the last one ended, so that a dot is never used again after power loss or a restored backup. A life that made
/// no write leaves no trace.
///
/// The writes that it named are kept in that order within each lane, and not across them: a write of one lane may be
/// kept while an earlier one of the other is not, and never will be. Nothing is concluded from that, because claims,
/// what client states cover, reports and what was garbage-collected are each of one lane, and stamps are compared
/// within a record.
///
/// Commands: `transaction(…)`, `ending(…)`, `adoption(of:in:)`, `witness(_:)`, `beginLife(_:)`. Queries: `life`,
/// `clock`, `names`.
package struct Journal: Sendable {
    package private(set) var life: Life
    package private(set) var clock: HybridClock
    private var sequences: [Lane: UInt64] = [:]
    /// Signs the record of this device when it is named; nil where nobody checks signatures.
    package var signer: (any DeviceSigner)?

    /// Opens the journal with a life that nobody had before, or continues one behind its last transactions.
    package init(
        life: Life, latest: HybridTime, after sequences: [Lane: UInt64] = [:],
        signer: (any DeviceSigner)? = nil
    ) {
        (self.life, clock, self.sequences) = (life, HybridClock(latest: latest), sequences)
        self.signer = signer
    }

    /// The position that the present life has reached in naming writes.
    package var names: JournalPosition { JournalPosition(life: life, sequences: sequences) }

    /// Names the writes of one transaction; nil if a draft is beyond limits, or can't be signed.
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

    /// Names a staged batch of `count` drafts, and the client state that ends it, if there is one; nil if that is
    /// beyond limits.
    ///
    /// The drafts have the places before that of the state, and a stamp each, one after the other.
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

    /// Names again writes whose author lost them, so that nobody would ever claim them: the stamps and values stay.
    ///
    /// A device that holds one of them by its old name takes the new one, because a later life has the larger dots.
    /// Writes that name a later life than the present one are skipped.
    package mutating func adoption(of strays: [Write], in lane: Lane) -> StoreTransaction? {
        let strays = strays.filter { $0.dot.origin.life < life }
        guard !strays.isEmpty else { return nil }
        let (origin, sequence) = next(in: lane)
        let writes = strays.enumerated().map { place, write in
            write.named(Dot(origin: origin, sequence: sequence, place: UInt32(place)))
        }
        return complete(writes, in: origin, sequence)
    }

    /// Returns the next transaction of the origin.
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

    /// Takes note of the time that the store's clock shows.
    package mutating func witness(_ time: HybridTime) { clock.witness(time) }

    /// Ends this life, because a write that it named was not kept: what was named after it must not be claimed by a
    /// vector that covers it.
    package mutating func beginLife(_ life: Life) {
        precondition(life != self.life, "a life is never used again")
        (self.life, sequences) = (life, [:])
    }
}
