import BatonCore

/// Finds suggestions among the words of the index and the earlier searches.
///
/// Each suggestion finds something that exists.
struct SuggestedWords {
    let store: SearchedStore
    let now: WallTime
    /// Decides which things may be suggested.
    let scope: SearchScope

    /// The largest number of completions that are tried, beginning with the most frequent word.
    private static let wordsMost = 24
    /// The largest number of words of one item that may complete the typed word.
    private static let wordsOfItem = 256
    /// The largest number of items with a word that are read to find an item that exists.
    private static let itemsMost = 50
    /// The number of bytes at the beginning of a text in which the spelling of a word is searched.
    private static let textBytes = 64 << 10
    /// For each time that a search was made, it is ranked as if it were more recent by this duration.
    private static let useTime = Duration.seconds(7 * 86_400)
    private static let usesMost = 16

    private var index: LaneReader { store.index }

    /// Returns the earlier searches that contain the typed phrases and pass a test, the best first.
    func searches(
        like phrases: [Phrase], most: Int, where isWanted: (String) -> Bool
    ) throws(StoreFailure) -> [SearchSuggestion] {
        let finder = PhraseFinder(phrases, marksLetters: true)
        let entries = try index.tables.history.entries().compactMap { entry in
            isWithin(entry.app) && isWanted(entry.text)
                ? finder.firstRanges(in: entry.text).map { (entry, $0) } : nil
        }
        let best = entries.sorted { Self.rank($0.0) > Self.rank($1.0) }
        var suggestions: [SearchSuggestion] = []
        for (entry, ranges) in best where suggestions.count < most {
            guard try findsSomething(Phrase.all(of: entry.text)) else { continue }
            suggestions.append(SearchSuggestion(entry.text, .search, typed: ranges))
        }
        return suggestions
    }

    /// Whether a search that was made in this app may be suggested; `app` is nil for a search of all apps.
    private func isWithin(_ app: String?) -> Bool {
        if let app, scope.appsOff.contains(app) { return false }
        return scope.filter.app == nil || app == scope.filter.app
    }

    /// Whether an existing item or an activity has all phrases.
    private func findsSomething(_ phrases: [Phrase]) throws(StoreFailure) -> Bool {
        if let terms = try terms(of: phrases), try item(terms) != nil { return true }
        return !store.saved.matches(phrases, in: scope, at: now).found.isEmpty
    }

    private static func rank(_ entry: HistoryTable.Entry) -> WallTime {
        entry.last.advanced(by: useTime * min(entry.count, usesMost))
    }

    /// Returns the typed text with completions of its last word, the most frequent word first.
    func completions(
        of typed: String, _ phrases: [Phrase], most: Int
    ) throws(StoreFailure) -> [SearchSuggestion] {
        guard let last = phrases.last, last.isOpen, last.words.count == 1, typed.hasSuffix(last.text),
            let others = try terms(of: phrases.dropLast())
        else { return [] }
        let beginning = typed.dropLast(last.text.count).drop(while: \.isWhitespace)
        let words = try index.tables.words.completions(of: last.words[0], most: store.limits.completions)
            .words
        let finder = PhraseFinder(phrases, marksLetters: true)
        var suggestions: [SearchSuggestion] = []
        for word in words.sorted(by: Self.isMoreFrequent).prefix(Self.wordsMost) {
            guard suggestions.count < most else { break }
            guard let record = try item(others + [SearchTerm(word)]) else { continue }
            let text = String(beginning) + Self.spelling(of: word.word, in: record)
            guard let ranges = finder.firstRanges(in: text) else { continue }
            suggestions.append(SearchSuggestion(text, .word, typed: ranges))
        }
        return suggestions
    }

