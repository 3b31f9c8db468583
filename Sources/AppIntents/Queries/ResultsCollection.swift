import LocalizedStrings

/// A collection of values that a query or a provider of options returns.
public protocol ResultsCollection: Sendable {
    /// The type of the values.
    associatedtype Result: Sendable

    /// The values with their titles, in order.
    var _choices: [_IntentChoice] { get }
    /// A question to show above the values.
    var _promptLabel: String? { get }
}

extension ResultsCollection {
    /// Nil: most collections have no question.
    public var _promptLabel: String? { nil }
}

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

extension Array: ResultsCollection where Element: _IntentValue {
    /// The type of the elements.
    public typealias Result = Element
    /// The elements.
    public var _choices: [_IntentChoice] { map { _IntentChoice($0) } }
}
