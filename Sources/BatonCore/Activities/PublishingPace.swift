/// The rate limit for sending changes of one activity: one per pause in the long run, with bursts of `atOnce`.
///
/// Bursts let an app make two changes in a row without a delay. And an app that makes changes at about the limit is
/// never quite regular: without bursts, each change that came a little early would wait.
package struct PublishingPace: Equatable, Sendable {
    package var pause: Duration
    /// How many changes are sent without a pause if none was sent recently.
    package let atOnce: Int

    package init(_ limits: Limits) { (pause, atOnce) = (limits.publishingPause, limits.publishedAtOnce) }

    /// A run of sent changes, which would not all have been sent yet at one per pause.
    struct Run: Sendable {
        let began: Instant
        fileprivate(set) var count = 1
    }

    /// Returns when the next change may be sent.
    func next(after run: Run) -> Instant { run.began + pauses(max(0, run.count - atOnce + 1)) }

    /// Returns when all changes of the run would have been sent at one per pause; from then on they do not count.
    func end(of run: Run) -> Instant { run.began + pauses(run.count) }

    /// Returns the length of `count` pauses.
    ///
    /// It is not computed by `*`, which looks for the type of the number at run time.
    private func pauses(_ count: Int) -> Duration {
        let (seconds, attoseconds) = pause.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        return .nanoseconds(nanoseconds * Int64(count))
    }

    /// Returns the run with one more change, which is sent now.
    func add(to run: Run?, at now: Instant) -> Run {
        guard var run, now < end(of: run) else { return Run(began: now) }
        run.count += 1
        return run
    }
}
