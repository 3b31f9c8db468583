import BatonNetwork
import Dispatch
import Foundation

/// Calls closures of the app one after the other: on the main queue if the program runs one, and else on a queue of its
/// own.
///
/// A program need not say which it is. Each closure is given to the main queue. If the main thread neither takes it nor
/// moves for a while, it waits for something else, such as a line of input, and the closure is called on the other queue.
/// A main thread that works is waited for, however long that takes. Once the main queue has taken a closure, the program
/// runs it, and closures are called elsewhere only while the main thread waits for input from a terminal or a pipe.
final class CallbackQueue: Sendable {
    /// The queue for programs that don't run the main queue.
    private let ownQueue = DispatchQueue(label: "org.baton.callbacks")
    private let state = Monitor(State())

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// Whether a closure is being called; the others wait for it, wherever they are to be called.
        var isCalling = false
        /// Whether the main queue has been given something that it has not taken yet.
        var isPosted = false
        /// Whether the main queue has ever taken something.
        var isMainServed = false
        var isWatching = false
        /// The place where the main thread waited when it was looked at last, and how often it was found there.
        var stand: MainThread.Stand?
        var standCount = 0
        /// The queue that the app chose.
        var chosen: DispatchQueue?
    }

    /// How often the main thread is looked at while closures wait.
    private static let interval = DispatchTimeInterval.milliseconds(25)
    /// How often it must be found at the same place.
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

    /// Calls the closure after all that were given before.
    func call(_ body: @escaping @Sendable () -> Void) {
        state.change { $0.waiting.append(body) }
        if let chosen { return chosen.async { [self] in callWaiting() } }
        let (mustPost, mustWatch) = state.change { state in
            defer { (state.isPosted, state.isWatching) = (true, true) }
            return (!state.isPosted, !state.isWatching)
        }
        if mustPost {
            DispatchQueue.main.async { [self] in
                state.change { ($0.isPosted, $0.isMainServed) = (false, true) }
                callWaiting()
            }
        }
        if mustWatch { ownQueue.async { [self] in watch() } }
    }

    /// Calls all closures that wait, unless another queue is calling one.
    private func callWaiting() {
        while true {
            let next = state.change { state -> (@Sendable () -> Void)? in
                guard !state.isCalling, !state.waiting.isEmpty else { return nil }
                state.isCalling = true
                return state.waiting.removeFirst()
            }
            guard let next else { return }
            next()
            state.change { $0.isCalling = false }
        }
    }

    /// Looks at the main thread; calls the closures here if it waits for something other than its queue.
    private func watch() {
        let stand = MainThread.stand
        let (isOver, mustCall) = state.change { state -> (Bool, Bool) in
            guard !state.waiting.isEmpty, state.chosen == nil else {
                state.isWatching = false
                return (true, false)
            }
            guard !state.isCalling, let stand, !state.isMainServed || stand.isReadingInput else {
                (state.stand, state.standCount) = (nil, 0)
                return (false, false)
            }
            // A thread that still waits where it was found to wait before needs no further look.
            state.standCount = state.stand == stand ? state.standCount + 1 : 1
            state.stand = stand
            return (false, state.standCount >= Self.standsMost)
        }
        if isOver { return }
        if mustCall { callWaiting() }
        ownQueue.asyncAfter(deadline: .now() + Self.interval) { [self] in watch() }
    }
}
