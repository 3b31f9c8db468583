public import LocalizedStrings

/// The words for people about an intent that another one replaces.
public struct IntentDeprecation<Replacement: AppIntent>: Sendable {
    /// The words of the app; nil if it gives none.
    public let message: LocalizedStringResource?
    /// The name of the replacement; nil if there is none.
    package let replacement: String?

    /// Creates words about a replacement.
    public init(message: LocalizedStringResource, replacedBy type: Replacement.Type) {
        (self.message, replacement) = (message, type.persistentIdentifier)
    }

    /// Names a replacement.
    public init(replacedBy type: Replacement.Type) {
        (message, replacement) = (nil, type.persistentIdentifier)
    }
}

extension IntentDeprecation where Replacement == Never {
    /// Creates words about an intent without a replacement.
    public init(message: LocalizedStringResource) {
        (self.message, replacement) = (message, nil)
    }
}
