package import BatonCore

/// Parses values of an activity's payload as a person types them.
///
/// `KEY=TEXT` is a text. `KEY:=VALUE` is a number, true, false or null.
package enum InfoArgument {
    /// Parses one argument into a key and its value.
    package static func parse(_ text: String) throws(LocalFailure) -> (key: String, value: PropertyValue) {
        guard let sign = text.firstIndex(of: "=") else { throw malformed(text) }
        var key = text[..<sign]
        let value = String(text[text.index(after: sign)...])
        guard key.last == ":" else {
            guard !key.isEmpty else { throw malformed(text) }
            return (String(key), .string(value))
        }
        key.removeLast()
        guard !key.isEmpty else { throw malformed(text) }
        guard let literal = literal(value) else {
            throw LocalFailure(
                .usage, "\(value) is not a number, true, false or null. For text, type \(key)=\(value).")
        }
        return (String(key), literal)
    }

    /// Parses a number, true, false or null; returns nil for any other text.
    private static func literal(_ text: String) -> PropertyValue? {
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        default: break
        }
        // Swift's parsers would also accept a leading plus sign and hexadecimal digits.
        guard text.first != "+", text.utf8.allSatisfy({ Array("0123456789+-.eE".utf8).contains($0) }) else {
            return nil
        }
        if let integer = Int64(text) { return .integer(integer) }
        return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
    }

    private static func malformed(_ text: String) -> LocalFailure {
        LocalFailure(.usage, "\(text) is not KEY=VALUE. For a number, true, false or null, type KEY:=VALUE.")
    }
}
