import CLinux
import Glibc

/// A value that threads share: only one thread uses it at a time, and threads can wait until it changes.
///
/// This type is also used where no thread waits, because the thread sanitizer does not understand the `Mutex` of Swift.
///
/// `@unchecked` because the compiler can't see that `state` is used only while the mutex is held.
@safe package final class Monitor<State: ~Copyable & Sendable>: @unchecked Sendable {
    /// Held while a thread uses `state`; it is allocated here because the system needs a fixed address.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Signalled after each change of `state`; it is allocated here because the system needs a fixed address.
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    package init(_ state: consuming State) {
        self.state = state
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe Self.require(pthread_mutex_init(mutex, nil))
        var attributes = pthread_condattr_t()
        unsafe Self.require(pthread_condattr_init(&attributes))
        // A wait with a time limit must not use the time of day, because that clock may jump.
        unsafe Self.require(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
        unsafe Self.require(pthread_cond_init(condition, &attributes))
        unsafe Self.require(pthread_condattr_destroy(&attributes))
    }

    deinit {
        unsafe Self.require(pthread_cond_destroy(condition))
        unsafe Self.require(pthread_mutex_destroy(mutex))
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Changes the value, and wakes the threads that wait for a change.
    package func change<Value>(_ body: (inout State) -> Value) -> Value {
        unsafe Self.require(pthread_mutex_lock(mutex))
        return changeAndUnlock(body)
    }

    /// Changes the value as `change` does; if another thread is using the value, does nothing and returns nil.
    package func changeIfFree<Value>(_ body: (inout State) -> Value) -> Value? {
        let number = unsafe pthread_mutex_trylock(mutex)
        if number == EBUSY { return nil }
        Self.require(number)
        return changeAndUnlock(body)
    }

    /// Waits until the closure returns a value; the closure is called immediately and after each change.
    package func wait<Value>(for body: (inout State) -> Value?) -> Value {
        unsafe Self.require(pthread_mutex_lock(mutex))
        defer { unsafe Self.require(pthread_mutex_unlock(mutex)) }
        while true {
            if let value = body(&state) { return value }
            unsafe Self.require(pthread_cond_wait(condition, mutex))
        }
    }

    /// Waits as `wait(for:)` does, but at most for this time; returns nil if the time is over.
    package func wait<Value>(within time: Duration, for body: (inout State) -> Value?) -> Value? {
        var deadline = timespec()
        SystemCall.must("clock_gettime") { unsafe clock_gettime(CLOCK_MONOTONIC, &deadline) }
        let end = Int64(deadline.tv_sec) * Self.second + Int64(deadline.tv_nsec) + max(time.nanoseconds, 0)
        (deadline.tv_sec, deadline.tv_nsec) = (Int(end / Self.second), Int(end % Self.second))
        unsafe Self.require(pthread_mutex_lock(mutex))
        defer { unsafe Self.require(pthread_mutex_unlock(mutex)) }
        while true {
            if let value = body(&state) { return value }
            let number = unsafe pthread_cond_timedwait(condition, mutex, &deadline)
            if number == ETIMEDOUT { return body(&state) }
            Self.require(number)
        }
    }

    /// Changes the value, for a caller that holds the mutex; then unlocks the mutex and wakes the waiting threads.
    ///
    /// If the threads were woken while the mutex is held, each of them would only wait again.
    private func changeAndUnlock<Value>(_ body: (inout State) -> Value) -> Value {
        let value = body(&state)
        unsafe Self.require(pthread_mutex_unlock(mutex))
        unsafe Self.require(pthread_cond_broadcast(condition))
        return value
    }

    /// The number of nanoseconds in a second.
    private static var second: Int64 { 1_000_000_000 }

    /// Stops the program if a call failed, which can only happen because of a bug.
    private static func require(_ number: Int32) {
        precondition(number == 0, "a lock failed with error \(number), which means a bug here")
    }
}
