package import BatonNetwork

/// Waits until nothing was asked of a database for a while, and then has memory given back.
///
/// Many pages of the database are given back soon. A few, and the code that ran, are given back later: a node that does
/// something every now and then would only fetch them again. Only questions set the timer, so it never wakes a node that
/// is idle.
package final class StoreRest {
    private let timer: OwnedTimer
    private let pause: Duration
    /// True from the moment when much is in memory until it is given back.
    private var holdsMuch = false
    /// Whether something was asked since the timer was set.
    private var wasAsked = false
    /// Gives the memory back.
    private let release: () -> Void

    /// How much longer the pause is if little is in memory.
    package static let patience = 5

    package init(on loop: EventLoop, after pause: Duration, release: @escaping () -> Void) {
        (timer, self.pause, self.release) = (OwnedTimer(on: loop), pause, release)
    }

    /// Called when much is in memory.
    package func handleGrowth() {
        guard !holdsMuch else { return }
        holdsMuch = true
        plan()
    }

    /// Called when something is asked of the database.
    package func noteQuestion() {
        wasAsked = true
        if !timer.isSet { plan() }
    }

    private func plan() {
        wasAsked = false
        timer.set(after: holdsMuch ? pause : pause * Self.patience) { [unowned self] in
            if wasAsked { return plan() }
            holdsMuch = false
            release()
            // The release itself is a question.
            timer.cancel()
        }
    }

    /// Waits no more.
    package func cancel() { timer.cancel() }
}
