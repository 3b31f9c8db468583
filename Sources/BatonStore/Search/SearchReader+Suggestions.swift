package import BatonCore

/// Suggestions while a person types.
extension SearchReader {
    /// Returns what a person may mean to search for, best first.
    ///
    /// Earlier searches come first, those that were made often and lately before others; then titles of items that the
    /// person opened; then words that complete the last one, and further titles. Each suggestion finds something that
    /// exists at this time, in apps that are not excluded. The first half of the suggestions are earlier searches and
    /// opened items at most.
    ///
    /// If the scope is limited to an app, all of them come from its items and from the searches in it.
    package func suggest(
        _ typed: String, most: Int, at now: WallTime, in scope: SearchScope = SearchScope(),
        except apps: Set<String> = []
    ) throws(StoreFailure) -> [SearchSuggestion] {
        let most = min(most, Limits.suggestions)
        guard most > 0 else { return [] }
        // The search has a bound of its own, and a text without words has no titles.
        let titles = try titles(for: typed, at: now, in: scope, except: apps)
        stop.beginSearch()
        do {
            return try store.gate.read { () throws(StoreFailure) in
                try saved.update(scope)
                return try index.reading { () throws(StoreFailure) in
                    var scope = scope
                    scope.appsOff.formUnion(apps)
                    let words = SuggestedWords(
                        index: index, saved: saved, limits: limits, now: now, scope: scope)
                    var list = SuggestionList(typed: typed, most: most)
                    list.add(
                        try words.searches(like: list.phrases, most: most) { list.isNew($0) }, most: most / 2)
                    list.add(titles.opened, most: (most + 1) / 2)
                    let completed =
                        scope.filter.app == nil
                        ? try words.completions(of: typed, list.phrases, most: most)
                        : try words.completions(of: typed, list.phrases, in: titles.items, most: most)
                    list.addInTurn(completed, titles.others)
                    return list.suggestions
                }
            }
        } catch  where stop.hasEndedSearch {
            // Suggestions that were not found in time are left out.
            return Array((titles.opened + titles.others).prefix(most))
        }
    }

    /// The titles and items that a search for the typed words finds.
    private struct Titles {
        /// The titles that have all words: those of items that the person opened, and others.
        var opened: [SearchSuggestion] = []
        var others: [SearchSuggestion] = []
        /// The items that have all words, best first.
        var items: [ItemName] = []
    }

    /// Searches for the typed words, and returns the titles that have them all.
    private func titles(
        for typed: String, at now: WallTime, in scope: SearchScope, except apps: Set<String>
    ) throws(StoreFailure) -> Titles {
        let finder = PhraseFinder(Phrase.all(of: typed), marksLetters: true)
        let finding = try find(typed, most: Self.titlesMost, at: now, in: scope)
        var titles = Titles()
        guard finding.corrected == nil else { return titles }
        for found in finding.things where !apps.contains(found.thing.app) {
            if let name = found.thing.item?.name { titles.items.append(name) }
            guard let title = found.thing.title, title.utf8.count <= Limits.rememberedSearchBytes,
                let ranges = finder.firstRanges(in: title)
            else { continue }
            let suggestion = SearchSuggestion(title, .title, typed: ranges)
            if let rank = found.rank, rank.use > 1 {
                titles.opened.append(suggestion)
            } else {
                titles.others.append(suggestion)
            }
        }
        return titles
    }

    /// The most items whose titles are looked at.
    private static let titlesMost = 30
}

/// Suggestions without repetitions.
private struct SuggestionList {
    let phrases: [Phrase]
    private(set) var suggestions: [SearchSuggestion] = []
    private let most: Int
    /// The folded words of what was typed, and of the suggestions.
    private var known: Set<[UInt8]> = []

    init(typed: String, most: Int) {
        (phrases, self.most) = (Phrase.all(of: typed), most)
        if let words = SearchHistory.words(of: typed) { known.insert(words) }
    }

    func isNew(_ text: String) -> Bool { SearchHistory.words(of: text).map { !known.contains($0) } ?? false }

    /// Adds suggestions, until there are so many.
    mutating func add(_ further: [SearchSuggestion], most: Int) {
        for suggestion in further where suggestions.count < most { add(suggestion) }
    }

    /// Adds suggestions of two lists in turn.
    mutating func addInTurn(_ first: [SearchSuggestion], _ second: [SearchSuggestion]) {
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

/// Words of the index and earlier searches that find something that exists.
private struct SuggestedWords {
    let index: LaneReader
    let saved: SavedActivities
    let limits: SearchLimits
    let now: WallTime
    /// The things that may be suggested.
    let scope: SearchScope

    /// The most words that are looked up, the most frequent ones.
    private static let wordsMost = 24
    /// The most words of one item that are looked at to complete another.
    private static let wordsOfItem = 256
    /// The most items of a word that are looked at, of which one must exist.
    private static let itemsMost = 50
    /// The most bytes of a text in which the spelling of a word is looked for.
    private static let textBytes = 64 << 10
    /// How much later a search counts for each time that it was made.
    private static let useTime = Duration.seconds(7 * 86_400)
    private static let usesMost = 16

    /// Returns earlier searches that have what was typed and pass a test, best first.
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

    /// Whether a search that was made in an app, or in none, may be suggested.
    private func isWithin(_ app: String?) -> Bool {
        if let app, scope.appsOff.contains(app) { return false }
        return scope.filter.app == nil || app == scope.filter.app
    }

    /// Whether an item that exists, or an activity, has all phrases.
    private func findsSomething(_ phrases: [Phrase]) throws(StoreFailure) -> Bool {
        if let terms = try terms(of: phrases), try item(terms) != nil { return true }
        return !saved.matches(phrases, in: scope, at: now).found.isEmpty
    }

    private static func rank(_ entry: HistoryTable.Entry) -> WallTime {
        entry.last.advanced(by: useTime * min(entry.count, usesMost))
    }

    /// Returns what was typed, with its last word completed by the most frequent words.
    func completions(
        of typed: String, _ phrases: [Phrase], most: Int
    ) throws(StoreFailure) -> [SearchSuggestion] {
        guard let last = phrases.last, last.isOpen, last.words.count == 1, typed.hasSuffix(last.text),
            let others = try terms(of: phrases.dropLast())
        else { return [] }
        let beginning = typed.dropLast(last.text.count).drop(while: \.isWhitespace)
        let words = try index.tables.words.completions(of: last.words[0], most: limits.completions).words
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

    /// Returns what was typed, with its last word completed by the words of items that have all that was typed.
    ///
    /// The most frequent words of the index may be in other apps alone, and say what these have.
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

    /// Returns the words of an item that begin with some letters, folded, and in small letters as the item has them.
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

    /// Looks up phrases; nil if no item has one of them.
    private func terms(of phrases: [Phrase]) throws(StoreFailure) -> [SearchTerm]? {
        var terms: [SearchTerm] = []
        for phrase in phrases {
            let term = try SearchTerm(phrase, in: index.tables.words, completions: Self.itemsMost)
            guard term.items > 0 else { return nil }
            terms.append(term)
        }
        return terms
    }

    /// Returns the newest of the items with these terms that exists, if it is one of the newest.
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

    /// Returns a word as an item has it, in small letters; as it is folded, if it is not near the beginning of a text.
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
