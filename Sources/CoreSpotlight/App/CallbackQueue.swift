import BatonNetwork
import Dispatch
import Foundation

/// Calls closures of the app one after the other: on the main queue if the program runs one, and else on a queue of its
/// own.
///
/// A program need not say which it is. Each closure is given to the main queue. If the main thread neither takes it nor
/// moves for a while, it waits for something else, such as a line of input, and the closure is called on the other
/// queue. A main thread that is busy is waited for, however long that takes. Once the main queue has taken a closure,
/// the program is known to run it, and closures are called on the other queue only while the main thread waits for
/// input from a terminal or a pipe.
///
/// A closure for the main actor waits until the main queue takes it. Closures that come in the meantime don't wait for
/// it, unless they, too, are called on the main queue.
final class CallbackQueue: Sendable {
    /// The queue for programs that don't run the main queue.
    private let ownQueue = DispatchQueue(label: "org.baton.callbacks")
    private let state = Monitor(State())

    private struct State {
        var waiting: [Callback] = []
        /// Whether a closure is being called; the others wait for it, wherever they are to be called.
        var isCalling = false
        /// Whether the main queue has been given a job that it has not taken yet.
        var isPosted = false
        /// Whether the main queue has ever taken a job.
        var isMainServed = false
        var isWatching = false
        /// The place where the main thread waited when it was looked at last, and how often it was found there.
        var stand: MainThread.Stand?
        var standCount = 0
        /// The queue that the app chose.
        var chosen: DispatchQueue?
    }

    /// A closure, by where it may be called.
    private enum Callback: Sendable {
        case anywhere(@Sendable () -> Void)
        case onMain(@MainActor @Sendable () -> Void)

        var isForMain: Bool { if case .onMain = self { true } else { false } }
    }

    /// How often the main thread is looked at while closures wait.
    private static let interval = DispatchTimeInterval.milliseconds(25)
    /// How often the main thread must be found at the same place before closures are called on the other queue.
    private static let standsMost = 8

    init() {
        DispatchQueue.main.async { [self] in state.change { $0.isMainServed = true } }
    }

    /// The queue that the app chose; nil for the rule above.
    var chosen: DispatchQueue? {
        get { state.change { Unchecked($0.chosen) }.value }
        set {
            let queue = Unchecked(newValue)
            state.change { $0.chosen = queue.value }
        }
    }

    /// Calls the closure after all earlier closures.
    func call(_ body: @escaping @Sendable () -> Void) { add(.anywhere(body)) }

    /// Calls the closure on the main actor, after all earlier closures; it waits for as long as the program does not
    /// run the main queue.
    func callOnMain(_ body: @escaping @MainActor @Sendable () -> Void) { add(.onMain(body)) }

    private func add(_ callback: Callback) {
        state.change { $0.waiting.append(callback) }
        schedule()
    }

    /// Has the queues call the waiting closures.
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
            // A job of the main actor, because after `dispatchMain()` another thread than the main thread serves the
            // main queue.
            Task { @MainActor [self] in
                state.change { ($0.isPosted, $0.isMainServed) = (false, true) }
                callOnMainActor()
            }
        }
        if mustWatch { ownQueue.async { [self] in watch() } }
        chosen.value?.async { [self] in callElsewhere() }
    }

    /// Calls all closures that wait for the main queue, unless another queue is calling one.
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
        // Closures for another queue that came in the meantime were not called, because this queue was calling.
        if hasCalled { schedule() }
    }

    /// Calls all closures that wait and are not for the main actor, unless another queue is calling one.
    private func callElsewhere() {
        var hasCalled = false
        while case .anywhere(let body)? = takeNext(onMain: false) {
            body()
            state.change { $0.isCalling = false }
            hasCalled = true
        }
        if hasCalled { schedule() }
    }

    /// Takes the next closure that may be called here; nil if there is none, or if another queue is calling one.
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

    /// Looks at the main thread; calls the closures here if it waits for something other than its queue.
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
            // The count goes on: a thread that still waits at the same place need not be observed for another period.
            state.standCount = state.stand == stand ? state.standCount + 1 : 1
            state.stand = stand
            return (false, state.standCount >= Self.standsMost)
        }
        if isOver { return }
        if mustCall { callElsewhere() }
        ownQueue.asyncAfter(deadline: .now() + Self.interval) { [self] in watch() }
    }
}
