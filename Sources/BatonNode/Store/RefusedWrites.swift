package import BatonCore

/// Decides what is logged while a disk refuses writes: a line when that begins, one with a count now and then, and one
/// when it is over.
///
/// A full disk refuses each write, and programs go on writing, so a line for each would flood the log.
package struct RefusedWrites {
    /// The time between two lines of the log.
    private let period: Duration
    private var present: Refusal?

    /// The refusals since the disk began to refuse.
    private struct Refusal {
        /// How many writes were refused, and how many of these no log line has counted yet.
        var count = 1
        var uncounted = 0
        /// When the last line was logged, and when the last write was refused.
        var logged, latest: Instant
    }

    package init(_ limits: Limits) { period = limits.refusalLogTime }

    /// Counts a write that was refused; returns the line to log, if there is one.
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

    /// Notes that a write was kept; returns the line to log if no write was refused for a while.
    package mutating func handleKept(at now: Instant) -> String? {
        guard let refusal = present, now.since(refusal.latest) >= period / 6 else { return nil }
        present = nil
        let times = refusal.count == 1 ? "1 write was" : "\(refusal.count) writes were"
        return "the disk accepts writes again; \(times) refused in the meantime"
    }
}
