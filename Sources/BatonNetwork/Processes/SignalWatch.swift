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
    /// Readable when a signal has come.
    private var source: FileDescriptor
    /// The registration with the loop.
    private var watch: EventLoop.WatchToken?
    /// What the thread blocked before.
    private var maskBefore = sigset_t()
    /// Who gets them; released by `close()`.
    private var arrived: ((Signal) -> Void)?

    /// Blocks the signals in this thread, and calls back for each.
    package init(
        _ signals: Set<Signal> = Set(Signal.allCases), on loop: EventLoop,
        arrived: @escaping (Signal) -> Void
    ) throws(NetworkError) {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        for signal in signals { unsafe sigaddset(&mask, signal.number) }
        let number = try SystemCall.run("watch for signals") {
            unsafe signalfd(-1, &mask, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        }
        source = FileDescriptor(owning: number)
        (self.loop, self.arrived) = (loop, arrived)
        watch = try loop.watch(source, for: .readable, abandoned: close) { _ in self.take() }
        let error = unsafe pthread_sigmask(SIG_BLOCK, &mask, &maskBefore)
        precondition(error == 0, "signals could not be blocked, which means a bug here")
    }

    /// Ends it, on the thread on which it was made; signals do again what they did before.
    package func close() {
        guard let watch else { return }
        loop.unwatch(watch, of: source)
        self.watch = nil
        arrived = nil
        source.close()
        let error = unsafe pthread_sigmask(SIG_SETMASK, &maskBefore, nil)
        precondition(error == 0, "signals could not be unblocked, which means a bug here")
    }

    /// Takes what has come.
    private func take() {
        while watch != nil {
            var information = signalfd_siginfo()
            let file = source.number
            let (count, error) = SystemCall.attempt {
                unsafe read(file, &information, MemoryLayout<signalfd_siginfo>.size)
            }
            guard count > 0 else {
                precondition(error == EAGAIN, "signals could not be read, which means a bug here")
                return
            }
            for signal in Signal.allCases where UInt32(signal.number) == information.ssi_signo {
                arrived?(signal)
            }
        }
    }
}
