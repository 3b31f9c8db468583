public import LocalizedStrings

/// A group of tiles for the values of a provider.
public struct AppShortcutOptionsCollection<Provider: DynamicOptionsProvider> {
    let provider: Provider

    /// Creates a group with a title and a picture.
    public init(_ provider: Provider, title: LocalizedStringResource, systemImageName: String) {
        self.provider = provider
    }
}
