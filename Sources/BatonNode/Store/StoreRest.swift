import BatonCore
import BatonNetwork

/// Waits until nothing was asked of a database for a while after much of it was read into memory, and then has the
/// memory given back.
///
/// It sets a timer only then, so it never wakes a node that is idle.
final class StoreRest {
    private let timer: OwnedTimer
    private let pause: Duration
    /// Whether something was asked since the timer was set.
    private var wasAsked = false
    /// Gives the memory back.
    private let release: () -> Void

    init(on loop: EventLoop, after pause: Duration, release: @escaping () -> Void) {
        (timer, self.pause, self.release) = (OwnedTimer(on: loop), pause, release)
    }

    /// Called when much is in memory.
    func handleGrowth() {
        guard !timer.isSet else { return }
        wasAsked = false
        timer.set(after: pause) { [unowned self] in
            if wasAsked { handleGrowth() } else { release() }
        }
    }

    /// Called when something is asked of the database.
    func noteQuestion() { wasAsked = true }

    /// Waits no more.
    func cancel() { timer.cancel() }
}
