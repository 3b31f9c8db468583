public import LocalizedStrings

/// A value with a title of its own.
public struct IntentItem<Result: _IntentValue>: Sendable {
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

/// Values under one title.
public struct IntentItemSection<Result: _IntentValue>: Sendable {
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
        @IntentItemBuilder<Result> items: () -> [IntentItem<Result>]
    ) { self.init(title, subtitle: subtitle, image: image, items: items()) }
}

/// Values in sections.
public struct IntentItemCollection<Result: _IntentValue>: ResultsCollection {
    /// A question to show above the values.
    public let promptLabel: LocalizedStringResource?
    /// Whether a long list gets an index of first letters.
    public let usesIndexedCollation: Bool
    /// The sections.
    public let sections: [IntentItemSection<Result>]

    /// Creates a collection of sections.
    public init(
        promptLabel: LocalizedStringResource? = nil, usesIndexedCollation: Bool = false,
        sections: [IntentItemSection<Result>]
    ) {
        (self.promptLabel, self.usesIndexedCollation) = (promptLabel, usesIndexedCollation)
        self.sections = sections
    }

    /// Creates a collection of items without sections.
    public init(
        promptLabel: LocalizedStringResource? = nil, usesIndexedCollation: Bool = false,
        items: [IntentItem<Result>]
    ) {
        self.init(
            promptLabel: promptLabel, usesIndexedCollation: usesIndexedCollation,
            sections: [IntentItemSection(items: items)])
    }

    /// Creates a collection of values without sections.
    @_disfavoredOverload
    public init(
        promptLabel: LocalizedStringResource? = nil, usesIndexedCollation: Bool = false, items: [Result]
    ) {
        self.init(
            promptLabel: promptLabel, usesIndexedCollation: usesIndexedCollation,
            items: items.map { IntentItem($0) })
    }

    /// Creates a collection of the sections that a closure lists.
    public init(
        promptLabel: LocalizedStringResource? = nil, usesIndexedCollation: Bool = false,
        @IntentItemSectionBuilder<Result> sections: () -> [IntentItemSection<Result>]
    ) {
        self.init(
            promptLabel: promptLabel, usesIndexedCollation: usesIndexedCollation, sections: sections())
    }

    /// A collection without values.
    public static var empty: IntentItemCollection<Result> { IntentItemCollection(sections: []) }

    /// The values of all sections.
    public var items: [Result] { sections.flatMap(\.items).map(\.value) }

    /// The values with their titles.
    public var _choices: [_IntentChoice] {
        sections.flatMap { section in
            let title = section.title.map { String(localized: $0) }
            return section.items.map { $0.choice(in: title) }
        }
    }

    /// The question in the person's language.
    public var _promptLabel: String? { promptLabel.map { String(localized: $0) } }
}

/// Collects the items of a section.
@resultBuilder public struct IntentItemBuilder<Result: _IntentValue> {
    /// Takes an item.
    public static func buildExpression(_ item: IntentItem<Result>) -> [IntentItem<Result>] { [item] }
    /// Takes several items.
    public static func buildExpression(_ items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
    /// Takes a value.
    public static func buildExpression(_ value: Result) -> [IntentItem<Result>] { [IntentItem(value)] }
    /// Joins items.
    public static func buildBlock(_ items: [IntentItem<Result>]...) -> [IntentItem<Result>] {
        items.flatMap { $0 }
    }
    /// Joins the items of a loop.
    public static func buildArray(_ items: [[IntentItem<Result>]]) -> [IntentItem<Result>] {
        items.flatMap { $0 }
    }
    /// Takes the items of an `if` without `else`.
    public static func buildOptional(_ items: [IntentItem<Result>]?) -> [IntentItem<Result>] { items ?? [] }
    /// Takes the items of the first branch.
    public static func buildEither(first items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
    /// Takes the items of the second branch.
    public static func buildEither(second items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
}

/// Collects the sections of a collection.
@resultBuilder public struct IntentItemSectionBuilder<Result: _IntentValue> {
    /// Takes a section.
    public static func buildExpression(
        _ section: IntentItemSection<Result>
    ) -> [IntentItemSection<Result>] { [section] }
    /// Takes several sections.
    public static func buildExpression(
        _ sections: [IntentItemSection<Result>]
    ) -> [IntentItemSection<Result>] { sections }
    /// Joins sections.
    public static func buildBlock(_ sections: [IntentItemSection<Result>]...) -> [IntentItemSection<Result>] {
        sections.flatMap { $0 }
    }
    /// Joins the sections of a loop.
    public static func buildArray(_ sections: [[IntentItemSection<Result>]]) -> [IntentItemSection<Result>] {
        sections.flatMap { $0 }
    }
    /// Takes the sections of an `if` without `else`.
    public static func buildOptional(
        _ sections: [IntentItemSection<Result>]?
    ) -> [IntentItemSection<Result>] { sections ?? [] }
    /// Takes the sections of the first branch.
    public static func buildEither(
        first sections: [IntentItemSection<Result>]
    ) -> [IntentItemSection<Result>] { sections }
    /// Takes the sections of the second branch.
    public static func buildEither(
        second sections: [IntentItemSection<Result>]
    ) -> [IntentItemSection<Result>] { sections }
}
