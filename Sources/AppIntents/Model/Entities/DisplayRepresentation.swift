public import LocalizedStrings

/// The title of a value, with what else a list shows of it.
public struct DisplayRepresentation: Equatable, Sendable {
    /// The title.
    public var title: LocalizedStringResource
    /// A line below the title.
    public var subtitle: LocalizedStringResource?
    /// A picture.
    public var image: Image?
    /// Other words for the value.
    public var synonyms: [LocalizedStringResource]
    /// A description of the snippet; Linux shows none.
    public var descriptionText: LocalizedStringResource?

    /// Creates a representation.
    public init(
        title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil, image: Image? = nil
    ) { self.init(title: title, subtitle: subtitle, image: image, synonyms: []) }

    /// Creates a representation with other words for the value.
    public init(
        title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil, image: Image? = nil,
        synonyms: [LocalizedStringResource]
    ) {
        (self.title, self.subtitle, self.image) = (title, subtitle, image)
        self.synonyms = synonyms
    }

    /// The parts of a representation.
    public struct Components: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The title.
        public static let title = Components(rawValue: 1 << 0)
        /// The subtitle.
        public static let subtitle = Components(rawValue: 1 << 1)
        /// The picture.
        public static let image = Components(rawValue: 1 << 2)
        /// The other words.
        public static let synonyms = Components(rawValue: 1 << 3)
        /// All parts.
        public static let all: Components = [.title, .subtitle, .image, .synonyms]
    }

    /// The title in the person's language.
    package var text: String { String(localized: title) }
}

extension DisplayRepresentation: ExpressibleByStringInterpolation {
    /// Creates a representation that is only a title.
    public init(stringLiteral value: String) {
        self.init(title: LocalizedStringResource(stringLiteral: value))
    }

    /// Creates a representation that is only a title, with values in it.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(title: LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}

extension DisplayRepresentation: CustomLocalizedStringResourceConvertible {
    /// The title.
    public var localizedStringResource: LocalizedStringResource { title }
}
