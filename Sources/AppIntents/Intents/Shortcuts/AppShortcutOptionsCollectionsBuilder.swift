/// Collects the groups of tiles of a shortcut.
@resultBuilder public struct AppShortcutOptionsCollectionsBuilder {
    /// Takes a group.
    public static func buildExpression<Provider>(
        _ collection: AppShortcutOptionsCollection<Provider>
    ) -> [any DynamicOptionsProvider] { [collection.provider] }
    /// Joins groups.
    public static func buildBlock(_ groups: [any DynamicOptionsProvider]...) -> [any DynamicOptionsProvider] {
        groups.flatMap(\.self)
    }
}
