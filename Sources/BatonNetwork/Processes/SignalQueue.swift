import CLinux
import Glibc

/// A queue of signals, for a program that also waits for other events.
///
/// Make the queue on the first thread, before any other thread starts, because threads inherit the set of blocked
/// signals. If some thread does not block a signal, the kernel delivers the signal to that thread instead. Releasing
/// the queue unblocks the signals.
package struct SignalQueue: ~Copyable {
    /// A `signalfd`, which is readable when a signal has arrived.
    let source: FileDescriptor
    /// The signals that the thread blocked before the queue was made.
    private var maskBefore = sigset_t()

    /// A signal that has arrived.
    package struct Arrival: Equatable, Sendable {
        package let signal: Int32
        /// True if the kernel sent the signal, as it does to all processes of a terminal; false if a process sent it.
        package let isOfTerminal: Bool
    }

    /// Blocks the signals in this thread, so that they arrive in the queue.
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

    /// The descriptor, which can be polled together with others; it belongs to this queue.
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

    /// Starts a program with the same streams and terminal, and returns its process ID.
    ///
    /// The program is searched on `PATH`, as by a shell. It blocks the signals that this thread blocked before the
    /// queue was made.
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

    /// The value of Linux's `SI_KERNEL`, a macro that Swift does not import.
    private static let ofKernel: Int32 = 0x80
}
