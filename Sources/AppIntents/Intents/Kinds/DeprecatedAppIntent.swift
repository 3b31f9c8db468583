/// An intent that another one replaces.
@_alwaysEmitConformanceMetadata
public protocol DeprecatedAppIntent: AppIntent {
    /// The intent that replaces it.
    associatedtype ReplacementIntent: AppIntent = Never

    /// The words for people about the replacement.
    static var deprecation: IntentDeprecation<ReplacementIntent> { get }
}
