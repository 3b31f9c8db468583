package import BatonCore

/// Decides which lines the log gets while a disk refuses writes.
///
/// There is one line when the disk begins to refuse writes, a line with a count from time to time, and one line when
/// the disk accepts writes again.
///
/// A full disk refuses every write, and programs continue to write. One line for each write would flood the log.
package struct RefusedWrites {
    /// The shortest time between two lines about refused writes.
    private let period: Duration
    private var present: Refusal?

    /// The writes that were refused since the disk began to refuse writes.
    private struct Refusal {
        /// The number of refused writes, and the number of those that no log line has counted yet.
        var count = 1
        var uncounted = 0
        /// The time of the last log line, and the time of the last refused write.
        var logged, latest: Instant
    }

    package init(_ limits: Limits) { period = limits.refusalLogTime }

    /// Counts a refused write.
    ///
    /// Returns the line to log; nil if none is due.
    package mutating func handleRefusal(_ text: String, at now: Instant) -> String? {
        guard var refusal = present else {
            present = Refusal(logged: now, latest: now)
            return text
        }
        refusal.count += 1
        refusal.uncounted += 1
        refusal.latest = now
        defer { present = refusal }
        guard now.since(refusal.logged) >= period else { return nil }
        let (count, time) = (refusal.uncounted, now.since(refusal.logged))
        (refusal.logged, refusal.uncounted) = (now, 0)
        return
            "\(text) (refused \(count == 1 ? "once more" : "\(count) more times") in \(time.components.seconds) s)"
    }

    /// Handles a write that was stored.
    ///
    /// Returns the line to log if no write was refused for a while; nil otherwise.
    package mutating func handleKept(at now: Instant) -> String? {
        guard let refusal = present, now.since(refusal.latest) >= period / 6 else { return nil }
        present = nil
        let times = refusal.count == 1 ? "1 write was" : "\(refusal.count) writes were"
        return "the disk accepts writes again; \(times) refused in the meantime"
    }
}
