import BatonCore
import CSQLite

/// Limits the work of one connection.
///
/// The statements of the connection fail once the limit is reached or a watch stops them.
///
/// Pages of different databases may form a tree with a cycle, which SQLite would walk forever. So a connection that
/// reads damaged pages may make only a limited number of steps of SQLite's virtual machine.
final class StepLimit {
    let watch: RescueWatch
    /// The number of times that SQLite may still call this limit before statements fail; nil if there is no limit of
    /// steps.
    private var rest: Int?

    /// The number of steps that SQLite's virtual machine makes between two calls of this limit.
    private static let stepsAtOnce = 10_000

    init(_ watch: RescueWatch, steps: Int? = nil) {
        (self.watch, rest) = (watch, steps.map { $0 / Self.stepsAtOnce + 1 })
    }

    /// Whether all steps were used.
    var isExhausted: Bool { rest.map { $0 < 0 } ?? false }

    /// Whether the present statement must end now.
    ///
    /// This also counts the call, and lets the watch report progress.
    fileprivate func demandsEnd() -> Bool {
        if let count = rest { rest = count - 1 }
        watch.tell()
        return isExhausted || watch.isEnding
    }

    /// Makes SQLite call this limit at intervals.
    ///
    /// The connection must retain the limit as long as SQLite may call it.
    @unsafe func install(on handle: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            handle, Int32(Self.stepsAtOnce), askWhetherToGoOn, Unmanaged.passUnretained(self).toOpaque())
    }
}

/// Returns nonzero if the present statement must end.
///
/// SQLite calls this function at intervals.
private func askWhetherToGoOn(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 0 }
    return unsafe Unmanaged<StepLimit>.fromOpaque(context).takeUnretainedValue().demandsEnd() ? 1 : 0
}
