public import LocalizedStrings

/// A value with a title of its own.
public struct IntentItem<Result: _IntentValue>: Sendable {
    /// Collects the items of a section.
    public typealias Builder = IntentItemBuilder<Result>

    /// The value.
    public let value: Result
    /// The title, subtitle and picture; nil if the value's own are shown.
    public let displayRepresentation: DisplayRepresentation?

    /// Creates an item; what is nil is taken from the value.
    public init(
        _ value: Result, title: LocalizedStringResource? = nil, subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil
    ) {
        self.value = value
        let own = (value as? any InstanceDisplayRepresentable)?.displayRepresentation
        guard let title = title ?? own?.title else {
            displayRepresentation = nil
            return
        }
        displayRepresentation = DisplayRepresentation(
            title: title, subtitle: subtitle ?? own?.subtitle, image: image ?? own?.image)
    }

    /// The item as a list shows it.
    func choice(in section: String?) -> _IntentChoice {
        _IntentChoice(
            value, title: displayRepresentation?.text,
            subtitle: displayRepresentation?.subtitle.map { String(localized: $0) }, section: section)
    }
}
