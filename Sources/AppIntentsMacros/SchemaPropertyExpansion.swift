/// Expands a macro that takes a schema at one member of the type: wraps a stored variable as Apple's macros do.
struct SchemaPropertyExpansion {
    /// The attribute for the member; empty if it gets none.
    let attribute: String

    /// Variables that entities need and that are not values of intents.
    private static let unwrappedNames = ["attributeSet", "displayRepresentation", "hideInSpotlight", "id"]

    /// Modifiers of variables that are not wrapped; a private one does not belong to the schema.
    private static let unwrappedModifiers = [
        "class", "fileprivate", "lazy", "nonisolated", "private", "static", "unowned", "weak",
    ]

    init(_ expansion: AttachedExpansion, wrapper: String) {
        attribute = Self.takesWrapper(SourceReader(expansion.declaration)) ? "@AppIntents.\(wrapper)" : ""
    }

    /// Whether a declaration is a variable with a type that stores a value and has neither an initial value nor a wrapper.
    private static func takesWrapper(_ reader: SourceReader) -> Bool {
        let tokens = reader.tokens
        guard let keyword = tokens.firstIndex(where: { $0.depth == 0 && $0.text == "var" }),
            keyword + 3 < tokens.count, tokens[keyword + 2].text == ":",
            !unwrappedNames.contains(tokens[keyword + 1].text)
        else { return false }
        var previous = ""
        for token in tokens[..<keyword] where token.depth == 0 {
            if unwrappedModifiers.contains(token.text) { return false }
            // Attributes for the compiler are no wrappers.
            if previous == "@", !["MainActor", "available"].contains(token.text) { return false }
            previous = token.text
        }
        for (index, token) in tokens.enumerated().dropFirst(keyword + 3) where token.depth == 0 {
            // Functions and existential values are no values of intents.
            if ["=", "->", "any"].contains(token.text) { return false }
            guard token.text == "{" else { continue }
            return index + 1 < tokens.count && ["didSet", "willSet"].contains(tokens[index + 1].text)
        }
        return true
    }
}
