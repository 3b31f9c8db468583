import CLinux
import Glibc

/// A thread of the operating system; the code that starts a thread must join or detach it exactly once.
package struct SystemThread: Sendable {
    /// The stack size in bytes.
    ///
    /// It is large enough for name resolution and a database, and much smaller than the usual eight megabytes.
    static let stackByteCount = 512 * 1024
    /// The system's handle of the thread.
    private let handle: pthread_t

    /// Starts a thread that runs the closure; the system shows the first 15 bytes of the name.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(NetworkError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, Self.stackByteCount)

        let start = unsafe Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var handle = pthread_t()
        let number = unsafe pthread_create(&handle, &attributes, runStart, start.toOpaque())
        guard number == 0 else {
            unsafe start.release()
            throw NetworkError(number: number, operation: "start the thread \(name)")
        }
        self.handle = handle
    }

    /// Waits until the thread has ended; must not be called on that thread.
    func join() {
        let number = pthread_join(handle, nil)
        precondition(number == 0, "a thread could not be joined, which means a bug here")
    }

    /// Makes the system clean up the thread when the thread ends.
    package func detach() {
        let number = pthread_detach(handle)
        precondition(number == 0, "a thread could not be detached, which means a bug here")
    }

    /// True if the caller runs on this thread.
    package var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }
}

/// The name and the closure of a new thread; passed to the thread with a retain, which the thread releases.
private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
}

/// The C function that a new thread runs first.
private func runStart(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { preconditionFailure("a thread was started without a body") }
    let start = unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
    // A failure is ignored, because the thread also works without a name.
    _ = unsafe CLinux_name_thread(start.name)
    start.body()
    return nil
}
