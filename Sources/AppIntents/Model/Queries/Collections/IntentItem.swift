public import LocalizedStrings

/// A value with a title of its own.
public struct IntentItem<Result: _IntentValue>: Sendable {
    /// Collects the items of a section.
    public typealias Builder = IntentItemBuilder<Result>

    /// The value.
    public let value: Result
    /// The title, subtitle and picture.
    public let description: DisplayRepresentation

    /// Creates an item; parts that are nil come from the value.
    public init(
        _ value: Result, title: LocalizedStringResource? = nil, subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil
    ) {
        let own = (value as? any InstanceDisplayRepresentable)?.displayRepresentation
        self.value = value
        description = DisplayRepresentation(
            title: title ?? own?.title ?? "\(value._content.summary)", subtitle: subtitle ?? own?.subtitle,
            image: image ?? own?.image)
    }

    /// The item as a list shows it.
    func choice(in section: String?) -> _IntentChoice {
        _IntentChoice(
            value, title: description.text, subtitle: description.subtitle.map { String(localized: $0) },
            section: section)
    }
}
