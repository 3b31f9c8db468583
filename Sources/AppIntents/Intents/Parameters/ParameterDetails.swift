import Foundation
package import LocalizedStrings
package import UniformTypeIdentifiers

/// The details that an app gives about a parameter.
package struct ParameterDetails: Sendable {
    /// The title; nil if the app gives none.
    package var title: LocalizedStringResource?
    /// The purpose of the parameter.
    package var description: LocalizedStringResource?
    /// The question that asks for a value.
    package var request: IntentDialog?
    /// The question that asks which of several values is meant.
    package var disambiguation: IntentDialog?
    /// The values that a person may choose.
    package var options: (any DynamicOptionsProvider & Sendable)?
    /// The resolvers for other kinds of values.
    package var resolvers: [any Resolver] = []
    /// The least and the greatest number.
    package var range: ClosedRange<Double>?
    /// The types of files.
    package var contentTypes: [UTType] = []
    /// The raw values of the cases that are allowed; nil if all are.
    package var allowed: [_IntentValueContent]?
    /// Whether a negative number is allowed.
    package var allowsNegative = true
    /// The codes of the currencies that are allowed; empty if all are.
    package var currencies: [String] = []
    /// The symbol of the unit for a number without a unit; nil for the base unit.
    package var unit: String?
    /// The words for true and false; nil if the parameter is not of type `Bool`.
    package var truth: BoolDisplayName?

    init(
        _ title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
        request: IntentDialog? = nil, disambiguation: IntentDialog? = nil
    ) {
        (self.title, self.description, self.request) = (title, description, request)
        self.disambiguation = disambiguation
    }

    /// The title in the person's language.
    package var titleText: String { title.map { String(localized: $0) } ?? "" }

    /// Throws an error if the app does not allow a value.
    func check(_ content: _IntentValueContent) throws {
        switch content {
        case .none: return
        case .list(let values):
            for value in values { try check(value) }
            return
        case .money(_, let currency) where !currencies.isEmpty && !currencies.contains(currency):
            throw IntentValueError.unknownCase(currency, known: currencies)
        case .file(let name, let type, _, _) where !contentTypes.isEmpty && !accepts(type):
            throw IntentValueError.wrongKind(
                expected: contentTypes.map(\.identifier).joined(separator: " or "), value: name)
        default: break
        }
        try checkNumber(of: content)
        if let allowed, !allowed.contains(content) {
            throw IntentValueError.unknownCase(content.summary, known: allowed.map(\.summary))
        }
    }

    /// Throws an error if a number is out of range.
    private func checkNumber(of content: _IntentValueContent) throws {
        guard let number = content.number else { return }
        if let range, !range.contains(number) {
            throw IntentValueError.outOfRange(
                value: content.summary, least: Self.text(range.lowerBound),
                greatest: Self.text(range.upperBound))
        }
        if !allowsNegative, number < 0 { throw IntentValueError.negative(content.summary) }
    }

    /// Whether a file of a type is accepted.
    private func accepts(_ type: String?) -> Bool {
        guard let type = type.flatMap({ UTType($0) }) else { return false }
        return contentTypes.contains { type.conforms(to: $0) }
    }

    /// Returns a content with the parameter's unit if it is a number without a unit.
    func completed(_ content: _IntentValueContent) -> _IntentValueContent {
        guard let unit else { return content }
        return switch content {
        case .integer(let number): .measurement(Double(number), unit: unit)
        case .real(let number): .measurement(number, unit: unit)
        case .text(let text): Double(text).map { .measurement($0, unit: unit) } ?? content
        case .list(let values): .list(values.map { completed($0) })
        default: content
        }
    }

    /// Returns an end of a range as people write it, whole numbers without a fraction.
    package static func text(_ bound: Double) -> String {
        Int(exactly: bound).map { String($0) } ?? String(bound)
    }
}

extension _IntentValueContent {
    /// The number, if this is one.
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .measurement(let number, _): number
        case .money(let amount, _): NSDecimalNumber(decimal: amount).doubleValue
        default: nil
        }
    }
}
