import BatonClient
import BatonCore

/// A phrase of a shortcut, such as `Order a ${drink} in ${applicationName}`, compared with what a person typed.
///
/// Capitals, accents, punctuation and the name of the app don't count, nor does a word such as `in` before that name.
package struct SpokenPhrase: Equatable, Sendable {
    /// The phrase as the app declares it.
    package let text: String
    private let parts: [Part]

    private enum Part: Equatable, Sendable {
        case word(String)
        case application
        case parameter(String)
    }

    package init(_ text: String) {
        self.text = text
        var parts: [Part] = []
        // A piece after the first one begins with the name of a placeholder, which ends at the brace.
        for (place, piece) in Self.pieces(of: text).enumerated() {
            guard place > 0, let end = piece.firstIndex(of: "}") else {
                parts += Self.words(of: piece).map(Part.word)
                continue
            }
            let name = String(piece[..<end])
            parts.append(name == "applicationName" ? .application : .parameter(name))
            parts += Self.words(of: piece[piece.index(after: end)...]).map(Part.word)
        }
        self.parts = parts
    }

    /// Divides a phrase at each `${`.
    private static func pieces(of text: String) -> [Substring] {
        var (pieces, start, place) = ([Substring](), text.startIndex, text.startIndex)
        while place < text.endIndex {
            let next = text.index(after: place)
            guard text[place] == "$", next < text.endIndex, text[next] == "{" else {
                place = next
                continue
            }
            pieces.append(text[start..<place])
            place = text.index(after: next)
            start = place
        }
        return pieces + [text[start...]]
    }

    /// Returns the words of a text, without capitals, accents and punctuation.
    static func words(of text: some StringProtocol) -> [String] {
        Folding.search.fold(String(text)).split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }

    /// The names of the parameters for which the phrase has a place.
    var parameters: [String] {
        parts.compactMap { (part) -> String? in
            if case .parameter(let name) = part { name } else { nil }
        }
    }

    // MARK: Matching

    /// Returns the values that a typed phrase gives to parameters; nil if it is another phrase.
    ///
    /// A parameter gets as few words as possible, as they were typed.
    package func values(in typed: String, app: String) -> [String: String]? {
        let words = typed.split(whereSeparator: \.isWhitespace).map(String.init)
        // A word of punctuation alone is ignored.
        let spoken = words.map { (typed: $0, folded: Self.words(of: $0).joined(separator: " ")) }.filter {
            !$0.folded.isEmpty
        }
        return Self.values(spoken[...], parts[...], Self.words(of: app))
    }

    private static func values(
        _ spoken: ArraySlice<(typed: String, folded: String)>, _ parts: ArraySlice<Part>, _ app: [String]
    ) -> [String: String]? {
        guard let part = parts.first else { return spoken.isEmpty ? [:] : nil }
        let rest = parts.dropFirst()
        switch part {
        case .word(let word):
            if let found = values(spoken, word, rest, app) { return found }
            // Without the name of the app, the person says no `in` before it either.
            guard rest.first == .application, prepositions.contains(word) else { return nil }
            return values(spoken, rest.dropFirst(), app)
        case .application:
            // The person may leave out the name of the app.
            if !app.isEmpty, spoken.prefix(app.count).map(\.folded) == app,
                let found = values(spoken.dropFirst(app.count), rest, app)
            {
                return found
            }
            return values(spoken, rest, app)
        case .parameter(let name):
            guard !spoken.isEmpty else { return nil }
            for count in 1...spoken.count {
                if var found = values(spoken.dropFirst(count), rest, app) {
                    found[name] = trimmed(spoken.prefix(count).map(\.typed).joined(separator: " "))
                    return found
                }
            }
            return nil
        }
    }

    /// Returns the values for parts that begin with a word.
    private static func values(
        _ spoken: ArraySlice<(typed: String, folded: String)>, _ word: String, _ rest: ArraySlice<Part>,
        _ app: [String]
    ) -> [String: String]? {
        guard let first = spoken.first else { return nil }
        if first.folded == word { return values(spoken.dropFirst(), rest, app) }
        // A typed word with a sign inside, such as `to-do`, is several words of the phrase.
        let several = first.folded.split(separator: " ").map(String.init)
        guard several.count > 1, several[0] == word,
            rest.prefix(several.count - 1).elementsEqual(several.dropFirst().map(Part.word))
        else { return nil }
        return values(spoken.dropFirst(), rest.dropFirst(several.count - 1), app)
    }

    /// The words that a phrase can have right before the name of the app, as in `Order a latte in Café`.
    private static let prepositions: Set<String> = [
        "at", "by", "for", "from", "in", "of", "on", "to", "using", "via", "with",
    ]

    /// Returns a value without punctuation at its ends.
    private static func trimmed(_ text: String) -> String {
        let marks: Set<Character> = [",", ".", "!", "?", ";", ":", "\"", "“", "”"]
        let end = text.lastIndex { !marks.contains($0) }.map { text.index(after: $0) } ?? text.startIndex
        return String(text[..<end].drop { marks.contains($0) })
    }

    // MARK: Nearness

    /// Returns the phrase for a person, with parameters in brackets and with the name of the app.
    package func shown(app: String) -> String {
        parts.map { part in
            switch part {
            case .word(let word): word
            case .application: app
            case .parameter(let name): "[\(name)]"
            }
        }.joined(separator: " ")
    }

    /// Returns how much a typed phrase differs from this one.
    ///
    /// A word that one of the phrases lacks counts 1, and a word that is spelt almost alike counts 0.5. All words that
    /// parameters could take count 0.5 together.
    func distance(to typed: String, app: String) -> Double {
        let spoken = Self.words(of: typed).filter { !Self.words(of: app).contains($0) }
        let own = parts.compactMap { part in if case .word(let word) = part { word } else { nil as String? } }
        var left = spoken
        var missing = 0.0
        for word in own {
            if let place = left.firstIndex(of: word) {
                left.remove(at: place)
            } else if let near = Suggestion.nearest(to: word, among: left),
                let place = left.firstIndex(of: near)
            {
                left.remove(at: place)
                missing += 0.5
            } else {
                missing += 1
            }
        }
        let takesWords = parts.contains { if case .parameter = $0 { true } else { false } }
        return missing + (takesWords ? 0.5 : Double(left.count))
    }
}
