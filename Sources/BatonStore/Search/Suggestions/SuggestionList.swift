package import BatonCore

/// Suggestions without repetitions.
package struct SuggestionList {
    let phrases: [Phrase]
    package private(set) var suggestions: [SearchSuggestion] = []
    private let most: Int
    /// The folded words of the typed text and of each suggestion in the list.
    private var known: Set<[UInt8]> = []

    package init(typed: String, most: Int) {
        (phrases, self.most) = (Phrase.all(of: typed), most)
        if let words = SearchHistory.words(of: typed) { known.insert(words) }
    }

    func isNew(_ text: String) -> Bool { SearchHistory.words(of: text).map { !known.contains($0) } ?? false }

    /// Adds suggestions until the list has `most` of them.
    mutating func add(_ further: [SearchSuggestion], most: Int) {
        for suggestion in further where suggestions.count < most { add(suggestion) }
    }

    /// Adds suggestions of two lists alternately.
    package mutating func addInTurn(_ first: [SearchSuggestion], _ second: [SearchSuggestion]) {
        for place in 0..<max(first.count, second.count) {
            if place < first.count { add([first[place]], most: most) }
            if place < second.count { add([second[place]], most: most) }
        }
    }

    private mutating func add(_ suggestion: SearchSuggestion) {
        guard let words = SearchHistory.words(of: suggestion.text), known.insert(words).inserted else {
            return
        }
        suggestions.append(suggestion)
    }
}
