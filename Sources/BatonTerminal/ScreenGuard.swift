import BatonClient
import BatonCore
import Glibc
import Synchronization

/// Restores the terminal if a signal ends the process while a list is on the screen, and notes that the process was
/// stopped and continues.
///
/// A queue of signals needs them to be blocked in all threads of the process, and threads of the app are not known here.
/// So signals are handled where they arrive. Each one then does what it did before: it ends the process, or calls the
/// handler of the app. Only one value exists at a time.
struct ScreenGuard: ~Copyable {
    /// The signals that end a process: those that others send, and those of a crash.
    private static let ends = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
    ]

    /// Notes the settings of the terminal, and handles signals from now on.
    init() throws(LocalFailure) {
        guard tcgetattr(STDIN_FILENO, handled.settings) == 0 else {
            throw LocalFailure(.failed, "The terminal can't be set up: \(SystemText.of(errno)).")
        }
        hasContinued.store(false, ordering: .relaxed)
        for signal in Self.ends { handle(signal, restoreTerminal) }
        handle(SIGCONT, noteContinuation)
    }

    deinit { for signal in Self.ends + [SIGCONT] { sigaction(signal, handled.earlier + Int(signal), nil) } }

    private func handle(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        // A stack that is exhausted can't hold the frame of a handler.
        action.sa_flags = SA_RESTART | SA_ONSTACK
        let earlier = handled.earlier + Int(signal)
        sigaction(signal, &action, earlier)
        // A signal that is ignored, as by `nohup`, stays so.
        if unsafeBitCast(earlier.pointee.__sigaction_handler.sa_handler, to: Int.self) == Self.ignored {
            sigaction(signal, earlier, nil)
        }
    }

    /// The value of `SIG_IGN`.
    private static let ignored = 1

    /// Returns whether the process was stopped and has continued since the last call.
    func takeContinuation() -> Bool { hasContinued.exchange(false, ordering: .relaxed) }
}

/// The things that a handler uses, at addresses that never change.
///
/// A handler may interrupt any code, so it allocates nothing and calls only functions that POSIX allows there.
/// `@unchecked` because the signals are handled only while the one `ScreenGuard` has finished writing.
private struct HandledScreen: @unchecked Sendable {
    /// The settings of the terminal before the list was shown.
    let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The bytes that bring back the previous screen.
    let farewell: UnsafeMutableBufferPointer<UInt8>
    /// The actions that signals had before, by their numbers.
    let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    init() {
        let bytes = Array(RawTerminal.farewell.utf8)
        farewell = .allocate(capacity: bytes.count)
        _ = farewell.initialize(from: bytes)
        settings.initialize(to: termios())
        earlier.initialize(repeating: sigaction(), count: 65)
    }
}

/// Used by the guard before a handler can use it, so the handler never waits for its initialization.
private let handled = HandledScreen()
private let hasContinued = Atomic(false)

private let restoreTerminal: @convention(c) (Int32) -> Void = { signal in
    tcsetattr(STDIN_FILENO, TCSANOW, handled.settings)
    // Nobody could be told that this failed.
    _ = write(STDOUT_FILENO, handled.farewell.baseAddress, handled.farewell.count)
    sigaction(signal, handled.earlier + Int(signal), nil)
    // The signal is blocked until this function returns, and then does what it did before.
    raise(signal)
}

private let noteContinuation: @convention(c) (Int32) -> Void = { _ in
    hasContinued.store(true, ordering: .relaxed)
}
