public import LocalizedStrings

/// An intent that takes the place of a custom intent of the library Intents.
public protocol CustomIntentMigratedAppIntent: AppIntent {
    /// The name of the earlier class.
    static var intentClassName: String { get }
}

/// An intent that another one replaces.
public protocol DeprecatedAppIntent: AppIntent {
    /// The intent that replaces it.
    associatedtype ReplacementIntent: AppIntent = Never

    /// What people are told about the replacement.
    static var deprecation: IntentDeprecation<ReplacementIntent> { get }
}

/// What people are told about an intent that another one replaces.
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

extension Never: AppIntent {
    /// Never called: there is no such intent.
    public init() { preconditionFailure("there is no intent of type Never") }
    /// An empty name.
    public static var title: LocalizedStringResource { "" }
    /// Never called: there is no such intent.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}
