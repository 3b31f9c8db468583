import BatonClient
package import BatonCore

/// A progress line that appears after a second of waiting, and disappears at the end.
///
/// Only a terminal shows it, on the standard error: the output for programs and files is the same with and without.
package struct ProgressLine {
    private let what: VisibleText
    private let console: Console

    package init(_ what: VisibleText, on console: Console) { (self.what, self.console) = (what, console) }

    /// How long a wait goes on without a progress line.
    package static let silence = Duration.seconds(1)

    /// Called while waiting.
    package func tell(_ elapsed: Duration) { tell(elapsed, nil) }

    /// Called while waiting, with the progress made.
    package func tell(_ elapsed: Duration, _ detail: VisibleText?) {
        guard elapsed >= Self.silence else { return }
        console.showProgress("\(detail ?? what) … \(HumanTime.shortSpan(elapsed))")
    }
}
