import CLinux
import Glibc

/// Calls a closure on an event loop for each signal.
///
/// Make the watch on the first thread, before any other thread starts, for the reason given at `SignalQueue`. The loop
/// keeps the watch alive until `close()`.
package final class SignalWatch {
    /// A signal that a service handles.
    package enum Signal: Hashable, Sendable, CaseIterable {
        /// SIGTERM: a request to end the service.
        case terminate
        /// SIGINT: a person at the terminal asks the service to end.
        case interrupt
        /// SIGHUP: the terminal was closed, or somebody asks the service to read its configuration again.
        case hangUp

        /// The number of the signal.
        package var number: Int32 {
            switch self {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            case .hangUp: SIGHUP
            }
        }
    }

    private let loop: EventLoop
    /// The queue of arrived signals; nil once the watch is closed.
    private var queue: SignalQueue?
    /// The registration with the loop; nil once the watch is closed.
    private var watch: EventLoop.WatchToken?
    /// Called for each signal that arrives; released by `close()`.
    private var arrived: ((Signal) -> Void)?

    /// Blocks the signals in this thread, and calls the closure for each signal that arrives.
    package init(
        _ signals: Set<Signal> = Set(Signal.allCases), on loop: EventLoop,
        arrived: @escaping (Signal) -> Void
    ) throws(NetworkError) {
        let queue = try SignalQueue(signals.map(\.number))
        (self.loop, self.arrived) = (loop, arrived)
        watch = try loop.watch(queue.source, for: .readable, abandoned: close) { _ in self.readSignals() }
        self.queue = consume queue
    }

    /// Ends the watch and unblocks the signals; call it on the thread that made the watch.
    package func close() {
        guard let watch, let queue = queue.take() else { return }
        loop.unwatch(watch, of: queue.source)
        self.watch = nil
        arrived = nil
    }

    /// Takes all signals from the queue, and calls the closure for each.
    private func readSignals() {
        while let arrival = queue?.next() {
            for signal in Signal.allCases where signal.number == arrival.signal { arrived?(signal) }
        }
    }
}
