package import BatonClient
package import BatonCore

extension JSON {
    /// The text, the kind and the parts of a suggestion.
    ///
    /// Each part says whether the person typed it.
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
