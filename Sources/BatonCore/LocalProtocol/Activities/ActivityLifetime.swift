/// The event that ends a current activity at the latest; the activity may be finished or expire earlier.
package enum ActivityLifetime: Equatable, Sendable {
    case untilFinished
    /// The activity ends with a process, even if another program began the activity.
    case process(ProcessName)
    /// The activity ends with the connection over which it was begun, and so with the node.
    case connection

    /// The process with which the activity ends, if there is one.
    package var process: ProcessName? { if case .process(let process) = self { process } else { nil } }
}
