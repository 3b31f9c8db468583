package import BatonNetwork

/// Releases memory once a database has been idle for a while.
///
/// Many pages of the database are released soon. A few pages, and the code that ran, are released later: a node that
/// does something every now and then would only load them again. Only use of the database sets the timer, so it never
/// wakes an idle node.
package final class StoreRest {
    private let timer: OwnedTimer
    private let pause: Duration
    /// Whether much is in memory that was not released yet.
    private var holdsMuch = false
    /// Whether the database was used since the timer was set.
    private var wasAsked = false
    /// Releases the memory.
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

    /// Called when the database is used.
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
            // The release has itself used the database, which has set the timer.
            timer.cancel()
        }
    }

    /// Cancels the timer.
    package func cancel() { timer.cancel() }
}
