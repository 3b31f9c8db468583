import BatonCore
import BatonNetwork

/// A memory budget that all apps and commands share.
///
/// A request that would exceed the budget waits until earlier requests have got their shares. The budget is used on the
/// loop's thread.
final class LocalBudget {
    /// A part of the budget.
    ///
    /// The share returns to the budget when it is released or deallocated.
    final class Share {
        private let budget: LocalBudget
        private(set) var count: Int

        fileprivate init(_ count: Int, of budget: LocalBudget) { (self.count, self.budget) = (count, budget) }

        deinit { budget.giveBack(count) }

        /// Returns the share to the budget.
        ///
        /// Calling this twice has no further effect.
        func release() { resize(to: 0) }

        /// Makes the share larger or smaller, without waiting.
        ///
        /// This is for memory that is in use already.
        func resize(to count: Int) {
            let freed = self.count - count
            self.count = count
            budget.giveBack(freed)
        }
    }

    /// A request that waits for a share.
    private struct Waiter {
        let count: Int
        weak var owner: AnyObject?
        let granted: (Share) -> Void
    }

    private let bytes: Int
    private(set) var used = 0
    private var waiters: [Waiter] = []
    private var isServing = false
    /// Called when a request begins to wait while no other request waits.
    var scarce: (() -> Void)?

    init(bytes: Int) { self.bytes = bytes }

    /// Whether a request waits.
    var isScarce: Bool { !waiters.isEmpty }

    /// Takes a share of the budget.
    ///
    /// Returns nil if the owner has to wait. In this case, the closure gets the share later.
    ///
    /// If no other share is in use, a share of any size is granted.
    func take(_ count: Int, for owner: AnyObject, later granted: @escaping (Share) -> Void) -> Share? {
        if waiters.isEmpty, fits(count) { return share(count) }
        waiters.append(Waiter(count: count, owner: owner, granted: granted))
        if waiters.count == 1 { scarce?() }
        return nil
    }

    /// Returns an empty share, which can be resized without waiting.
    ///
    /// This is for memory that is in use already.
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

    /// Gives waiting requests their shares, as far as the budget allows.
    private func serve() {
        // A closure below may release a share, which calls this method again. The loop then uses what was released.
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
