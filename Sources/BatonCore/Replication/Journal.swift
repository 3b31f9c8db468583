/// Where a device's own writes get their names: it hands out each dot once, and each stamp later than
/// all that were seen.
///
/// A life is named by random bytes. A new one begins with every opening of the journal that can't be shown to go
/// on where the last one ended, so that a dot is never used again after power loss or a restored backup. A life
/// that made no write leaves no trace.
///
/// Commands: `transaction(…)`, `adoption(of:in:)`, `witness(_:)`, `beginLife(_:)`. Queries: `life`, `clock`, `names`.
package struct Journal: Sendable {
    package private(set) var life: Life
    package private(set) var clock: HybridClock
    private var sequences: [Lane: UInt64] = [:]

    /// Opens the journal with a life that nobody had before, or goes on with one behind its last transactions.
    package init(life: Life, latest: HybridTime, after sequences: [Lane: UInt64] = [:]) {
        (self.life, clock, self.sequences) = (life, HybridClock(latest: latest), sequences)
    }

    /// What the present life has named by now.
    package var names: OwnNames { OwnNames(life: life, sequences: sequences) }

    /// What a write is to do, before it has a name.
    package struct Draft: Equatable, Sendable {
        package let key: RecordKey
        private let action: Write.Action
        private let beginsCounters: Bool
        /// What is written once it is known what it covers.
        private var ending: Ending?

        private struct Ending: Equatable, Sendable {
            let state: ClientState
            let name: ClientStateName
        }

        package init(_ action: Write.Action, _ key: RecordKey) {
            (self.action, self.key, beginsCounters) = (action, key, false)
        }

        /// The client state at the end of the batch; the store fills in what it covers.
        package init(
            ending state: [UInt8], of name: ClientStateName, changed: WallTime
        ) throws(ClientState.TooLong) {
            let state = try ClientState(state, covers: VersionVector(), changed: changed)
            (action, key, beginsCounters) = (.full(state.content(name)), name.key, false)
            ending = Ending(state: state, name: name)
        }

        /// Counters that begin with this write.
        package init(counting content: Write.Content, _ key: RecordKey) {
            (action, self.key, beginsCounters) = (.count(begun: .least, content), key, true)
        }

        /// Whether peers would take it; one that they refuse would end every session from then on.
        package var isWithinLimits: Bool {
            key.name.count <= RecordKey.nameBytes && bytes <= Limits.writeBytes
                && action.fieldCount <= Fields.countMost && isReadable
        }

        /// How many bytes the content takes, once all of it is known.
        private var bytes: Int {
            action.contentBytes + (ending == nil ? 0 : EndingState.coversBytesMost)
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

        /// Whether it says of itself what a client state covers, which is the store's to say.
        fileprivate var isGuessed: Bool {
            if case .full = action { key.kind == .clientState && ending == nil } else { false }
        }

        fileprivate func ending(_ dot: Dot, at stamp: Stamp) -> EndingState? {
            ending.map { EndingState($0.state, of: $0.name, dot: dot, stamp: stamp) }
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
        precondition(!drafts.contains(where: \.isGuessed), "what a client state covers is the store's to say")
        guard drafts.allSatisfy(\.isWithinLimits) else { return nil }
        let origin = Origin(life: life, lane: lane)
        let sequence = sequences[lane, default: 0] + 1
        var (writes, states): ([Write], [EndingState]) = ([], [])
        for (place, draft) in drafts.enumerated() {
            let dot = Dot(origin: origin, sequence: sequence, place: UInt32(place))
            let stamp = Stamp(time: clock.next(at: now), life: life)
            if let state = draft.ending(dot, at: stamp) {
                states.append(state)
            } else {
                writes.append(Write(dot: dot, key: draft.key, stamp: stamp, action: draft.action(at: stamp)))
            }
        }
        var transaction = complete(writes, in: origin, sequence)
        transaction.states = states
        return transaction
    }

    /// Names writes once more whose author lost them, so that nobody would ever claim them: the stamps and values
    /// stay.
    ///
    /// Who holds one of them by its old name takes the new one, because a later life has the larger dots. Those that
    /// name a later life than the present one are passed over.
    package mutating func adoption(of strays: [Write], in lane: Lane) -> StoreTransaction? {
        let strays = strays.filter { $0.dot.origin.life < life }
        guard !strays.isEmpty else { return nil }
        let origin = Origin(life: life, lane: lane)
        let sequence = sequences[lane, default: 0] + 1
        let writes = strays.enumerated().map { place, write in
            write.named(Dot(origin: origin, sequence: sequence, place: UInt32(place)))
        }
        return complete(writes, in: origin, sequence)
    }

    /// The next transaction of the origin.
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

    /// Takes note of the times that others' writes carry.
    package mutating func witness(_ time: HybridTime) { clock.witness(time) }

    /// Ends this life, because a write that it named was not kept: what was named after it must not be
    /// claimed by a vector that covers it.
    package mutating func beginLife(_ life: Life) {
        precondition(life != self.life, "a life is never used again")
        (self.life, sequences) = (life, [:])
    }
}
