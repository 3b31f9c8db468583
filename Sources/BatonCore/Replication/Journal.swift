/// Where a device's own writes get their names: it hands out each dot once, and each stamp later than
/// all that were seen.
///
/// A life is named by random bytes. A new one begins with every opening of the journal that can't be shown to go
/// on where the last one ended, so that a dot is never used again after power loss or a restored backup. A life
/// that made no write leaves no trace.
///
/// Commands: `transaction(…)`, `witness(_:)`, `beginLife(_:)`. Queries: `life`, `clock`.
package struct Journal: Sendable {
    package private(set) var life: Life
    package private(set) var clock: HybridClock
    private var sequences: [Lane: UInt64] = [:]

    /// Opens the journal with a life that nobody had before, or goes on with one behind its last transactions.
    package init(life: Life, latest: HybridTime, after sequences: [Lane: UInt64] = [:]) {
        (self.life, clock, self.sequences) = (life, HybridClock(latest: latest), sequences)
    }

    /// What a write is to do, before it has a name.
    package struct Draft: Equatable, Sendable {
        package let key: RecordKey
        private let action: Write.Action
        private let beginsCounters: Bool

        package init(_ action: Write.Action, _ key: RecordKey) {
            (self.action, self.key, beginsCounters) = (action, key, false)
        }

        /// Counters that begin with this write.
        package init(counting content: Write.Content, _ key: RecordKey) {
            (action, self.key, beginsCounters) = (.count(begun: .least, content), key, true)
        }

        /// Whether peers would take it; one that they refuse would end every session from then on.
        package var isWithinLimits: Bool {
            key.name.count <= RecordKey.nameBytes && action.contentBytes <= Limits.writeBytes
                && action.fieldCount <= Fields.countMost && isReadable
        }

        /// Whether name, scope and fields are read by who gets them: what was made here may be nested too deep.
        private var isReadable: Bool {
            do throws(CBORError) {
                try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in try reader.skip() }
                switch action {
                case .full(let content), .count(_, let content):
                    _ = try CBORReader.whole(content.encoded[...]) { (reader) throws(CBORError) in
                        (try Scope(from: &reader), try Fields(from: &reader))
                    }
                case .partial(_, let fields):
                    _ = try CBORReader.whole(fields.encoded[...]) { (reader) throws(CBORError) in
                        try Fields(from: &reader)
                    }
                case .deletion: break
                }
                return true
            } catch {
                return false
            }
        }

        fileprivate func action(at stamp: Stamp) -> Write.Action {
            guard beginsCounters, case .count(_, let content) = action else { return action }
            return .count(begun: stamp, content)
        }
    }

    /// Names the writes of one transaction; nothing if a draft is beyond limits.
    package mutating func transaction(
        _ lane: Lane, _ drafts: [Draft], now: WallTime
    ) -> StoreTransaction? {
        guard drafts.allSatisfy(\.isWithinLimits) else { return nil }
        let origin = Origin(life: life, lane: lane)
        let sequence = sequences[lane, default: 0] + 1
        var writes: [Write] = []
        for (place, draft) in drafts.enumerated() {
            let dot = Dot(origin: origin, sequence: sequence, place: UInt32(place))
            let stamp = Stamp(time: clock.next(at: now), life: life)
            writes.append(Write(dot: dot, key: draft.key, stamp: stamp, action: draft.action(at: stamp)))
        }
        sequences[lane] = sequence
        var transaction = StoreTransaction(
            lane: lane, writes: writes, completing: VersionVector([(origin, sequence)]), clock: clock.latest)
        transaction.isOwn = true
        return transaction
    }

    /// Takes note of the times that others' writes carry.
    package mutating func witness(_ time: HybridTime) { clock.witness(time) }

    /// Ends this life, because a write that it named was not kept: what was named after it must not be
    /// claimed by a vector that covers it.
    package mutating func beginLife(_ life: Life) {
        precondition(life != self.life, "a life is never used again")
        (self.life, sequences) = (life, [:])
    }
}
