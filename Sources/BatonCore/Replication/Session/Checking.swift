/// Decides when two nodes that are in step compare what they hold.
///
/// A node tells what it holds once the two have come into step, and again when something has changed, a pause later.
/// Only a change sets a timer, so that an idle session has none.
struct Checking: Sendable {
    private let pause: Duration
    private var rest: Rest
    /// Whether something was changed since this side last told what it holds, or the two compared.
    private var isChanged: Bool
    /// What the store was asked for, the oldest first.
    private var asked: [Purpose] = []
    /// What the peer told last and was not compared yet.
    private var told: Told?
    private var sentCount = 0
    private var receivedCount = 0
    /// Whether this side told what it holds since both have mended.
    private var hasToldMended = false
    /// How the last comparison ended, if there was one.
    private var outcome: Difference??

    /// Since when something may be told.
    private enum Rest: Sendable {
        /// At once.
        case over
        /// Something was told, and nobody knows when: with the first change the driver is asked for the time.
        case begun
        case until(Instant)
    }

    /// What the peer told.
    private struct Told: Sendable {
        let check: StateCheck
        /// Whether both had mended by then.
        let isMended: Bool
    }

    private enum Purpose: Sendable {
        case tell
        case compare(Told)
    }

    /// What the store's answer leads to.
    enum Outcome: Equatable, Sendable {
        case nothing
        case tell(StateCheck)
        case same(at: WallTime)
        /// At that time.
        case differs(at: WallTime, isMended: Bool)
    }

    /// Begins where the first messages have compared what both hold, or did not.
    init(pause: Duration, isCompared: Bool) {
        self.pause = pause
        (rest, isChanged) = isCompared ? (.begun, false) : (.over, true)
    }

    // MARK: Events

    /// The store took something.
    mutating func handleChange() { isChanged = true }

    /// The moment of `deadline` came, and not before.
    mutating func handleDeadline(now: Instant) {
        if case .begun = rest { rest = .until(now + pause) } else { rest = .over }
    }

    /// The peer told what it holds.
    ///
    /// It may do so as often as batches went, and a few times more: each is a question to the store.
    mutating func handle(_ check: StateCheck, in exchange: Exchange) throws(CloseReason) {
        receivedCount += 1
        guard receivedCount <= Self.most(in: exchange) else {
            throw CloseReason(.unexpected, "state checks without end")
        }
        told = Told(check: check, isMended: exchange.mending.isReceived)
    }

    /// The store answered what it holds; nothing where it holds more than it claims, or lacks what was let go.
    mutating func handle(_ own: StateCheck?) -> Outcome {
        precondition(!asked.isEmpty, "the store answers only what it was asked")
        switch (asked.removeFirst(), own) {
        case (_, nil): return .nothing
        case (.tell, let own?):
            (rest, sentCount) = (.begun, sentCount + 1)
            return .tell(own)
        case (.compare(let told), let own?):
            guard told.check.complete == own.complete else { return .nothing }
            precondition(told.check.time == own.time, "two states are compared at one time")
            return told.check.state == own.state
                ? .same(at: own.time) : .differs(at: own.time, isMended: told.isMended)
        }
    }

    /// Takes note of how a comparison ended; answers with what is news.
    mutating func note(_ difference: Difference?) -> SessionEvent? {
        guard outcome != .some(difference) else { return nil }
        outcome = .some(difference)
        return difference.map { .differed($0) } ?? .agreed
    }

    // MARK: Outputs

    /// Asks the store what it holds, if that is to be compared or told now.
    mutating func nextRequest(in exchange: Exchange) -> StoreRequest? {
        if let told, !isComparing {
            self.told = nil
            asked.append(.compare(told))
            return .check(at: told.check.time)
        }
        guard mayTell(in: exchange), sentCount < Self.most(in: exchange), exchange.isInStep else {
            return nil
        }
        if exchange.mending.phase == .over { hasToldMended = true }
        isChanged = false
        asked.append(.tell)
        return .check(at: nil)
    }

    private func mayTell(in exchange: Exchange) -> Bool {
        guard !isTelling else { return false }
        switch exchange.mending.phase {
        case .underWay: return false
        case .over where !hasToldMended: return true
        case .over, .idle:
            guard case .over = rest else { return false }
            return isChanged
        }
    }

    // MARK: Queries

    /// When `handleDeadline(now:)` is due; a moment that has passed asks what time it is.
    var deadline: Instant? {
        guard isChanged else { return nil }
        switch rest {
        case .over: return nil
        case .begun: return Instant(nanoseconds: 0)
        case .until(let end): return end
        }
    }

    private var isTelling: Bool { asked.contains { if case .tell = $0 { true } else { false } } }

    private var isComparing: Bool { asked.contains { if case .compare = $0 { true } else { false } } }

    /// How often either side may tell what it holds by now.
    ///
    /// A receiver has seen every batch that its peer had when it told something, so it allows no less.
    private static func most(in exchange: Exchange) -> Int {
        Limits.checksBeyondBatches + exchange.batchCount
    }
}

/// What became of comparing what two nodes hold.
package enum Difference: Equatable, Sendable {
    /// They claim the same and differ; both tell each other what they hold.
    case found
    /// They differ although that was done.
    case remaining
}
