import BatonNetwork
import Foundation

/// Delivers the events of one stream to its delegate, on the run loops in which the stream is scheduled.
///
/// On Linux, the streams of Foundation never call their delegates. A timer is the only kind of source that a program
/// can add to a run loop. So there is a timer for each run loop, which is set to fire immediately when there is an
/// event.
final class StreamEvents: Sendable {
    private let state = Monitor(State())

    /// `@unchecked` because the compiler can't see that only one thread at a time uses the app's own objects.
    private struct State: @unchecked Sendable {
        var schedules: [Schedule] = []
        weak var delegate: (any StreamDelegate)?
        /// The events that have not been delivered yet.
        var waiting: Stream.Event = []
        /// The events of `once` that have already been posted.
        var told: Stream.Event = []
    }

    private struct Schedule {
        let loop: RunLoop
        let mode: RunLoop.Mode
        let timer: Timer
    }

    /// The events that a stream posts only once.
    private static let once: Stream.Event = [.openCompleted, .endEncountered, .errorOccurred]

    /// The delegate of the stream, which is held weakly.
    var delegate: (any StreamDelegate)? {
        get { state.change { Unchecked($0.delegate) }.value }
        set {
            let delegate = Unchecked(newValue)
            state.change { $0.delegate = delegate.value }
        }
    }

    /// Begins to deliver the events of the stream on a run loop in this mode.
    func schedule(_ stream: Stream, in loop: RunLoop, forMode mode: RunLoop.Mode) {
        // The timer belongs to the run loop, which calls its closure on its own thread.
        let weakStream = WeakStream(stream)
        let timer = Timer(fire: .distantFuture, interval: Self.never, repeats: true) { [weak self] _ in
            guard let stream = weakStream.object else { return }
            self?.tell(stream)
        }
        loop.add(timer, forMode: mode)
        let schedule = Unchecked(Schedule(loop: loop, mode: mode, timer: timer))
        state.change { $0.schedules.append(schedule.value) }
        wake()
    }

    /// Stops delivering events on a run loop in this mode.
    func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {
        let loop = Unchecked(loop)
        let timers = state.change { state in
            let removed = state.schedules.filter { $0.loop === loop.value && $0.mode == mode }
            state.schedules.removeAll { $0.loop === loop.value && $0.mode == mode }
            return Unchecked(removed.map(\.timer))
        }
        for timer in timers.value { timer.invalidate() }
    }

    /// Stops delivering events on all run loops, because the stream is closed.
    func removeAll() {
        let timers = state.change { state in
            defer { state.schedules = [] }
            return Unchecked(state.schedules.map(\.timer))
        }
        for timer in timers.value { timer.invalidate() }
    }

    /// Adds events that must be delivered, and wakes the run loops.
    func post(_ events: Stream.Event) {
        let isNew = state.change { state in
            let news = events.subtracting(state.told)
            state.waiting.formUnion(news)
            state.told.formUnion(news.intersection(Self.once))
            return !news.isEmpty
        }
        if isNew { wake() }
    }

    private func wake() {
        let timers = state.change { state in
            Unchecked(state.waiting.isEmpty ? [] : state.schedules.map(\.timer))
        }
        for timer in timers.value { timer.fireDate = Date() }
    }

    /// Delivers the waiting events to the delegate, one after the other.
    private func tell(_ stream: Stream) {
        let order: [Stream.Event] = [
            .openCompleted, .hasBytesAvailable, .hasSpaceAvailable, .errorOccurred, .endEncountered,
        ]
        for event in order {
            let isDue = state.change { $0.waiting.remove(event) != nil }
            if isDue { delegate?.stream(stream, handle: event) }
        }
    }

    /// An interval of a timer that is so long that the timer never repeats.
    private static let never: TimeInterval = 1e9
}

/// A weak reference to a stream, which other threads use to tell the stream of changes.
///
/// `@unchecked` because Foundation does not say that streams may be passed between threads; the streams of this module
/// may.
struct WeakStream<Object: Stream>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
