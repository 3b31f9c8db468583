import BatonClient
import BatonTerminal

/// The form that a part of a program's declaration must have.
///
/// The readers of intent manifests ignore unknown keys and values of wrong types, because a later version of the
/// library may have written them. A person writes the declaration of a program, so the shape refuses such keys and
/// values as typing errors.
indirect enum DeclarationShape: Sendable {
    case text
    /// One of these texts.
    case choice([String])
    /// A value as a person would type it: a text, a number, or true or false.
    case word
    case flag
    /// An object whose values are words, under any keys.
    case words
    case object([Key])
    case list(DeclarationShape)

    /// A key of an object.
    struct Key: Sendable {
        let name: String
        let shape: DeclarationShape
        let isRequired: Bool

        /// A key that may be left out.
        static func optional(_ name: String, _ shape: DeclarationShape) -> Key {
            Key(name: name, shape: shape, isRequired: false)
        }

        /// A key that must be there.
        static func required(_ name: String, _ shape: DeclarationShape) -> Key {
            Key(name: name, shape: shape, isRequired: true)
        }
    }

    /// The most elements of a list, and the most pairs of an object with any keys.
    private static let elementsMost = 200
    /// The most bytes of a text.
    private static let textBytes = 1024

    /// Returns the value at a path with all words as texts; a key whose value is null is left out.
    ///
    /// Throws if the value has another form, lacks a key, has an unknown key, or is larger than allowed.
    func read(_ json: JSON, at path: String) throws(JSONError) -> JSON {
        switch self {
        case .text:
            guard json.string != nil else { throw JSONError("\(path) must be a text") }
            return try Self.checked(json, at: path)
        case .choice(let texts):
            guard let text = json.string, texts.contains(text) else {
                throw JSONError("\(path) must be one of \(texts.joined(separator: ", "))")
            }
            return json
        case .word:
            switch json {
            case .string: return try Self.checked(json, at: path)
            case .integer, .real, .boolean: return .string(json.text)
            default: throw JSONError("\(path) must be a text, a number, or true or false")
            }
        case .flag:
            guard json.boolean != nil else { throw JSONError("\(path) must be true or false") }
            return json
        case .words:
            let members = try Self.members(of: json, at: path)
            try Self.checkCount(members.count, at: path)
            return .object(
                try members.map { (member) throws(JSONError) in
                    .init(member.key, try Self.word.read(member.value, at: "\(path).\(member.key)"))
                })
        case .object(let keys): return try Self.object(keys, json, at: path)
        case .list(let shape):
            guard let elements = json.array else { throw JSONError("\(path) must be a list: [ … ]") }
            try Self.checkCount(elements.count, at: path)
            return .array(
                try elements.enumerated().map { (place, element) throws(JSONError) in
                    try shape.read(element, at: "\(path)[\(place)]")
                })
        }
    }

    private static func object(_ keys: [Key], _ json: JSON, at path: String) throws(JSONError) -> JSON {
        let members = try members(of: json, at: path)
        var read: [JSON.Member] = []
        for member in members {
            guard let known = keys.first(where: { $0.name == member.key }) else {
                throw JSONError(Suggestion.unknownKey(member.key, of: path, keys: keys.map(\.name)))
            }
            guard member.value != .null else { continue }
            read.append(.init(member.key, try known.shape.read(member.value, at: "\(path).\(member.key)")))
        }
        for key in keys where key.isRequired && !read.contains(where: { $0.key == key.name }) {
            throw JSONError("\(path) needs a `\(key.name)`")
        }
        return .object(read)
    }

    private static func members(of json: JSON, at path: String) throws(JSONError) -> [JSON.Member] {
        guard case .object(let members) = json else { throw JSONError("\(path) must be an object: { … }") }
        return members
    }

    private static func checked(_ json: JSON, at path: String) throws(JSONError) -> JSON {
        let bytes = json.string?.utf8.count ?? 0
        guard bytes <= textBytes, json.string?.utf8.contains(0) == false else {
            throw JSONError("\(path) is longer than \(textBytes) bytes, or has a zero byte")
        }
        return json
    }

    private static func checkCount(_ count: Int, at path: String) throws(JSONError) {
        guard count <= elementsMost else { throw JSONError("\(path) has more than \(elementsMost) elements") }
    }
}
