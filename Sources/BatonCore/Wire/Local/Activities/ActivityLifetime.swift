/// How long a current activity lasts at most; it may be finished or expire earlier.
package enum ActivityLifetime: Equatable, Sendable {
    case untilFinished
    /// Until that process ends, whichever program began the activity.
    case process(ProcessName)
    /// Until the connection over which it was begun ends, also because the node ends.
    case connection

    /// The process with which the activity ends, if there is one.
    package var process: ProcessName? { if case .process(let process) = self { process } else { nil } }
}
