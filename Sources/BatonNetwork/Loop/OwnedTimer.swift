/// A timer that belongs to one owner: it is cancelled when it is set again and when its owner is released.
///
/// The loop holds the action while the timer is set. An action that captures its owner strongly keeps the owner alive
/// until it has run. An action that captures its owner unowned does not, and never runs after the owner's release,
/// which cancels the timer.
package final class OwnedTimer {
    private let loop: EventLoop
    /// The timer in the loop's queue; nil while this timer is not set.
    private var token: TimerToken?
    /// The moment for which the timer is set; nil if it is not set.
    package private(set) var deadline: MonotonicTime?

    package init(on loop: EventLoop) { self.loop = loop }

    deinit { cancel() }

    /// True from `set` until the action begins or the timer is cancelled.
    package var isSet: Bool { deadline != nil }

    /// Runs an action once after a delay, in place of an action that was set before.
    package func set(after delay: Duration, _ action: @escaping () -> Void) {
        set(at: loop.now + max(delay, .zero), action)
    }

    /// Follows a deadline that the owner recomputes: runs the action once at that moment, or never if it is nil.
    ///
    /// A timer that is already set for that moment keeps its action.
    package func follow(_ deadline: MonotonicTime?, _ action: @escaping () -> Void) {
        guard deadline != self.deadline else { return }
        guard let deadline else { return cancel() }
        set(at: deadline, action)
    }

    /// Runs an action once at a moment, or in the next turn if it has passed, in place of one that was set before.
    package func set(at deadline: MonotonicTime, _ action: @escaping () -> Void) {
        cancel()
        self.deadline = deadline
        // The loop must not hold the timer, or the timer would not be released with its owner.
        token = loop.addTimer(at: deadline) { [unowned self] in
            (token, self.deadline) = (nil, nil)
            action()
        }
    }

    /// Releases the action without running it; does nothing if the timer is not set.
    package func cancel() {
        guard let token else { return }
        (self.token, deadline) = (nil, nil)
        loop.cancel(token)
    }
}
