public import Foundation

extension String {
    /// A text to be translated: the key of its translation, and the values to insert.
    ///
    /// The key of `"Add \(count) to \(name)"` is `Add %lld to %@`.
    public struct LocalizationValue: Equatable, Codable, Sendable, ExpressibleByStringInterpolation {
        /// The key, with a format for each value.
        let key: String
        /// The values, in the order of their formats; nil for a text without formats, in which `%` has no meaning.
        let arguments: [LocalizedArgument]?

        /// Creates a text without values.
        public init(_ value: String) { (key, arguments) = (value, nil) }

        /// Creates a text without values.
        public init(stringLiteral value: String) { self.init(value) }

        /// Creates a text with values.
        public init(stringInterpolation: StringInterpolation) {
            (key, arguments) = (stringInterpolation.key, stringInterpolation.arguments)
        }

        /// Collects the parts of a text.
        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var arguments: [LocalizedArgument] = []

            /// Creates an empty text.
            public init(literalCapacity: Int, interpolationCount: Int) {
                key.reserveCapacity(literalCapacity + 4 * interpolationCount)
                arguments.reserveCapacity(interpolationCount)
            }

            /// Appends words, which are part of the key.
            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacingOccurrences(of: "%", with: "%%")
            }

            /// Appends a text, with the format `%@`.
            public mutating func appendInterpolation(_ string: String) { append(.text(string), "%@") }

            /// Appends a number, with the format of its type.
            public mutating func appendInterpolation<Value: _FormatSpecifiable>(_ value: Value) {
                append(value._argument, value._specifier)
            }

            /// Appends a number, with a format such as `%.2f`.
            public mutating func appendInterpolation<Value: _FormatSpecifiable>(
                _ value: Value, specifier: String
            ) { append(value._argument, specifier) }

            /// Appends a value as a style writes it, with the format `%@`.
            public mutating func appendInterpolation<Style: FormatStyle>(
                _ input: Style.FormatInput, format: Style
            ) where Style.FormatInput: Equatable, Style.FormatOutput == String {
                append(.text(format.format(input)), "%@")
            }

            /// Appends an object as a formatter writes it, else as its description, with the format `%@`.
            public mutating func appendInterpolation<Subject: NSObject>(
                _ subject: Subject, formatter: Formatter? = nil
            ) { append(.text(formatter?.string(for: subject) ?? subject.description), "%@") }

            /// Appends a value of Foundation as a formatter writes it, else as its description, with the format `%@`.
            public mutating func appendInterpolation<Subject: ReferenceConvertible>(
                _ subject: Subject, formatter: Formatter? = nil
            ) { append(.text(formatter?.string(for: subject) ?? subject.description), "%@") }

            /// Appends another text to be translated, with the format `%@`.
            public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
                append(.resource(resource), "%@")
            }

            private mutating func append(_ argument: LocalizedArgument, _ format: String) {
                key += format
                arguments.append(argument)
            }
        }
    }
}

/// A value in a text to be translated.
public enum LocalizedArgument: Equatable, Codable, Sendable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A whole number that is never negative.
    case unsigned(UInt64)
    /// A number with a fraction.
    case real(Double)
    /// Another text to be translated.
    case resource(LocalizedStringResource)
}

/// Numbers that have a format in the key of a text.
public protocol _FormatSpecifiable: Equatable {
    /// The number as a value of a text.
    var _argument: LocalizedArgument { get }
    /// The format.
    var _specifier: String { get }
}

extension _FormatSpecifiable where Self: FixedWidthInteger & SignedInteger {
    /// The number as a value of a text.
    public var _argument: LocalizedArgument { .integer(Int64(self)) }
    /// The format.
    public var _specifier: String { Self.bitWidth > 32 ? "%lld" : "%d" }
}

extension _FormatSpecifiable where Self: FixedWidthInteger & UnsignedInteger {
    /// The number as a value of a text.
    public var _argument: LocalizedArgument { .unsigned(UInt64(self)) }
    /// The format.
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
    /// The number as a value of a text.
    public var _argument: LocalizedArgument { .real(Double(self)) }
    /// The format.
    public var _specifier: String { "%f" }
}

extension Double: _FormatSpecifiable {
    /// The number as a value of a text.
    public var _argument: LocalizedArgument { .real(self) }
    /// The format.
    public var _specifier: String { "%lf" }
}

extension CGFloat: _FormatSpecifiable {
    /// The number as a value of a text.
    public var _argument: LocalizedArgument { .real(Double(self)) }
    /// The format.
    public var _specifier: String { "%lf" }
}
