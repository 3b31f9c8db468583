/// Configures a control; Linux shows none.
@_alwaysEmitConformanceMetadata
public protocol ControlConfigurationIntent: SystemIntent {}

extension ControlConfigurationIntent {
    /// Does nothing: the intent only has values.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}
