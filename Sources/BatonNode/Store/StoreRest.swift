package import BatonNetwork

/// Releases memory when a database has been idle for some time.
///
/// If many pages of the database are in memory, the memory is released soon. If only a few pages are in memory, they
/// and the code that ran are released later. Otherwise, a node that does something from time to time would load them
/// again and again. Only uses of the database set the timer, so the timer never wakes an idle node.
package final class StoreRest {
    private let timer: OwnedTimer
    private let pause: Duration
    /// Whether much of the database is in memory and was not released yet.
    private var holdsMuch = false
    /// Whether the database was used since the timer was set.
    private var wasAsked = false
    /// Releases the memory of the database.
    private let release: () -> Void

    /// The factor by which the pause is longer if only little is in memory.
    package static let patience = 5

    package init(on loop: EventLoop, after pause: Duration, release: @escaping () -> Void) {
        (timer, self.pause, self.release) = (OwnedTimer(on: loop), pause, release)
    }

    /// Called when much of the database is in memory.
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
            // Releasing the memory has itself used the database, which has set the timer.
            timer.cancel()
        }
    }

    /// Cancels the timer.
    package func cancel() { timer.cancel() }
}
