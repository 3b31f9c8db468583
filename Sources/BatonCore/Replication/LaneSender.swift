/// Streams what one lane of the store has to a peer that lacks it: catching up and going on are one path.
///
///     behind ──startReading──▶ reading ──all read──▶ idle
///        ▲                        │                    │
///        └──── more to read ◀─────┘      handleCommit ─┘
struct LaneSender: Sendable {
    private enum State {
        /// Everything up to `cursor` was read, and nothing is known to stand behind it.
        case idle
        /// The store may have writes after `cursor`.
        case behind
        /// The store was asked; `again` says that it took further writes since.
        case reading(again: Bool)
    }

    let lane: Lane
    private var state = State.behind
    /// Up to where the store was read for this peer.
    private(set) var cursor: Arrival
    /// What the peer was told last of the cursor.
    private var told: Arrival

    /// Begins after what the peer is known to have.
    init(lane: Lane, after cursor: Arrival) { (self.lane, self.cursor, told) = (lane, cursor, cursor) }

    /// The store took writes of this lane.
    mutating func handleCommit() {
        switch state {
        case .idle, .behind: state = .behind
        case .reading: state = .reading(again: true)
        }
    }

    /// Begins to read; false if there is nothing to read, or the store was asked already.
    mutating func startReading() -> Bool {
        guard case .behind = state else { return false }
        state = .reading(again: false)
        return true
    }

    /// The store answered; says how many places were read since the peer was told of the cursor.
    mutating func handle(_ changes: Changes) -> UInt64 {
        guard case .reading(let again) = state else {
            preconditionFailure("the store answers only what it was asked")
        }
        cursor = changes.next
        state = again || changes.complete == nil ? .behind : .idle
        return cursor.value - told.value
    }

    /// The peer is told of the cursor.
    mutating func handleTold() { told = cursor }

    /// Whether everything that the store is known to have was read.
    var isIdle: Bool { if case .idle = state { true } else { false } }
}
