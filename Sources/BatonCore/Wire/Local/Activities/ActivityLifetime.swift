/// How long a current activity lasts at the most; it can be finished before, and it may expire.
package enum ActivityLifetime: Equatable, Sendable {
    case untilFinished
    /// Until that process ends, whoever began it.
    case process(ProcessName)
    /// Until the connection over which it was begun ends, be it because the node does.
    case connection

    /// The process with which it ends, if it does.
    package var process: ProcessName? { if case .process(let process) = self { process } else { nil } }
}
