import BatonCore

/// A JSON value, without source positions, for programs.
///
/// It is printed on one line, with the keys of an object in the given order.
package indirect enum JSON: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One key of an object with its value.
    package struct Member: Equatable, Sendable {
        package let key: String
        package let value: JSON

        package init(_ key: String, _ value: JSON) { (self.key, self.value) = (key, value) }
    }

    /// A string, or null for nil.
    package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    // MARK: Reading

    /// Parses a text that contains one JSON value.
    package init(reading bytes: some Collection<UInt8>) throws(JSONError) {
        do throws(TextError) {
            self.init(try JSONReader.json(Array(bytes)))
        } catch {
            throw JSONError("\(error.text) (column \(error.place.column))")
        }
    }

    private init(_ located: LocatedJSON) {
        switch located.content {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map { JSON($0) })
        case .object(let members): self = .object(members.map { Member($0.key, JSON($0.value)) })
        }
    }

    /// The value of a key of an object.
    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The keys of an object with their values, in the order of the text.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The keys of an object.
    package var keys: [String]? { members?.map(\.key) }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var array: [JSON]? { if case .array(let values) = self { values } else { nil } }
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    // MARK: Writing

    /// The value as text, with every character escaped that could control a terminal.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .real(let value):
            // JSON has no form for infinity and NaN.
            if value.isFinite { text += value.description } else { Self.write(value.description, to: &text) }
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (place, value) in values.enumerated() {
                if place > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (place, member) in members.enumerated() {
                if place > 0 { text += "," }
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isHidden:
                for unit in String(scalar).utf16 { text += escape(unit) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// Why a value of a program is malformed, in words.
package struct JSONError: Error, Equatable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}
