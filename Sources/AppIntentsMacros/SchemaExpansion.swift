/// Expands the macros that take a schema.
struct SchemaExpansion {
    /// The declarations in the type: its schema, and a name if it has none of its own.
    let members: String

    init(_ expansion: AttachedExpansion) throws(MacroError) {
        let reader = SourceReader(expansion.declaration)
        let tokens = reader.tokens
        let kinds = expansion.type == "EnumSchemaMacro" ? ["enum"] : ["struct", "class", "enum", "actor"]
        guard let keyword = tokens.firstIndex(where: { $0.depth == 0 && kinds.contains($0.text) }) else {
            throw MacroError(
                message: expansion.type == "EnumSchemaMacro"
                    ? "This macro belongs to an enumeration." : "This macro belongs to a type.")
        }
        let schema = Self.schema(of: expansion.attribute)
        guard !schema.isEmpty else {
            throw MacroError(message: "Name the schema, as in “schema: .photos.album”.")
        }
        let modifiers = tokens[..<keyword].filter { $0.depth == 0 }.map(\.text)
        let access = ["public", "package"].first { modifiers.contains($0) }.map { $0 + " " } ?? ""
        let title = Self.title(of: schema)
        var members = ["\(access)static var _schema: String { \"\(schema)\" }"]
        if expansion.type == "IntentSchemaMacro" {
            if !Self.declares("title", in: tokens) {
                members.append(
                    "\(access)static var title: LocalizedStringResource { \"\(title)\" }")
            }
        } else if !Self.declares("typeDisplayRepresentation", in: tokens) {
            members.append(
                "\(access)static var typeDisplayRepresentation: AppIntents.TypeDisplayRepresentation { \"\(title)\" }"
            )
        }
        self.members = members.joined(separator: "\n\n")
    }

    /// Whether the type declares a property with a name.
    private static func declares(_ name: String, in tokens: [SourceReader.Token]) -> Bool {
        zip(tokens, tokens.dropFirst()).contains { keyword, token in
            keyword.depth == 1 && ["var", "let"].contains(keyword.text) && token.text == name
        }
    }

    /// The name of a schema: `photos.createAlbum` for `schema: .photos.createAlbum`.
    private static func schema(of attribute: String) -> String {
        let tokens = SourceReader(attribute).tokens
        guard let label = tokens.firstIndex(where: { $0.text == "schema" }) else { return "" }
        let path = tokens[(label + 1)...].prefix { $0.text != ")" && $0.text != "," }
        return path.map(\.text).filter { $0 != ":" && $0 != "." }.joined(separator: ".")
    }

    /// The words of the schema's last name: “Create Album” for `photos.createAlbum`.
    private static func title(of schema: String) -> String {
        let name = schema.split(separator: ".").last ?? ""
        var words = ""
        for letter in name {
            if letter.isUppercase, !words.isEmpty { words += " " }
            words += words.isEmpty ? letter.uppercased() : String(letter)
        }
        return words
    }
}
