/// Names a field of a record: a number that the specification gives, or text that an app chose.
package enum FieldName: Hashable, Comparable, Sendable {
    case number(UInt64)
    /// The text's UTF-8 bytes, because names that only look alike are different names.
    case custom([UInt8])
    /// A part of a numbered field that belongs to one device, such as its counter.
    case part(UInt64, DeviceIdentifier)

    /// The number of the field that holds when a record expires, in milliseconds since 1970; the same for every kind.
    package static let expiration = FieldName.number(0)

    /// The length of the encoding in bytes.
    var encodedCount: Int {
        switch self {
        case .number(let number): CBORWriter.headCount(number)
        case .custom(let text): CBORWriter.headCount(UInt64(text.count)) + text.count
        case .part(let number, _): 1 + CBORWriter.headCount(number) + 1 + DeviceIdentifier.byteCount
        }
    }

    /// The order of the encoded names.
    package static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.custom(let left), .custom(let right)):
            left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
        case (.part(let left, let device), .part(let right, let other)): (left, device) < (right, other)
        case (.number, _), (.custom, .part): true
        case (.part, _), (.custom, .number): false
        }
    }

    func encode(to writer: inout CBORWriter) {
        switch self {
        case .number(let number): writer.unsigned(number)
        case .custom(let text): writer.text(utf8: text)
        case .part(let number, let device):
            writer.array(count: 2)
            writer.unsigned(number)
            writer.identifier(device)
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        switch reader.nextType {
        case .text: self = .custom(Array(try reader.text().utf8))
        case .array:
            try reader.array(count: 2)
            self = .part(try reader.unsigned(), try reader.identifier())
        default: self = .number(try reader.unsigned())
        }
    }

    /// Skips a name; throws if the next value is not a valid name.
    static func skip(_ reader: inout CBORReader) throws(CBORError) {
        switch reader.nextType {
        case .text: try reader.skip()
        case .array: _ = try FieldName(from: &reader)
        default: _ = try reader.unsigned()
        }
    }
}
