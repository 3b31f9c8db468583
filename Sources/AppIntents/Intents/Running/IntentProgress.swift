package import Foundation

/// How far an intent is.
///
/// Unchecked because `Progress` of Foundation may be used on any thread, which its declaration does not say.
package final class IntentProgress: @unchecked Sendable {
    /// The progress, which the app changes.
    package let progress = Progress(totalUnitCount: 0)
}
