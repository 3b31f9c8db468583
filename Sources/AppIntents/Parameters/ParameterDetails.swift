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
                value: content.summary, least: Self.text(range.lowerBound),
                greatest: Self.text(range.upperBound))
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
