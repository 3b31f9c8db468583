/// The rate limit for sending the changes of one activity to other devices.
///
/// In the long run, one change is sent per pause. In a burst, `atOnce` changes are sent without a pause.
///
/// Bursts let an app make two changes in a row without a delay. They also help an app that makes changes at about the
/// limit. Its changes never come at quite regular times. Without bursts, each change that comes a little early would
/// have to wait.
package struct PublishingPace: Equatable, Sendable {
    package var pause: Duration
    /// The number of changes that are sent without a pause if none was sent recently.
    package let atOnce: Int

    package init(_ limits: Limits) { (pause, atOnce) = (limits.publishingPause, limits.publishedAtOnce) }

    /// A run of sent changes that came faster than one per pause.
    struct Run: Sendable {
        let began: Instant
        fileprivate(set) var count = 1
    }

    /// Returns the time from which the next change may be sent.
    func next(after run: Run) -> Instant { run.began + pauses(max(0, run.count - atOnce + 1)) }

    /// Returns the time at which all changes of the run would have been sent at one per pause.
    ///
    /// From that time on, the run no longer delays changes.
    func end(of run: Run) -> Instant { run.began + pauses(run.count) }

    /// Returns the length of `count` pauses.
    ///
    /// The operator `*` is avoided, because it looks for the type of the number at run time.
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
