/// Has an app's window show the content with an identifier.
@_alwaysEmitConformanceMetadata
public protocol TargetContentProvidingIntent: AppIntent {
    /// The identifier of what the window shows.
    var contentIdentifier: String { get }
}

extension TargetContentProvidingIntent {
    /// The name of the intent's type.
    public var contentIdentifier: String { Self.persistentIdentifier }
    /// Does nothing: the app shows what belongs to the identifier.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}
