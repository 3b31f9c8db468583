import LocalizedStrings

/// An enumeration whose cases people choose from.
@_alwaysEmitConformanceMetadata
public protocol AppEnum: AppValue, StaticDisplayRepresentable, RawRepresentable
where RawValue: LosslessStringConvertible, ValueType == Self {}

extension AppEnum {
    /// The title of the case; its raw value if the app gives none.
    public var displayRepresentation: DisplayRepresentation {
        Self.caseDisplayRepresentations[self] ?? DisplayRepresentation(title: "\(rawValue.description)")
    }

    /// The name of the type; an app usually has its own.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(name: "\(persistentIdentifier)")
    }

    /// A choice among the cases.
    public static var _form: _IntentValueForm { .choice(Self.self) }

    /// The raw value.
    public var _content: _IntentValueContent { .text(rawValue.description) }

    /// Returns the case with a raw value, or with a title or synonym.
    public static func _value(of content: _IntentValueContent) async throws -> Self {
        let text = content.summary
        if let raw = RawValue(text), let value = Self(rawValue: raw) { return value }
        let word = text.lowercased()
        for value in orderedCases {
            let representation = value.displayRepresentation
            let titles = [representation.title] + representation.synonyms
            if titles.contains(where: { String(localized: $0).lowercased() == word }) { return value }
        }
        throw IntentValueError.unknownCase(text, known: orderedCases.map(\.rawValue.description))
    }

    /// The cases that have titles, in the order in which the type lists them.
    package static var orderedCases: [Self] {
        let titles = caseDisplayRepresentations
        return allCases.filter { titles[$0] != nil }
    }
}
