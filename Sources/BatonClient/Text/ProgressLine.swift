package import BatonCore

/// A line that says what is being waited for, once that takes longer than a second, and goes when it is over.
///
/// Only a terminal gets it, on the standard error: what is printed for a program, or into a file, is the same with and
/// without.
package struct ProgressLine {
    private let what: VisibleText
    private let console: Console

    package init(_ what: VisibleText, on console: Console) { (self.what, self.console) = (what, console) }

    /// How long nobody need be told anything.
    package static let silence = Duration.seconds(1)

    /// So much time has gone by, and it is not over.
    package func tell(_ elapsed: Duration) { tell(elapsed, nil) }

    /// The same, with what there is to say of how far it has come.
    package func tell(_ elapsed: Duration, _ detail: VisibleText?) {
        guard elapsed >= Self.silence else { return }
        console.showProgress("\(detail ?? what) … \(HumanTime.shortSpan(elapsed))")
    }
}
