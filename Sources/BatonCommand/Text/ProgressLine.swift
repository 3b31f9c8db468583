import BatonClient
package import BatonCore
package import BatonTerminal

/// A line that shows progress.
///
/// It appears after a second of waiting, and disappears at the end. The line is shown only if the standard error is a
/// terminal. So it is never part of output that goes to programs or files.
package struct ProgressLine {
    private let what: VisibleText
    private let console: Console

    package init(_ what: VisibleText, on console: Console) { (self.what, self.console) = (what, console) }

    /// How long a wait lasts before the line appears.
    package static let silence = Duration.seconds(1)

    /// Called repeatedly during a wait, with the time that has passed.
    package func tell(_ elapsed: Duration) { tell(elapsed, nil) }

    /// Called repeatedly during a wait, with the time that has passed.
    ///
    /// `detail` replaces the text of the line.
    package func tell(_ elapsed: Duration, _ detail: VisibleText?) {
        guard elapsed >= Self.silence else { return }
        console.showProgress("\(detail ?? what) … \(HumanTime.shortSpan(elapsed))")
    }
}
