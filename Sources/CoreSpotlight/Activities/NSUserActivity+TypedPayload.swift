import BatonCore
import Foundation

extension NSUserActivity {
    /// An error about a payload that is encoded from a value of a type.
    public enum TypedPayloadError: Error, Sendable {
        /// The payload is empty, or can't be decoded as a value of that type.
        case invalidContent
        /// The value can't be encoded as a dictionary.
        case encodingError
    }

    /// Replaces the payload with an encoded value, whose keys become the keys of the payload.
    public func setTypedPayload<T: Codable>(_ payload: T) throws {
        let encoded: Any
        do {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            encoded = try PropertyListSerialization.propertyList(
                from: try encoder.encode(payload), options: [], format: nil)
        } catch {
            throw TypedPayloadError.encodingError
        }
        guard let entries = encoded as? [String: Any], let properties = PropertyValue(entries)?.pairs else {
            throw TypedPayloadError.encodingError
        }
        core.change { $0.info = properties }
    }

    /// Decodes the payload as a value of that type.
    public func typedPayload<T: Codable>(_ type: T.Type) throws -> T {
        guard let info = core.content.info, !info.isEmpty else { throw TypedPayloadError.invalidContent }
        do {
            let data = try PropertyListSerialization.data(
                fromPropertyList: PropertyValue.dictionary(info).codedValue, format: .binary, options: 0)
            return try PropertyListDecoder().decode(type, from: data)
        } catch {
            throw TypedPayloadError.invalidContent
        }
    }
}

extension PropertyValue {
    /// The value in the form that `PropertyListDecoder` expects, because `PropertyListEncoder` writes it.
    fileprivate var codedValue: Any {
        switch self {
        case .url(let address): ["relative": address]
        case .uuid(let bytes): (NSUUID(uuidBytes: bytes) as UUID).uuidString
        case .null: "$null"
        case .array(let values): values.map(\.codedValue)
        case .set(let values): values.map(\.codedValue)
        case .dictionary(let pairs):
            Dictionary(pairs.map { ($0.key.string ?? "\($0.key.swiftValue)", $0.value.codedValue) }) {
                first, _ in
                first
            }
        default: swiftValue
        }
    }
}
