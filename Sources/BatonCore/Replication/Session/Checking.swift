/// Decides when two nodes that are in step compare what they hold.
///
/// A node sends a check of what it holds once the two have come into step, and again a pause after something has
/// changed. Only a change sets a timer, so that an idle session has none.
struct Checking: Sendable {
    private let pause: Duration
    private var rest: Rest
    /// Whether something has changed since this side last sent a check or the two compared.
    private var isChanged: Bool
    /// The purposes of the requests that the store has not answered yet, oldest first.
    private var asked: [Purpose] = []
    /// The peer's last check, if it has not been compared yet.
    private var told: Told?
    private var sentCount = 0
    private var receivedCount = 0
    /// Whether this side has sent a check since both sides finished the repair.
    private var hasToldRepaired = false
    /// How the last comparison ended, if there was one.
    private var outcome: Difference??

    /// When the next check may be sent.
    private enum Rest: Sendable {
        /// At once.
        case over
        /// A check was sent at an unknown time: with the first change, the driver is asked for the time.
        case begun
        case until(Instant)
    }

    /// A check that the peer sent.
    private struct Told: Sendable {
        let check: StateCheck
        /// Whether both sides had finished the repair by then.
        let isRepaired: Bool
    }

    private enum Purpose: Sendable {
        case tell
        case compare(Told)
    }

    /// The consequence of the store's answer.
    enum Outcome: Equatable, Sendable {
        case nothing
        case tell(StateCheck)
        case same(at: WallTime)
        /// The two sides differ, judged at that time.
        case differs(at: WallTime, isRepaired: Bool)
    }

    /// Begins after the first messages, which may have compared what both hold.
    init(pause: Duration, isCompared: Bool) {
        self.pause = pause
        (rest, isChanged) = isCompared ? (.begun, false) : (.over, true)
    }

    // MARK: Events

    /// Called when the store took something.
    mutating func handleChange() { isChanged = true }

    /// Called when the moment of `deadline` has come, and not before.
    mutating func handleDeadline(now: Instant) {
        if case .begun = rest { rest = .until(now + pause) } else { rest = .over }
    }

    /// Handles a check that the peer sent.
    ///
    /// A peer may send one check for each batch, and a few more: each one is a question to the store.
    mutating func handleCheck(_ check: StateCheck, in exchange: Exchange) throws(CloseReason) {
        receivedCount += 1
        guard receivedCount <= Self.most(in: exchange) else {
            throw CloseReason(.unexpected, "too many state checks")
        }
        told = Told(check: check, isRepaired: exchange.repair.isReceived)
    }

    /// Handles the store's answer, which is nil if it holds more than it claims or lacks what was garbage-collected.
    mutating func handleOwnCheck(_ own: StateCheck?) -> Outcome {
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
                ? .same(at: own.time) : .differs(at: own.time, isRepaired: told.isRepaired)
        }
    }

    /// Records how a comparison ended; returns an event if that is news.
    mutating func recordDifference(_ difference: Difference?) -> SessionEvent? {
        guard outcome != .some(difference) else { return nil }
        outcome = .some(difference)
        return difference.map { .differed($0) } ?? .agreed
    }

    // MARK: Outputs

    /// Asks the store what it holds, if that is to be compared or sent now.
    mutating func nextRequest(in exchange: Exchange) -> StoreRequest? {
        if let told, !isComparing {
            self.told = nil
            asked.append(.compare(told))
            return .check(at: told.check.time)
        }
        guard mayTell(in: exchange.repair.phase), sentCount < Self.most(in: exchange), exchange.isInStep
        else {
            return nil
        }
        if exchange.repair.phase == .over { hasToldRepaired = true }
        isChanged = false
        asked.append(.tell)
        return .check(at: nil)
    }

    /// Whether there may be a request, depending on the phase of the repair.
    func mayAsk(in phase: DivergenceRepair.Phase) -> Bool {
        told != nil && !isComparing || mayTell(in: phase)
    }

    private func mayTell(in phase: DivergenceRepair.Phase) -> Bool {
        guard !isTelling else { return false }
        switch phase {
        case .underWay: return false
        case .over where !hasToldRepaired: return true
        case .over, .idle:
            guard case .over = rest else { return false }
            return isChanged
        }
    }

    // MARK: Queries

    /// When `handleDeadline(now:)` is due; a moment that has passed asks for the time.
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

    /// Returns how many checks either side may have sent by now.
    ///
    /// A receiver has seen every batch that its peer had when it sent a check, so its limit is no lower than the
    /// sender's.
    private static func most(in exchange: Exchange) -> Int {
        Limits.checksBeyondBatches + exchange.batchCount
    }
}

/// The result of comparing what two nodes hold.
package enum Difference: Equatable, Sendable {
    /// They claim the same and differ; both now send each other what they hold.
    case found
    /// They still differ after the repair.
    case remaining
}
