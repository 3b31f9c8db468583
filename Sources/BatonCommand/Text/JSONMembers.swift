import BatonClient
import BatonCore

/// Reads the members of an object that a program sent.
///
/// A member that is null counts as missing.
struct JSONMembers {
    private let json: JSON

    /// Throws if the value is not an object, or if it has an unknown key.
    ///
    /// Such a key is probably a typing error.
    init(_ json: JSON, _ what: String, keys: [String]) throws(JSONError) {
        guard let found = json.keys else { throw JSONError("\(what) must be an object: { … }") }
        for key in found where !keys.contains(key) {
            throw JSONError(Suggestion.unknownKey(key, of: what, keys: keys))
        }
        self.json = json
    }

    /// The value of a key, or nil if the key is missing or its value is null.
    subscript(key: String) -> JSON? {
        let value = json[key]
        return value == .null ? nil : value
    }

    func text(_ key: String) throws(JSONError) -> String? {
        try read(key, "a string") { $0.string }
    }

    func boolean(_ key: String) throws(JSONError) -> Bool? {
        try read(key, "true or false") { $0.boolean }
    }

    func texts(_ key: String) throws(JSONError) -> [String]? {
        try read(key, "a list of strings") { json in
            let texts = json.array?.compactMap(\.string)
            return texts?.count == json.array?.count ? texts : nil
        }
    }

    /// Reads a whole number that is zero or more.
    func count(_ key: String) throws(JSONError) -> UInt64? {
        try read(key, "a whole number, zero or more") { $0.integer.flatMap { UInt64(exactly: $0) } }
    }

    /// Reads the time when something expires: a date in ISO 8601, or a time span from now on.
    func expiry(_ key: String, at time: PresentTime) throws(JSONError) -> WallTime? {
        guard let text = try text(key) else { return nil }
        do throws(LocalFailure) {
            return try time.expiry(text)
        } catch {
            throw JSONError("`\(key)`: \(error.text)")
        }
    }

    /// Reads bytes: a string, whose UTF-8 is meant, or an object such as `{"$data": …}`.
    func bytes(_ key: String) throws(JSONError) -> [UInt8]? {
        guard let json = self[key] else { return nil }
        switch try PropertyValue(json) {
        case .string(let text): return Array(text.utf8)
        case .data(let bytes): return bytes
        default: throw JSONError("`\(key)` must be a string, or {\"$data\": …} with bytes in Base64")
        }
    }

    private func read<Value>(
        _ key: String, _ what: String, _ read: (JSON) -> Value?
    ) throws(JSONError) -> Value? {
        guard let json = self[key] else { return nil }
        guard let value = read(json) else { throw JSONError("`\(key)` must be \(what)") }
        return value
    }
}
