public import Foundation

/// The circumstances in which an intent is performed.
public struct IntentSystemContext: Sendable {
    /// The mode in which the intent is performed.
    public let currentMode: IntentModes.Current
    /// The exact time at which the intent was requested.
    public let preciseTimestamp: Date?
}
