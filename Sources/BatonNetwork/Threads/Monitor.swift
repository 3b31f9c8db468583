import CLinux
import Glibc

/// A value that threads share, one at a time, and can wait for.
///
/// Unchecked because the compiler can't see that `state` is touched only while the mutex is held.
@safe final class Monitor<State: Sendable>: @unchecked Sendable {
    /// Held by whoever is inside; owned here, at a fixed address as the system wants it.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Where others wait for a change; owned here as well.
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The value.
    private var state: State

    init(_ state: State) {
        self.state = state
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe Self.require(pthread_mutex_init(mutex, nil))
        unsafe Self.require(pthread_cond_init(condition, nil))
    }

    deinit {
        unsafe Self.require(pthread_cond_destroy(condition))
        unsafe Self.require(pthread_mutex_destroy(mutex))
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Changes the value, and wakes who waits for it.
    func change<Value>(_ body: (inout State) -> Value) -> Value {
        unsafe Self.require(pthread_mutex_lock(mutex))
        defer { unsafe Self.require(pthread_mutex_unlock(mutex)) }
        let value = body(&state)
        unsafe Self.require(pthread_cond_broadcast(condition))
        return value
    }

    /// Waits until the body finds what it needs, and takes it.
    func wait<Value>(for body: (inout State) -> Value?) -> Value {
        unsafe Self.require(pthread_mutex_lock(mutex))
        defer { unsafe Self.require(pthread_mutex_unlock(mutex)) }
        while true {
            if let value = body(&state) { return value }
            unsafe Self.require(pthread_cond_wait(condition, mutex))
        }
    }

    /// None of these calls fails in a program that uses them rightly.
    private static func require(_ number: Int32) {
        precondition(number == 0, "a lock failed with error \(number), which means a bug here")
    }
}
