import Foundation

/// The addresses of the cases of an enumeration: one with a placeholder for the case, or one for each.
public struct EnumURLRepresentation<Enum: AppEnum>: Sendable {
    private let template: _URLTemplate<Enum>?
    private let addresses: [Enum: String]

    /// Returns the address of a case; nil if it has none.
    func url(for value: Enum) -> URL? {
        addresses[value].flatMap { URL(string: $0) } ?? template?.url(for: value)
    }
}

extension EnumURLRepresentation: ExpressibleByStringInterpolation, ExpressibleByDictionaryLiteral {
    /// Creates one address for all cases.
    public init(stringLiteral value: String) {
        (template, addresses) = (_URLTemplate(parts: [.words(value)]), [:])
    }

    /// Creates an address with a placeholder for the case.
    public init(stringInterpolation: StringInterpolation) {
        (template, addresses) = (stringInterpolation.template, [:])
    }

    /// Creates an address for each case.
    public init(dictionaryLiteral elements: (Enum, String)...) {
        (template, addresses) = (nil, Dictionary(elements) { first, _ in first })
    }

    /// A placeholder in the address.
    public struct Token: Sendable {
        /// The raw value of the case.
        public static var caseValue: Token { Token() }
        /// The raw value of the case.
        public static var rawValue: Token { Token() }
    }

    /// Collects the parts of an address.
    public struct StringInterpolation: StringInterpolationProtocol {
        var template = _URLTemplate<Enum>()

        /// Creates an empty address.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Appends words.
        public mutating func appendLiteral(_ literal: String) { template.parts.append(.words(literal)) }
        /// Appends a placeholder for the case.
        public mutating func appendInterpolation(_ token: Token) {
            template.parts.append(.value { $0.rawValue.description })
        }
    }
}
