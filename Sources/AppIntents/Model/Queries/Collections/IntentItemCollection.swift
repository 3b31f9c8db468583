public import LocalizedStrings

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
        @IntentItemSectionBuilder<Result> sectionsBuilder: () -> [IntentItemSection<Result>]
    ) {
        self.init(
            promptLabel: promptLabel, usesIndexedCollation: usesIndexedCollation, sections: sectionsBuilder())
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
}
