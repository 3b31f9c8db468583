import BatonNetwork
import Dispatch
import Foundation

/// Calls closures of the app one after the other.
///
/// The closures are called on the main queue if the program runs the main queue, and otherwise on another queue. A
/// program need not say which. Each closure is first given to the main queue. If the main thread does not take the
/// closure, and stays at the same place for a while, it waits for something else, such as a line of input. Then the
/// closure is called on the other queue. If the main thread is busy, the closure waits, however long that takes. Once
/// the main queue has taken a closure, the program is known to run the main queue. After that, closures are called on
/// the other queue only while the main thread reads standard input.
///
/// A closure for the main actor waits until the main queue takes it. Later closures do not wait for it, unless they
/// must also be called on the main queue.
final class CallbackQueue: Sendable {
    /// The queue for programs that don't run the main queue.
    private let ownQueue = DispatchQueue(label: "org.baton.callbacks")
    private let state = Monitor(State())

    private struct State {
        var waiting: [Callback] = []
        /// Whether a closure is being called; all other closures wait for it, on whatever queue they will be called.
        var isCalling = false
        /// Whether a job was given to the main queue that the main queue has not taken yet.
        var isPosted = false
        /// Whether the main queue has ever taken a job of this class.
        var isMainServed = false
        var isWatching = false
        /// The place where the main thread waited at the last check, and the number of checks that found it there.
        var stand: MainThread.Stand?
        var standCount = 0
        /// The queue that the app has chosen for callbacks.
        var chosen: DispatchQueue?
    }

    /// A closure, and where it may be called.
    private enum Callback: Sendable {
        case anywhere(@Sendable () -> Void)
        case onMain(@MainActor @Sendable () -> Void)

        var isForMain: Bool { if case .onMain = self { true } else { false } }
    }

    /// The time between two checks of the main thread, while closures wait.
    private static let interval = DispatchTimeInterval.milliseconds(25)
    /// The number of checks that must find the main thread at the same place before the other queue is used.
    private static let standsMost = 8

    init() {
        DispatchQueue.main.async { [self] in state.change { $0.isMainServed = true } }
    }

    /// The queue that the app has chosen; nil to choose as described for this class.
    var chosen: DispatchQueue? {
        get { state.change { Unchecked($0.chosen) }.value }
        set {
            let queue = Unchecked(newValue)
            state.change { $0.chosen = queue.value }
        }
    }

    /// Calls the closure after all earlier closures have been called.
    func call(_ body: @escaping @Sendable () -> Void) { add(.anywhere(body)) }

    /// Calls the closure on the main actor, after all earlier closures.
    ///
    /// If the program does not run the main queue, the closure waits until it does.
    func callOnMain(_ body: @escaping @MainActor @Sendable () -> Void) { add(.onMain(body)) }

    private func add(_ callback: Callback) {
        state.change { $0.waiting.append(callback) }
        schedule()
    }

    /// Gives the waiting closures to the queues that may call them.
    private func schedule() {
        let (mustPost, mustWatch, chosen) = state.change { state in
            let hasOthers = state.waiting.contains { !$0.isForMain }
            let isForMain = state.waiting.contains { state.chosen == nil || $0.isForMain }
            let mustPost = isForMain && !state.isPosted
            let mustWatch = hasOthers && state.chosen == nil && !state.isWatching
            (state.isPosted, state.isWatching) = (state.isPosted || mustPost, state.isWatching || mustWatch)
            return (mustPost, mustWatch, Unchecked(hasOthers ? state.chosen : nil))
        }
        if mustPost {
            // This is a job of the main actor: after `dispatchMain()`, the main queue is served by another thread than
            // the main thread.
            Task { @MainActor [self] in
                state.change { ($0.isPosted, $0.isMainServed) = (false, true) }
                callOnMainActor()
            }
        }
        if mustWatch { ownQueue.async { [self] in watch() } }
        chosen.value?.async { [self] in callElsewhere() }
    }

    /// Calls all closures that wait for the main queue, unless another queue is calling a closure.
    @MainActor private func callOnMainActor() {
        var hasCalled = false
        while let next = takeNext(onMain: true) {
            switch next {
            case .anywhere(let body): body()
            case .onMain(let body): body()
            }
            state.change { $0.isCalling = false }
            hasCalled = true
        }
        // In the meantime, another queue may have got closures. It could not call them, because this queue was calling
        // one.
        if hasCalled { schedule() }
    }

    /// Calls all waiting closures that need not be on the main actor, unless another queue is calling a closure.
    private func callElsewhere() {
        var hasCalled = false
        while case .anywhere(let body)? = takeNext(onMain: false) {
            body()
            state.change { $0.isCalling = false }
            hasCalled = true
        }
        if hasCalled { schedule() }
    }

    /// Takes the next closure that may be called here; nil if there is none, or if another queue is calling a closure.
    private func takeNext(onMain: Bool) -> Callback? {
        state.change { state in
            guard !state.isCalling,
                let place = state.waiting.firstIndex(where: {
                    onMain ? $0.isForMain || state.chosen == nil : !$0.isForMain
                })
            else { return nil }
            state.isCalling = true
            return state.waiting.remove(at: place)
        }
    }

    /// Checks the main thread; if it waits for something other than its queue, calls the closures on this queue.
    private func watch() {
        let stand = MainThread.stand
        let (isOver, mustCall) = state.change { state -> (Bool, Bool) in
            guard state.waiting.contains(where: { !$0.isForMain }), state.chosen == nil else {
                state.isWatching = false
                return (true, false)
            }
            guard !state.isCalling, let stand, !state.isMainServed || stand.isReadingInput else {
                (state.stand, state.standCount) = (nil, 0)
                return (false, false)
            }
            // The count is not reset: if the thread still waits at the same place, later closures need not wait for as
            // long again.
            state.standCount = state.stand == stand ? state.standCount + 1 : 1
            state.stand = stand
            return (false, state.standCount >= Self.standsMost)
        }
        if isOver { return }
        if mustCall { callElsewhere() }
        ownQueue.asyncAfter(deadline: .now() + Self.interval) { [self] in watch() }
    }
}
