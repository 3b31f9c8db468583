public import LocalizedStrings

/// Values under one title.
public struct IntentItemSection<Result: _IntentValue>: Sendable {
    /// Collects the sections of a collection.
    public typealias Builder = IntentItemSectionBuilder<Result>

    /// The title.
    public let title: LocalizedStringResource?
    /// The line below the title.
    public let subtitle: LocalizedStringResource?
    /// A picture.
    public let image: DisplayRepresentation.Image?
    /// The values.
    public let items: [IntentItem<Result>]

    /// Creates a section of items.
    public init(
        _ title: LocalizedStringResource? = nil, subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil, items: [IntentItem<Result>]
    ) { (self.title, self.subtitle, self.image, self.items) = (title, subtitle, image, items) }

    /// Creates a section of items, with a label for the title.
    public init(title: LocalizedStringResource, items: [IntentItem<Result>]) {
        self.init(title, items: items)
    }

    /// Creates a section of values.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource? = nil, subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil, items: [Result]
    ) { self.init(title, subtitle: subtitle, image: image, items: items.map { IntentItem($0) }) }

    /// Creates a section of the items that a closure lists.
    public init(
        _ title: LocalizedStringResource? = nil, subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        @IntentItemBuilder<Result> itemsBuilder: () -> [IntentItem<Result>]
    ) { self.init(title, subtitle: subtitle, image: image, items: itemsBuilder()) }
}
