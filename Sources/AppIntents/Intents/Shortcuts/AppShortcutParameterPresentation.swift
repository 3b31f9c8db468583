/// The tiles of a shortcut, one for each value of a parameter; Linux shows none.
public struct AppShortcutParameterPresentation<Intent: AppIntent, Value: _IntentValue>: Sendable {
    /// Creates tiles for the values that providers of options give.
    public init(
        for parameter: KeyPath<Intent, IntentParameter<Value>>,
        summary: AppShortcutParameterPresentationSummary<Intent, Value>,
        @AppShortcutOptionsCollectionsBuilder optionsCollections: () -> [any DynamicOptionsProvider]
    ) {}
}
