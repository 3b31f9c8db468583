import BatonCore
import BatonNetwork

/// Memory that all apps and commands share: whoever would exceed it waits, in the order of asking.
///
/// It lives on the loop's thread.
final class LocalBudget {
    /// A part of the budget, given back when it is released or nobody holds it any more.
    final class Share {
        private let budget: LocalBudget
        private(set) var count: Int

        fileprivate init(_ count: Int, of budget: LocalBudget) { (self.count, self.budget) = (count, budget) }

        deinit { budget.giveBack(count) }

        /// Gives it back; done twice, it is done once.
        func release() { resize(to: 0) }

        /// Makes it larger or smaller, for what is there already and can't wait.
        func resize(to count: Int) {
            let freed = self.count - count
            self.count = count
            budget.giveBack(freed)
        }
    }

    /// Someone who waits.
    private struct Waiter {
        let count: Int
        weak var owner: AnyObject?
        let granted: (Share) -> Void
    }

    private let bytes: Int
    private(set) var used = 0
    private var waiters: [Waiter] = []
    private var isServing = false
    /// Told when someone begins to wait while nobody else does.
    var scarce: (() -> Void)?

    init(bytes: Int) { self.bytes = bytes }

    /// Whether someone waits.
    var isScarce: Bool { !waiters.isEmpty }

    /// Takes a share, or nil where the owner has to wait; the closure gets the share then.
    ///
    /// One share is always given where none is held, however large it is.
    func take(_ count: Int, for owner: AnyObject, later granted: @escaping (Share) -> Void) -> Share? {
        if waiters.isEmpty, fits(count) { return share(count) }
        waiters.append(Waiter(count: count, owner: owner, granted: granted))
        if waiters.count == 1 { scarce?() }
        return nil
    }

    /// A share of what is there already, and can't wait.
    func emptyShare() -> Share { Share(0, of: self) }

    private func fits(_ count: Int) -> Bool { count == 0 || used == 0 || used + count <= bytes }

    private func share(_ count: Int) -> Share {
        used += count
        return Share(count, of: self)
    }

    private func giveBack(_ count: Int) {
        used -= count
        serve()
    }

    /// Gives those who wait what they wait for, as far as it is there.
    private func serve() {
        // A share that is given back meanwhile is seen by the loop below.
        guard !isServing else { return }
        isServing = true
        defer { isServing = false }
        while let first = waiters.first {
            guard first.owner != nil else {
                waiters.removeFirst()
                continue
            }
            guard fits(first.count) else { return }
            waiters.removeFirst()
            first.granted(share(first.count))
        }
    }
}

/// The memory that apps and commands share; a connection that blocks others for too long is ended.
final class LocalMemory {
    /// For large frames that are on their way.
    let frames: LocalBudget
    /// For requests that are not answered, and answers that are not read.
    let requests: LocalBudget
    private let limits: Limits
    /// The connections, some of which may hold what others wait for.
    private let connections: () -> [LocalConnection]
    /// Set until the connections are looked at.
    private let timer: OwnedTimer

    init(on loop: EventLoop, limits: Limits, connections: @escaping () -> [LocalConnection]) {
        (timer, self.limits, self.connections) = (OwnedTimer(on: loop), limits, connections)
        (frames, requests) = (
            LocalBudget(bytes: limits.localFrameBytes), LocalBudget(bytes: limits.localRequestBytes)
        )
        for budget in [frames, requests] { budget.scarce = { [unowned self] in watch() } }
    }

    /// Ends, as long as others wait, the connections that neither finish their frames nor read their answers.
    private func watch() {
        guard !timer.isSet else { return }
        timer.set(after: limits.localHoldingTime) { [unowned self] in endHolders() }
    }

    private func endHolders() {
        guard frames.isScarce || requests.isScarce else { return }
        for connection in connections() { connection.endIfHolding(longerThan: limits.localHoldingTime) }
        watch()
    }

    /// Answers that nobody asked for just now have grown beyond the budget: the connection with the most of them ends.
    func checkAnswers() {
        guard requests.used > 2 * limits.localRequestBytes,
            let first = connections().max(by: { $0.backlog < $1.backlog })
        else { return }
        first.endUnread()
    }
}
