import Foundation
import Testing

/// A value that a command printed, read by a decoder that is not ours.
enum JSONValue: Decodable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads the one value on the one line.
    init(_ line: String) throws {
        let lines = line.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 2 && lines[1].isEmpty, "one value a line: \(line)")
        self = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
            if value.decodeNil() {
                .null
            } else if let boolean = try? value.decode(Bool.self) {
                .boolean(boolean)
            } else if let integer = try? value.decode(Int64.self) {
                .integer(integer)
            } else if let real = try? value.decode(Double.self) {
                .real(real)
            } else if let string = try? value.decode(String.self) {
                .string(string)
            } else if let list = try? value.decode([JSONValue].self) {
                .list(list)
            } else {
                .object(try value.decode([String: JSONValue].self))
            }
    }

    /// The member of that name, or null.
    subscript(name: String) -> JSONValue {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// The names of its members, in order.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.sorted()
    }

    var string: String? { if case .string(let string) = self { string } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
    var list: [JSONValue] { if case .list(let list) = self { list } else { [] } }

    /// The moment that a string in ISO 8601 means.
    var date: Date? {
        let format = ISO8601DateFormatter()
        format.formatOptions.insert(.withFractionalSeconds)
        return string.flatMap(format.date)
    }
}
