import BatonNetwork
import Dispatch

/// Runs an asynchronous function, and waits for its result.
///
/// A benchmark runs on the main thread, which no task needs.
func awaited<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let (answered, result) = (DispatchSemaphore(value: 0), Monitor<Result<Value, any Error>?>(nil))
    Task {
        let found: Result<Value, any Error>
        do { found = .success(try await body()) } catch { found = .failure(error) }
        result.change { $0 = found }
        answered.signal()
    }
    answered.wait()
    guard let found = result.change({ $0 }) else { throw BenchmarkFailure("a task gave no result") }
    return try found.get()
}
