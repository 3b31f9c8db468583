import BatonCore

/// Remembers the searches that were useful to the person.
struct SearchHistory {
    let tables: LaneTables

    /// Remembers a search, unless the search has no words or is longer than a person would type.
    func remember(_ text: String, in app: String?, at now: WallTime) throws(StoreFailure) {
        guard text.utf8.count + (app?.utf8.count ?? 0) <= Limits.rememberedSearchBytes,
            let words = Self.words(of: text)
        else { return }
        try tables.history.remember(words, text, in: app, at: now, most: Limits.rememberedSearches)
    }

    /// Forgets a search, or all searches.
    func forget(_ text: String?) throws(StoreFailure) {
        guard let text else { return try tables.history.forget(nil) }
        guard let words = Self.words(of: text) else { return }
        try tables.history.forget(words)
    }

    /// Returns the searches that no longer find any item.
    func withoutItems() throws(StoreFailure) -> [String] {
        // While the words of some items are missing in the full-text table, a search may not find what it will find
        // later.
        guard try tables.search.coverage() == .whole else { return [] }
        var texts: [String] = []
        for entry in try tables.history.entries() {
            var terms: [SearchTerm] = []
            for phrase in Phrase.all(of: entry.text) {
                terms.append(try SearchTerm(phrase, in: tables.words))
            }
            if try !hasItem(terms) { texts.append(entry.text) }
        }
        return texts
    }

    private func hasItem(_ terms: [SearchTerm]) throws(StoreFailure) -> Bool {
        guard terms.allSatisfy({ $0.items > 0 }), let expression = SearchExpression(terms) else {
            return false
        }
        return try !CandidateTable(rows: tables.rows).records(
            withWords: expression.text, after: .min, most: 1
        ).isEmpty
    }

    /// Returns the folded words of a search, separated by spaces; nil if the search has no words.
    ///
    /// Two searches with the same words count as one.
    static func words(of text: String) -> [UInt8]? {
        let words = Phrase.all(of: text).flatMap(\.words)
        return words.isEmpty ? nil : Array(words.joined(separator: [0x20]))
    }
}
