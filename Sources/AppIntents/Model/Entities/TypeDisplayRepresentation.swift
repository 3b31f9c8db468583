public import LocalizedStrings

/// The name of a type for people.
public struct TypeDisplayRepresentation: Equatable, Sendable {
    /// The name.
    public var name: LocalizedStringResource
    /// The name with a number, such as “3 books”.
    public var numericFormat: LocalizedStringResource?
    /// Other words for the type.
    public var synonyms: [LocalizedStringResource]

    /// Creates a name.
    public init(name: LocalizedStringResource, numericFormat: LocalizedStringResource? = nil) {
        self.init(name: name, numericFormat: numericFormat, synonyms: [])
    }

    /// Creates a name with other words for the type.
    public init(
        name: LocalizedStringResource, numericFormat: LocalizedStringResource? = nil,
        synonyms: [LocalizedStringResource]
    ) { (self.name, self.numericFormat, self.synonyms) = (name, numericFormat, synonyms) }

    /// The name in the person's language.
    package var text: String { String(localized: name) }
}

extension TypeDisplayRepresentation: ExpressibleByStringInterpolation {
    /// Creates a name.
    public init(stringLiteral value: String) {
        self.init(name: LocalizedStringResource(stringLiteral: value))
    }

    /// Creates a name with values in it.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(name: LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}
