import BatonCore

/// A JSON value as it is printed: on one line, the keys of an object in the order in which they were given.
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

    /// A string, or null where there is none.
    package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// The text, which is harmless on a terminal too: whatever would steer it is escaped.
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
            // JSON has no words for what is no number.
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
