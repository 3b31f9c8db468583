/// An intent that is likely to be wanted at a time or in a place.
public struct RelevantIntent: Sendable {
    /// The name of the intent's type.
    package let intent: any WidgetConfigurationIntent
    /// The widget that shows it; Linux shows none.
    package let widgetKind: String
    /// When it is likely to be wanted.
    package let relevance: RelevantContext

    /// Creates a hint.
    public init(_ intent: some WidgetConfigurationIntent, widgetKind: String, relevance: RelevantContext) {
        (self.intent, self.widgetKind, self.relevance) = (intent, widgetKind, relevance)
    }
}
