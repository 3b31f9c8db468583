/// A timer with one owner; releasing the owner, or setting the timer again, cancels the previous action.
///
/// The loop holds the action while the timer is set. If the action captures the owner strongly, the owner stays alive
/// until the action has run. If the action captures the owner unowned, the owner can be released, which cancels the
/// timer. So the action never runs after the owner's release.
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

    /// Runs an action once after a delay; this replaces an action that was set before.
    package func set(after delay: Duration, _ action: @escaping () -> Void) {
        set(at: loop.now + max(delay, .zero), action)
    }

    /// Sets the timer to a deadline that the owner has computed again, or cancels it if the deadline is nil.
    ///
    /// If the timer is already set to that deadline, it keeps its action.
    package func follow(_ deadline: MonotonicTime?, _ action: @escaping () -> Void) {
        guard deadline != self.deadline else { return }
        guard let deadline else { return cancel() }
        set(at: deadline, action)
    }

    /// Runs an action once at a given time, or in the next turn if the time has passed; this replaces an earlier
    /// action.
    package func set(at deadline: MonotonicTime, _ action: @escaping () -> Void) {
        cancel()
        self.deadline = deadline
        // If the loop held this timer strongly, the timer would not be released with its owner.
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
