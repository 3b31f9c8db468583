public import Foundation

/// The circumstances in which an intent is performed.
public struct IntentSystemContext: Sendable {
    /// The mode in which the intent is performed.
    public let currentMode: IntentModes.Current
    /// The most exact time at which the intent was asked for.
    public let preciseTimestamp: Date?
}
