public import LocalizedStrings

/// A collection of values that a query or a provider of options returns.
public protocol ResultsCollection: Sendable {
    /// The type of the values.
    associatedtype Result: Sendable

    /// The values with their titles, in order.
    var _choices: [_IntentChoice] { get }
    /// A question to show above the values.
    var promptLabel: LocalizedStringResource? { get }
    /// Whether a long list gets an index of first letters.
    var usesIndexedCollation: Bool { get }
}

extension ResultsCollection {
    /// Nil: most collections have no question.
    public var promptLabel: LocalizedStringResource? { nil }
    /// False: there is no index.
    public var usesIndexedCollation: Bool { false }
}

extension Array: ResultsCollection where Element: _IntentValue {
    /// The type of the elements.
    public typealias Result = Element
    /// The elements.
    public var _choices: [_IntentChoice] { map { _IntentChoice($0) } }
}
