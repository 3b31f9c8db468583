/// A type that is not declared: it consists of tags, and of the types that its content conforms to.
///
/// The identifier of the type contains both, in the same form as on Apple's systems. So it means the same on every
/// machine. The identifier is `dyn.a`, followed by a text that is encoded in base 32. For example, the text
/// `?0=6:1=xyz` means that the type conforms to `public.data` and has the filename extension `xyz`.
struct DynamicType: Hashable, Sendable {
    /// The identifiers of the types that this type conforms to.
    var parents: [String] = []
    /// The tags, keyed by their tag class.
    var tags: [String: [String]] = [:]

    /// The length of the longest identifier that is parsed, in bytes.
    private static let bytesMost = 4096

    /// The short forms of tag classes and type identifiers.
    private static let abbreviations = [
        "UTTypeConformsTo": "0", "public.filename-extension": "1", "com.apple.ostype": "2",
        "public.mime-type": "3",
        "com.apple.nspboard-type": "4", "public.url-scheme": "5", "public.data": "6", "public.text": "7",
        "public.plain-text": "8", "public.utf16-plain-text": "9", "com.apple.traditional-mac-plain-text": "A",
        "public.image": "B", "public.video": "C", "public.audio": "D", "public.directory": "E",
        "public.folder": "F",
    ]
    private static let names = Dictionary(uniqueKeysWithValues: abbreviations.map { ($1, $0) })
    private static let conformsTo = "UTTypeConformsTo"

    /// Creates the type for content with this tag.
    init(tag: String, class tagClass: String, conformingTo parent: String?) {
        parents = parent.map { [$0] } ?? []
        tags = [tagClass: [tag]]
    }

    // MARK: Identifiers

    /// The identifier of the type.
    var identifier: String {
        var fields: [(String, [String])] = parents.isEmpty ? [] : [(Self.conformsTo, parents)]
        fields += tags.sorted { Self.short($0.key) < Self.short($1.key) }.map { ($0.key, $0.value) }
        let text = fields.map { name, values in
            let short = name == Self.conformsTo ? values.map(Self.short) : values.map(Self.escaped)
            return Self.short(name) + "=" + short.joined(separator: ",")
        }.joined(separator: ":")
        return Self.prefix + Self.encoded(Array("?\(text)".utf8))
    }

    /// Parses an identifier; nil if it is not the identifier of a dynamic type.
    init?(_ identifier: String) {
        let identifier = identifier.lowercased()
        guard identifier.hasPrefix(Self.prefix), identifier.utf8.count <= Self.bytesMost,
            let bytes = Self.decoded(identifier.dropFirst(Self.prefix.count).utf8),
            bytes.first == UInt8(ascii: "?"),
            let text = String(validating: bytes.dropFirst(), as: UTF8.self)
        else { return nil }
        for field in Self.split(text, at: ":") {
            let parts = Self.split(field, at: "=")
            guard parts.count == 2 else { return nil }
            let (name, values) = (Self.long(parts[0]), Self.split(parts[1], at: ",").map(Self.unescaped))
            guard !values.contains("") else { return nil }
            if name == Self.conformsTo {
                parents += values.map(Self.long)
            } else {
                tags[name, default: []] += values
            }
        }
        guard !tags.isEmpty else { return nil }
    }

    private static let prefix = "dyn.a"

    private static func short(_ name: String) -> String { abbreviations[name] ?? escaped(name) }

    private static func long(_ name: String) -> String { names[name] ?? unescaped(name) }

    // MARK: Escapes

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "\\:=,?".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }

    private static func unescaped(_ text: String) -> String {
        var (unescaped, isEscaped) = ("", false)
        for character in text {
            if character == "\\" && !isEscaped {
                isEscaped = true
            } else {
                unescaped.append(character)
                isEscaped = false
            }
        }
        return unescaped
    }

    /// Splits a text at the separators that are not escaped; escapes in the parts are kept.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var (parts, isEscaped) = ([""], false)
        for character in text {
            if character == separator && !isEscaped {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return parts
    }

    // MARK: Base 32

    /// The digits of base 32: letters and digits without some that look alike.
    private static let digits = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)

    private static func encoded(_ bytes: [UInt8]) -> String {
        var (text, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 5 {
                count -= 5
                text.append(digits[Int(bits >> UInt32(count) & 31)])
            }
        }
        if count > 0 { text.append(digits[Int(bits << UInt32(5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        for digit in text {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            (bits, count) = (bits << 5 | UInt32(value), count + 5)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
