import BatonCore
import BatonNetwork

/// The memory that apps and commands share.
///
/// A connection that keeps others from getting memory for too long is closed.
final class LocalMemory {
    /// The budget for large frames that have arrived only in part.
    let frames: LocalBudget
    /// The budget for unanswered requests and unread answers.
    let requests: LocalBudget
    private let limits: Limits
    /// Returns all connections.
    ///
    /// Some of them may hold memory for which other requests wait.
    private let connections: () -> [LocalConnection]
    /// The timer for the next check of the connections.
    private let timer: OwnedTimer

    init(on loop: EventLoop, limits: Limits, connections: @escaping () -> [LocalConnection]) {
        (timer, self.limits, self.connections) = (OwnedTimer(on: loop), limits, connections)
        (frames, requests) = (
            LocalBudget(bytes: limits.localFrameBytes), LocalBudget(bytes: limits.localRequestBytes)
        )
        for budget in [frames, requests] { budget.scarce = { [unowned self] in watch() } }
    }

    /// Closes connections that neither finish their frames nor read their answers.
    ///
    /// This happens only while requests wait for memory.
    private func watch() {
        guard !timer.isSet else { return }
        timer.set(after: limits.localHoldingTime) { [unowned self] in endHolders() }
    }

    private func endHolders() {
        guard frames.isScarce || requests.isScarce else { return }
        for connection in connections() { connection.endIfHolding(longerThan: limits.localHoldingTime) }
        watch()
    }

    /// Closes the connection with the largest backlog, if unread answers have grown far beyond the budget.
    func checkAnswers() {
        guard requests.used > 2 * limits.localRequestBytes,
            let first = connections().max(by: { $0.backlog < $1.backlog })
        else { return }
        first.endUnread()
    }
}
