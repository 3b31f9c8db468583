public import Foundation

/// Changes that a focus makes outside of an app's window.
///
/// Unchecked: a predicate never changes, but its class does not say so.
public struct FocusFilterAppContext: @unchecked Sendable {
    /// The notifications that are shown; nil for all.
    public let notificationFilterPredicate: NSPredicate?
    /// The beginning of the identifiers of content that is shown; nil for all.
    public let targetContentIdentifierPrefix: String?

    /// Creates a context.
    public init(
        notificationFilterPredicate: NSPredicate? = nil, targetContentIdentifierPrefix: String? = nil
    ) {
        self.notificationFilterPredicate = notificationFilterPredicate
        self.targetContentIdentifierPrefix = targetContentIdentifierPrefix
    }
}
