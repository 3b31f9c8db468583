package import LocalizedStrings
package import UniformTypeIdentifiers

/// What an app says about a parameter.
package struct ParameterDetails: Sendable {
    /// The title; nil if the app gives none.
    package var title: LocalizedStringResource?
    /// What the parameter is for.
    package var description: LocalizedStringResource?
    /// The question that asks for a value.
    package var request: IntentDialog?
    /// The question that asks which of several values is meant.
    package var disambiguation: IntentDialog?
    /// Where the value comes from when intents are joined.
    package var connection: InputConnectionBehavior = .default
    /// The values that a person may choose.
    package var options: (any DynamicOptionsProvider & Sendable)?
    /// What finds a value in another one.
    package var resolvers: [any Resolver] = []
    /// The least and the greatest number.
    package var range: ClosedRange<Double>?
    /// The types of files.
    package var contentTypes: [UTType] = []
    /// The raw values of the cases that are allowed; nil if all are.
    package var allowed: [_IntentValueContent]?
    /// Whether a negative number is allowed.
    package var allowsNegative = true

    init(
        _ title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
        request: IntentDialog? = nil, disambiguation: IntentDialog? = nil,
        connection: InputConnectionBehavior = .default
    ) {
        (self.title, self.description, self.request) = (title, description, request)
        (self.disambiguation, self.connection) = (disambiguation, connection)
    }

    /// The title in the person's language.
    package var titleText: String { title.map { String(localized: $0) } ?? "" }

    /// Throws an error if a value breaks what the app demands of it.
    func check(_ content: _IntentValueContent) throws {
        if case .list(let values) = content {
            for value in values { try check(value) }
            return
        }
        if let range, let number = content.number, !range.contains(number) {
            throw IntentValueError.outOfRange(
                value: content.summary, least: Self.text(range.lowerBound), greatest: Self.text(range.upperBound))
        }
        if !allowsNegative, let number = content.number, number < 0 {
            throw IntentValueError.outOfRange(value: content.summary, least: "0", greatest: "any number")
        }
        if let allowed, !content.isNone, !allowed.contains(content) {
            throw IntentValueError.unknownCase(content.summary, known: allowed.map(\.summary))
        }
    }

    private static func text(_ bound: Double) -> String {
        Int(exactly: bound).map(String.init) ?? String(bound)
    }
}

extension _IntentValueContent {
    /// The number, if this is one.
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .measurement(let number, _): number
        default: nil
        }
    }
}

/// Where the value of a parameter comes from when intents are joined.
public enum InputConnectionBehavior: Hashable, Sendable {
    /// As the system decides.
    case `default`
    /// Never from another intent.
    case never
    /// From the result of the intent before.
    case connectToPreviousIntentResult
}

/// The control for a whole number.
public enum IntControlStyle: Hashable, Sendable {
    /// Buttons for more and less.
    case stepper
    /// A field.
    case field
}

/// The control for a number with a fraction.
public enum DoubleControlStyle: Hashable, Sendable {
    /// Buttons for more and less.
    case stepper
    /// A field.
    case field
    /// A slider.
    case slider
}

/// The parts of a date that a parameter needs.
public enum DateKind: Hashable, Sendable {
    /// The day.
    case date
    /// The time of day.
    case time
    /// Both.
    case dateTime
}

/// The words for the two values of a parameter of type `Bool`.
public struct BoolDisplayName: Hashable, Sendable {
    let pair: [String]

    /// “true” and “false”.
    public static let `true` = BoolDisplayName(pair: ["true", "false"])
    /// “yes” and “no”.
    public static let yesNo = BoolDisplayName(pair: ["yes", "no"])
    /// “on” and “off”.
    public static let onOff = BoolDisplayName(pair: ["on", "off"])
}

/// The way in which a text is typed.
public struct StringInputOptions: Sendable {
    /// Whether the text may have several lines.
    public let multiline: Bool

    /// Creates options; what concerns a keyboard on the screen has no effect on Linux.
    public init(
        capitalizationType: CapitalizationType = .sentences, multiline: Bool = false, autocorrect: Bool = true,
        smartQuotes: Bool = true, smartDashes: Bool = true
    ) { self.multiline = multiline }

    /// The letters that become capitals.
    public enum CapitalizationType: Hashable, Sendable {
        /// None.
        case none
        /// The first of each word.
        case words
        /// The first of each sentence.
        case sentences
        /// All.
        case allCharacters
    }
}

/// The number of values of a list.
public struct IntentCollectionSize: Hashable, Sendable, ExpressibleByIntegerLiteral {
    let range: ClosedRange<Int>

    /// Creates an exact number.
    public init(_ count: Int) { range = count...count }
    /// Creates an exact number.
    public init(integerLiteral value: Int) { self.init(value) }
    /// Creates a range of numbers.
    public init(min: Int, max: Int) { range = min...Swift.max(min, max) }
}
