import BatonCore
import CSQLite

/// Bounds the work of one connection, and makes its statements fail once a watch ends them.
///
/// Pages of different databases may form a tree that SQLite would walk without end. So a connection that reads damaged
/// pages may use a limited number of steps of SQLite's virtual machine.
final class StepLimit {
    let watch: RescueWatch
    /// How many more times SQLite may call the limit before the limit ends the statement; nil without a bound.
    private var rest: Int?

    /// The number of steps that SQLite's virtual machine makes between two calls of the limit.
    private static let stepsAtOnce = 10_000

    init(_ watch: RescueWatch, steps: Int? = nil) {
        (self.watch, rest) = (watch, steps.map { $0 / Self.stepsAtOnce + 1 })
    }

    /// Whether all steps were used.
    var isExhausted: Bool { rest.map { $0 < 0 } ?? false }

    /// Whether the statement is to end now.
    fileprivate func demandsEnd() -> Bool {
        if let count = rest { rest = count - 1 }
        watch.tell()
        return isExhausted || watch.isEnding
    }

    /// Makes SQLite call this limit; the connection must retain the limit while SQLite may call it.
    @unsafe func install(on handle: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            handle, Int32(Self.stepsAtOnce), askWhetherToGoOn, Unmanaged.passUnretained(self).toOpaque())
    }
}

/// Returns nonzero to end the statement; SQLite calls it at intervals.
private func askWhetherToGoOn(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 0 }
    return unsafe Unmanaged<StepLimit>.fromOpaque(context).takeUnretainedValue().demandsEnd() ? 1 : 0
}
