import Synchronization

/// A lock, together with the state that it protects.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// The lock and the state, which all copies of this value share.
    ///
    /// `@unchecked` because the compiler can't see that the state is used only while the lock is held.
    private final class Storage: @unchecked Sendable {
        let mutex = Mutex<Void>(())
        var state: State

        init(_ state: State) { self.state = state }
    }

    private let storage: Storage

    /// Creates a lock with a state that is not `Sendable`; the caller must not use the state elsewhere.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    /// Calls a closure with the state while the lock is held.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try storage.mutex.withLock { _ in try body(&storage.state) }
    }

    /// Calls a closure with the state while the lock is held.
    public func withLock<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result { try withLockUnchecked(body) }

    /// Calls a closure with the state while the lock is held; if another thread holds the lock, returns nil.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? { try storage.mutex.withLockIfAvailable { _ in try body(&storage.state) } }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// Creates a lock with a state.
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Creates a lock without a state.
    public init() { self.init(uncheckedState: ()) }

    /// Calls a closure while the lock is held.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }

    /// Calls a closure while the lock is held.
    public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }
}
