package import Foundation

/// The progress of an intent.
///
/// Unchecked: `Progress` of Foundation may be used on any thread, but its declaration does not say so.
package final class IntentProgress: @unchecked Sendable {
    /// The progress, which the app changes.
    package let progress = Progress(totalUnitCount: 0)
}
