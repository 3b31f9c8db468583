import CLinux
import Glibc

/// A queue of signals, for programs that wait for other events, too.
///
/// Make it on the first thread before any other starts, because threads inherit the set of blocked signals: a signal
/// that some thread does not block is delivered there instead. Releasing the queue unblocks the signals.
package struct SignalQueue: ~Copyable {
    /// A `signalfd`, readable when a signal has come.
    let source: FileDescriptor
    /// The signals that the thread blocked before.
    private var maskBefore = sigset_t()

    /// A signal that has come.
    package struct Arrival: Equatable, Sendable {
        package let signal: Int32
        /// True if the kernel sent it to all processes of the terminal, false if a process sent it to this one.
        package let isOfTerminal: Bool
    }

    /// Blocks the signals in this thread, and queues them.
    package init(_ signals: [Int32]) throws(NetworkError) {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        for signal in signals { unsafe sigaddset(&mask, signal) }
        let number = try SystemCall.run("watch for signals") {
            unsafe signalfd(-1, &mask, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        }
        source = FileDescriptor(owning: number)
        let error = unsafe pthread_sigmask(SIG_BLOCK, &mask, &maskBefore)
        precondition(error == 0, "signals could not be blocked, which means a bug here")
    }

    deinit {
        var mask = maskBefore
        let error = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        precondition(error == 0, "signals could not be unblocked, which means a bug here")
    }

    /// The descriptor, to wait for it together with others; it belongs to this queue.
    package var descriptor: Int32 { source.number }

    /// Takes the next signal; nil if there is none.
    package func next() -> Arrival? {
        var information = signalfd_siginfo()
        let file = source.number
        let (count, error) = SystemCall.attempt {
            unsafe read(file, &information, MemoryLayout<signalfd_siginfo>.size)
        }
        guard count > 0 else {
            precondition(error == EAGAIN, "signals could not be read, which means a bug here")
            return nil
        }
        return Arrival(
            signal: Int32(bitPattern: information.ssi_signo),
            isOfTerminal: information.ssi_code == Self.ofKernel)
    }

    /// Starts a program, found on `PATH` as a shell would, with the same streams and terminal, and with the signals
    /// blocked that were blocked before this queue; returns its process ID.
    package func start(_ words: [String]) throws(NetworkError) -> Int32 {
        var (process, mask) = (pid_t(), maskBefore)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setsigmask(&attributes, &mask)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var copies = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        let number = unsafe posix_spawnp(&process, words.first ?? "", nil, &attributes, &copies, environ)
        guard number == 0 else {
            throw NetworkError(number: number, operation: "start \(words.first ?? "no program")")
        }
        return process
    }

    /// Linux's `SI_KERNEL`, a macro that Swift does not import.
    private static let ofKernel: Int32 = 0x80
}
