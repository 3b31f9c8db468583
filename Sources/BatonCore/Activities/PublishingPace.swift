/// How often changes of one activity go out: one a pause in the long run, and a few at once before that holds.
///
/// An app that changes two things one after the other should not wait for the second. And an app that changes at about
/// that rate is never quite regular: without the few at once, each change that came a little early would wait.
package struct PublishingPace: Equatable, Sendable {
    package var pause: Duration
    /// How many changes go out without a pause where none went out lately.
    package let atOnce: Int

    package init(_ limits: Limits) { (pause, atOnce) = (limits.publishingPause, limits.publishedAtOnce) }

    /// Changes that went out, and would not be through yet at one a pause.
    struct Run: Sendable {
        let began: Instant
        fileprivate(set) var count = 1
    }

    /// Returns when the next change may go out.
    func next(after run: Run) -> Instant { run.began + pauses(max(0, run.count - atOnce + 1)) }

    /// Returns when the changes would be through at one a pause, and count no more.
    func end(of run: Run) -> Instant { run.began + pauses(run.count) }

    /// Returns the length of `count` pauses.
    ///
    /// It is not computed by `*`, which looks for the type of the number at run time.
    private func pauses(_ count: Int) -> Duration {
        let (seconds, attoseconds) = pause.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        return .nanoseconds(nanoseconds * Int64(count))
    }

    /// Returns the changes with one more, which goes out now.
    func add(to run: Run?, at now: Instant) -> Run {
        guard var run, now < end(of: run) else { return Run(began: now) }
        run.count += 1
        return run
    }
}
