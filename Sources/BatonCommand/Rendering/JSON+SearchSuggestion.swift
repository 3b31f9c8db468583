package import BatonCore

extension JSON {
    /// The JSON of a suggestion: its text, its kind, and its parts, which say what was typed.
    package init(_ suggestion: SearchSuggestion) {
        let parts = suggestion.parts.map { part in
            JSON.object([.init("text", .string(part.text)), .init("typed", .boolean(part.isTyped))])
        }
        self = .object([
            .init("text", .string(suggestion.text)), .init("kind", .string(suggestion.kind.name)),
            .init("parts", .array(parts)),
        ])
    }
}

extension SearchSuggestion.Kind {
    fileprivate var name: String {
        switch self {
        case .word: "word"
        case .title: "title"
        case .search: "search"
        }
    }
}
