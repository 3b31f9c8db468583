import LocalizedStrings

/// A value of a collection as a list shows it.
public struct _IntentChoice: Sendable {
    /// The value.
    public let value: any _IntentValue
    /// The title.
    public let title: String
    /// The line below the title.
    public let subtitle: String?
    /// Other words for the value.
    public let synonyms: [String]
    /// The title of the section with the value.
    public let section: String?

    package init(
        _ value: any _IntentValue, title: String? = nil, subtitle: String? = nil,
        section: String? = nil
    ) {
        let representation = (value as? any InstanceDisplayRepresentable)?.displayRepresentation
        self.value = value
        self.title = title ?? representation?.text ?? value._content.summary
        self.subtitle = subtitle ?? representation?.subtitle.map { String(localized: $0) }
        synonyms = representation?.synonyms.map { String(localized: $0) } ?? []
        self.section = section
    }
}
