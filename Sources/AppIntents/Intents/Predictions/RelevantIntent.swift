/// An intent that is likely to be wanted at a time or in a place; nothing on Linux shows it, so nothing of it is kept.
public struct RelevantIntent: Sendable {
    /// Creates a hint.
    public init(_ intent: some WidgetConfigurationIntent, widgetKind: String, relevance: RelevantContext) {}
}
