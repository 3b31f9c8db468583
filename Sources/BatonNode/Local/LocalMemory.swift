import BatonCore
import BatonNetwork

/// The memory that apps and commands share.
///
/// A connection that blocks others for too long is closed.
final class LocalMemory {
    /// The budget for large frames that are partly received.
    let frames: LocalBudget
    /// The budget for unanswered requests and unread answers.
    let requests: LocalBudget
    private let limits: Limits
    /// Returns all connections; some of them may hold memory that others wait for.
    private let connections: () -> [LocalConnection]
    /// The timer until the connections are checked again.
    private let timer: OwnedTimer

    init(on loop: EventLoop, limits: Limits, connections: @escaping () -> [LocalConnection]) {
        (timer, self.limits, self.connections) = (OwnedTimer(on: loop), limits, connections)
        (frames, requests) = (
            LocalBudget(bytes: limits.localFrameBytes), LocalBudget(bytes: limits.localRequestBytes)
        )
        for budget in [frames, requests] { budget.scarce = { [unowned self] in watch() } }
    }

    /// While requests wait, closes connections that neither finish their frames nor read their answers.
    private func watch() {
        guard !timer.isSet else { return }
        timer.set(after: limits.localHoldingTime) { [unowned self] in endHolders() }
    }

    private func endHolders() {
        guard frames.isScarce || requests.isScarce else { return }
        for connection in connections() { connection.endIfHolding(longerThan: limits.localHoldingTime) }
        watch()
    }

    /// Closes the connection with the largest backlog if unread answers have grown far beyond the budget.
    func checkAnswers() {
        guard requests.used > 2 * limits.localRequestBytes,
            let first = connections().max(by: { $0.backlog < $1.backlog })
        else { return }
        first.endUnread()
    }
}
