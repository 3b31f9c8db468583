/// Configures a widget; Linux shows none.
@_alwaysEmitConformanceMetadata
public protocol WidgetConfigurationIntent: SystemIntent {}

extension WidgetConfigurationIntent {
    /// Does nothing: the intent only has values.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}
