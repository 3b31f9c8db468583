/// Expands `@ComputedProperty` and `@DeferredProperty`.
struct PropertyExpansion {
    /// The declarations beside the property: what the index and the queries need of it.
    let peers: String

    init(_ expansion: AttachedExpansion, isDeferred: Bool) throws(MacroError) {
        let macro = isDeferred ? "@DeferredProperty" : "@ComputedProperty"
        let reader = SourceReader(expansion.declaration)
        let tokens = reader.tokens
        guard let keyword = tokens.firstIndex(where: { $0.depth == 0 && ["var", "let"].contains($0.text) }),
            keyword + 1 < tokens.count
        else { throw MacroError(message: "\(macro) belongs to a property.") }
        guard tokens[keyword].text == "var" else {
            throw MacroError(
                message: "\(macro) needs a computed property; write “var” and a getter.",
                offset: tokens[keyword].offset)
        }
        let name = tokens[keyword + 1].text
        guard keyword + 2 < tokens.count, tokens[keyword + 2].text == ":" else {
            throw MacroError(
                message: "\(macro) needs the type of “\(name)”; write “var \(name): Type”.",
                offset: tokens[keyword + 1].offset)
        }
        var end = keyword + 3
        while end < tokens.count, !(tokens[end].depth == 0 && ["{", "="].contains(tokens[end].text)) {
            end += 1
        }
        guard end < tokens.count, tokens[end].text == "{" else {
            throw MacroError(
                message: "\(macro) needs a getter; a stored property takes @Property.",
                offset: tokens[keyword + 1].offset)
        }
        let type = reader.text(from: keyword + 3, to: end)
        let modifiers = tokens[..<keyword].filter { $0.depth == 0 }.map(\.text)
        if modifiers.contains("static") {
            throw MacroError(message: "\(macro) belongs to a property of an entity, not of its type.")
        }
        let access = ["public", "package"].first { modifiers.contains($0) }.map { $0 + " " } ?? ""
        let plain = name.filter { $0 != "`" }
        let arguments = Self.arguments(of: expansion.attribute)
        let list = arguments.isEmpty ? "" : arguments + ", "
        let closure =
            isDeferred
            ? "deferring: { \(Self.waiting(tokens[end...]))$0.\(name) }" : "computing: { $0.\(name) }"
        let entity = Self.className(in: expansion.context) ?? "Self"
        peers = """
            private let _\(plain) = AppIntents._ComputedEntityProperty<\(entity), \(type)>("\(plain)", \(list)\(closure))

            \(access)var $\(plain): AppIntents.EntityProperty<\(type)> { _\(plain).property(of: self) }
            """
    }

    /// The name of a class, whose initial values can't name `Self`; nil for other types.
    private static func className(in context: String?) -> String? {
        let tokens = SourceReader(context ?? "").tokens
        guard let keyword = tokens.firstIndex(where: { $0.depth == 0 && $0.text == "class" }),
            keyword + 1 < tokens.count
        else { return nil }
        return tokens[keyword + 1].text
    }

    /// The words before a call of a getter: `try` and `await`, if it needs them.
    private static func waiting(_ accessors: ArraySlice<SourceReader.Token>) -> String {
        guard let getter = accessors.firstIndex(where: { $0.depth == 1 && $0.text == "get" }) else {
            return ""
        }
        let effects = accessors[getter...].prefix { $0.text != "{" }.map(\.text)
        return (effects.contains("throws") ? "try " : "") + (effects.contains("async") ? "await " : "")
    }

    /// The arguments of an attribute, as they are written.
    private static func arguments(of attribute: String) -> String {
        let reader = SourceReader(attribute)
        guard let open = reader.tokens.firstIndex(where: { $0.text == "(" }) else { return "" }
        return reader.text(from: open + 1, to: reader.close(of: open))
    }
}
