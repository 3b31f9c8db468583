/// The name of a field of a record: a number from the specification, a text of an app, or a number and a device.
package enum FieldName: Hashable, Comparable, Sendable {
    case number(UInt64)
    /// A text that an app chose, as UTF-8 bytes; names that only look alike have different bytes.
    case custom([UInt8])
    /// The part of a numbered field that belongs to one device, such as the device's counter.
    case part(UInt64, DeviceIdentifier)

    /// The name of the field that has the time when a record expires, in milliseconds since 1970.
    ///
    /// All kinds of records have this field.
    package static let expiration = FieldName.number(0)

    /// The length of the encoding in bytes.
    var encodedCount: Int {
        switch self {
        case .number(let number): CBORWriter.headCount(number)
        case .custom(let text): CBORWriter.headCount(UInt64(text.count)) + text.count
        case .part(let number, _): 1 + CBORWriter.headCount(number) + 1 + DeviceIdentifier.byteCount
        }
    }

    /// Compares names in the order of their encodings.
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

    /// Skips a name; throws an error if the next value is not a valid name.
    static func skip(_ reader: inout CBORReader) throws(CBORError) {
        switch reader.nextType {
        case .text: try reader.skip()
        case .array: _ = try FieldName(from: &reader)
        default: _ = try reader.unsigned()
        }
    }
}
