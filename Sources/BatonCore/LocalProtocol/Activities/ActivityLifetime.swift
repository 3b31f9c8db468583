/// The event that ends a current activity at the latest.
///
/// The activity may be finished or expire before this event.
package enum ActivityLifetime: Equatable, Sendable {
    case untilFinished
    /// The activity ends when this process ends, even if another program began the activity.
    case process(ProcessName)
    /// The activity ends when the connection over which it was begun is closed, and so also when the node ends.
    case connection

    /// The process whose end ends the activity; nil if there is no such process.
    package var process: ProcessName? { if case .process(let process) = self { process } else { nil } }
}
