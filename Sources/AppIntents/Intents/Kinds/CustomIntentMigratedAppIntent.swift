/// An intent that takes the place of a custom intent of the library Intents.
@_alwaysEmitConformanceMetadata
public protocol CustomIntentMigratedAppIntent: AppIntent {
    /// The name of the earlier class.
    static var intentClassName: String { get }
}
