import Synchronization

/// A lock, with the state that it protects.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// The lock and the state, which are shared by all copies of this value.
    ///
    /// Unchecked because the state is used under the lock only.
    private final class Storage: @unchecked Sendable {
        let mutex = Mutex<Void>(())
        var state: State

        init(_ state: State) { self.state = state }
    }

    private let storage: Storage

    /// Creates a lock with a state that can't be sent to other threads; the state must not be used elsewhere.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    /// Calls a closure with the state, while nothing else can use it.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try storage.mutex.withLock { _ in try body(&storage.state) }
    }

    /// Calls a closure with the state, while nothing else can use it.
    public func withLock<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result { try withLockUnchecked(body) }

    /// Calls a closure with the state if nothing else uses it; else returns nil.
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

    /// Calls a closure, while nothing else can have the lock.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }

    /// Calls a closure, while nothing else can have the lock.
    public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }
}