    /// Returns the typed text with completions of its last word, which are words of the given items.
    ///
    /// These are the items that have all typed words.
    ///
    /// A frequent word of the index may be only in items of other apps. Suggesting such a word would reveal what other
    /// apps have.
    func completions(
        of typed: String, _ phrases: [Phrase], in items: [ItemName], most: Int
    ) throws(StoreFailure) -> [SearchSuggestion] {
        guard let last = phrases.last, last.isOpen, last.words.count == 1, typed.hasSuffix(last.text) else {
            return []
        }
        var words: [[UInt8]: (items: Int, spelling: String)] = [:]
        for item in items {
            guard let number = try index.tables.records.number(of: item.key.identity),
                let record = try index.records.stored(number: number)?.record
            else { continue }
            for (word, spelling) in Self.words(of: record, beginningWith: last.words[0]) {
                words[word, default: (0, spelling)].items += 1
            }
        }
        let beginning = typed.dropLast(last.text.count).drop(while: \.isWhitespace)
        let finder = PhraseFinder(phrases, marksLetters: true)
        let sorted = words.sorted { left, right in
            left.value.items == right.value.items
                ? left.key.lexicographicallyPrecedes(right.key) : left.value.items > right.value.items
        }
        let suggestions = sorted.prefix(Self.wordsMost).compactMap { word in
            let text = String(beginning) + word.value.spelling
            return finder.firstRanges(in: text).map { SearchSuggestion(text, .word, typed: $0) }
        }
        return Array(suggestions.prefix(most))
    }

    /// Returns the words of an item that begin with these folded letters.
    ///
    /// The key is the folded word, and the value is the word as the item spells it, in lower case.
    private static func words(of record: Record, beginningWith letters: [UInt8]) -> [[UInt8]: String] {
        var (words, cutter) = ([[UInt8]: String](), WordCutter())
        for var text in SearchText(record)?.texts ?? [] {
            text.withUTF8 { text in
                let text = unsafe UnsafeBufferPointer(rebasing: text.prefix(textBytes))
                unsafe cutter.cut(text, for: .index) { word, range in
                    guard unsafe word.starts(with: letters) else {
                        return true
                    }
                    let key = unsafe Array(word)
                    if words[key] == nil {
                        words[key] = unsafe String(decoding: text[range], as: UTF8.self).lowercased()
                    }
                    return words.count < wordsOfItem
                }
            }
        }
        return words
    }

    private static func isMoreFrequent(_ left: WordTable.Word, _ right: WordTable.Word) -> Bool {
        left.items == right.items
            ? left.word.lexicographicallyPrecedes(right.word) : left.items > right.items
    }

    /// Looks up phrases in the index; returns nil if one of them is in no item.
    private func terms(of phrases: [Phrase]) throws(StoreFailure) -> [SearchTerm]? {
        var terms: [SearchTerm] = []
        for phrase in phrases {
            let term = try SearchTerm(phrase, in: index.tables.words, completions: Self.itemsMost)
            guard term.items > 0 else { return nil }
            terms.append(term)
        }
        return terms
    }

    /// Returns the newest existing item that has these terms.
    ///
    /// Only the last `itemsMost` items to arrive that have the terms are read.
    private func item(_ terms: [SearchTerm]) throws(StoreFailure) -> Record? {
        guard let expression = SearchExpression(terms) else { return nil }
        for number in try CandidateTable(rows: index.tables.rows).newest(
            withWords: expression.text, in: scope.filter.scope, most: Self.itemsMost)
        where try index.tables.records.hasExpired(number, at: now) == false {
            guard let record = try index.records.stored(number: number)?.record, record.content != nil,
                let name = ItemName(record), !scope.appsOff.contains(name.app)
            else { continue }
            return record
        }
        return nil
    }

    /// Returns a folded word as an item spells it, in lower case.
    ///
    /// If the word is not near the beginning of a text, the folded word is returned.
    private static func spelling(of word: [UInt8], in record: Record) -> String {
        var (found, cutter) = (String?.none, WordCutter())
        for var text in SearchText(record)?.texts ?? [] where found == nil {
            text.withUTF8 { text in
                let text = unsafe UnsafeBufferPointer(rebasing: text.prefix(textBytes))
                unsafe cutter.cut(text, for: .index) { letters, range in
                    guard unsafe letters.elementsEqual(word) else { return true }
                    found = unsafe String(decoding: text[range], as: UTF8.self).lowercased()
                    return false
                }
            }
        }
        return found ?? String(decoding: word, as: UTF8.self)
    }
}
