import CLinux
import Glibc

/// Turns signals into calls on an event loop.
///
/// Make it on the first thread before any other starts, as each takes over what is blocked: a signal that some
/// thread does not block is delivered there instead. The loop keeps it alive until `close()`.
package final class SignalWatch {
    /// A signal that a service answers to.
    package enum Signal: Hashable, Sendable, CaseIterable {
        /// Someone asks the process to end.
        case terminate
        /// The person at the terminal asks it to end.
        case interrupt
        /// The terminal is gone, or a service is to read its configuration again.
        case hangUp

        /// The system's number for it.
        package var number: Int32 {
            switch self {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            case .hangUp: SIGHUP
            }
        }
    }

    /// The loop on which it lives.
    private let loop: EventLoop
    /// What has come; nothing once it is closed.
    private var queue: SignalQueue?
    /// The registration with the loop.
    private var watch: EventLoop.WatchToken?
    /// Who gets them; released by `close()`.
    private var arrived: ((Signal) -> Void)?

    /// Blocks the signals in this thread, and calls back for each.
    package init(
        _ signals: Set<Signal> = Set(Signal.allCases), on loop: EventLoop,
        arrived: @escaping (Signal) -> Void
    ) throws(NetworkError) {
        let queue = try SignalQueue(signals.map(\.number))
        (self.loop, self.arrived) = (loop, arrived)
        watch = try loop.watch(queue.source, for: .readable, abandoned: close) { _ in self.take() }
        self.queue = consume queue
    }

    /// Ends it, on the thread on which it was made; signals do again what they did before.
    package func close() {
        guard let watch, let queue = queue.take() else { return }
        loop.unwatch(watch, of: queue.source)
        self.watch = nil
        arrived = nil
    }

    /// Takes what has come.
    private func take() {
        while let arrival = queue?.next() {
            for signal in Signal.allCases where signal.number == arrival.signal { arrived?(signal) }
        }
    }
}
