public import Foundation

extension String {
    /// A text that can be translated: the key of its translation, and the values that are inserted.
    ///
    /// For example, the key of `"Add \(count) to \(name)"` is `Add %lld to %@`.
    public struct LocalizationValue: Equatable, Codable, Sendable, ExpressibleByStringInterpolation {
        /// The key, with a format specifier for each value.
        let key: String
        /// The values, in the order of their format specifiers.
        ///
        /// It is nil for a text without specifiers, in which `%` has no special meaning.
        let arguments: [LocalizedArgument]?

        /// Creates a text without values.
        public init(_ value: String) { (key, arguments) = (value, nil) }

        /// Creates a text without values.
        public init(stringLiteral value: String) { self.init(value) }

        /// Creates a text with values.
        public init(stringInterpolation: StringInterpolation) {
            (key, arguments) = (stringInterpolation.key, stringInterpolation.arguments)
        }

        /// Collects the words and the values of a text.
        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var arguments: [LocalizedArgument] = []

            /// Creates a collector without words and values.
            public init(literalCapacity: Int, interpolationCount: Int) {
                key.reserveCapacity(literalCapacity + 4 * interpolationCount)
                arguments.reserveCapacity(interpolationCount)
            }

            /// Appends words, which become part of the key.
            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacingOccurrences(of: "%", with: "%%")
            }

            /// Appends a text, which has the specifier `%@` in the key.
            public mutating func appendInterpolation(_ string: String) { append(.text(string), "%@") }

            /// Appends a number, which has the specifier of its type in the key.
            public mutating func appendInterpolation<Value: _FormatSpecifiable>(_ value: Value) {
                append(value._argument, value._specifier)
            }

            /// Appends a number with a chosen specifier, such as `%.2f`.
            public mutating func appendInterpolation<Value: _FormatSpecifiable>(
                _ value: Value, specifier: String
            ) { append(value._argument, specifier) }

            /// Appends a value that a format style formats; it has the specifier `%@` in the key.
            public mutating func appendInterpolation<Style: FormatStyle>(
                _ input: Style.FormatInput, format: Style
            ) where Style.FormatInput: Equatable, Style.FormatOutput == String {
                append(.text(format.format(input)), "%@")
            }

            /// Appends an object, formatted by the formatter or by its description; it has the specifier `%@` in the
            /// key.
            public mutating func appendInterpolation<Subject: NSObject>(
                _ subject: Subject, formatter: Formatter? = nil
            ) { append(.text(formatter?.string(for: subject) ?? subject.description), "%@") }

            /// Appends a value, formatted by the formatter or by its description; it has the specifier `%@` in the key.
            public mutating func appendInterpolation<Subject: ReferenceConvertible>(
                _ subject: Subject, formatter: Formatter? = nil
            ) { append(.text(formatter?.string(for: subject) ?? subject.description), "%@") }

            /// Appends another text that can be translated; it has the specifier `%@` in the key.
            public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
                append(.resource(resource), "%@")
            }

            /// Appends the characters of a text with attributes, with the format `%@`.
            public mutating func appendInterpolation<Value: AttributedStringProtocol>(_ string: Value) {
                append(.text(String(string.characters)), "%@")
            }

            /// Appends a place for a value that is known later, with the format of its kind.
            public mutating func appendInterpolation(placeholder: Placeholder) {
                append(.placeholder, placeholder.specifier)
            }

            /// Appends a place for a value that is known later, with a format such as `%.2f`.
            public mutating func appendInterpolation(placeholder: Placeholder, specifier: String) {
                append(.placeholder, specifier)
            }

            private mutating func append(_ argument: LocalizedArgument, _ format: String) {
                key += format
                arguments.append(argument)
            }
        }
    }
}

/// A value that is inserted into a translated text.
public enum LocalizedArgument: Equatable, Codable, Sendable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// An unsigned whole number.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// Another text that can be translated.
    case resource(LocalizedStringResource)
    /// A value that is known later; until then its format is in the text.
    case placeholder
}

/// Numbers that have a format specifier in the key of a text.
public protocol _FormatSpecifiable: Equatable {
    /// The number as a value that can be inserted.
    var _argument: LocalizedArgument { get }
    /// The format specifier of the number.
    var _specifier: String { get }
}

extension _FormatSpecifiable where Self: FixedWidthInteger & SignedInteger {
    /// The number as a value that can be inserted.
    public var _argument: LocalizedArgument { .integer(Int64(self)) }
    /// The format specifier of the number.
    public var _specifier: String { Self.bitWidth > 32 ? "%lld" : "%d" }
}

extension _FormatSpecifiable where Self: FixedWidthInteger & UnsignedInteger {
    /// The number as a value that can be inserted.
    public var _argument: LocalizedArgument { .unsigned(UInt64(self)) }
    /// The format specifier of the number.
    public var _specifier: String { Self.bitWidth > 32 ? "%llu" : "%u" }
}

extension Int: _FormatSpecifiable {}
extension Int8: _FormatSpecifiable {}
extension Int16: _FormatSpecifiable {}
extension Int32: _FormatSpecifiable {}
extension Int64: _FormatSpecifiable {}
extension UInt: _FormatSpecifiable {}
extension UInt8: _FormatSpecifiable {}
extension UInt16: _FormatSpecifiable {}
extension UInt32: _FormatSpecifiable {}
extension UInt64: _FormatSpecifiable {}

extension Float: _FormatSpecifiable {
    /// The number as a value that can be inserted.
    public var _argument: LocalizedArgument { .real(Double(self)) }
    /// The format specifier of the number.
    public var _specifier: String { "%f" }
}

extension Double: _FormatSpecifiable {
    /// The number as a value that can be inserted.
    public var _argument: LocalizedArgument { .real(self) }
    /// The format specifier of the number.
    public var _specifier: String { "%lf" }
}

extension CGFloat: _FormatSpecifiable {
    /// The number as a value that can be inserted.
    public var _argument: LocalizedArgument { .real(Double(self)) }
    /// The format specifier of the number.
    public var _specifier: String { "%lf" }
}

extension String.LocalizationValue {
    /// The kind of a value that is known only when the text is translated.
    ///
    /// The key of `"\(placeholder: .int) books"` is `%lld books`; `LocalizationOptions.replacements` has the value.
    public enum Placeholder: Hashable, Sendable {
        /// A whole number.
        case int
        /// A whole number that is never negative.
        case uint
        /// A number with a fraction, of the type `Float`.
        case float
        /// A number with a fraction, of the type `Double`.
        case double
        /// A text.
        case object

        /// The format of the kind.
        var specifier: String {
            switch self {
            case .int: "%lld"
            case .uint: "%llu"
            case .float: "%f"
            case .double: "%lf"
            case .object: "%@"
            }
        }
    }
}
