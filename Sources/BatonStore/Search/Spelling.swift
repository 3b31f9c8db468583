import BatonCore

/// Finds the word of the index that a person probably meant.
struct Spelling {
    let words: WordTable
    /// The number of activities that have each word.
    let activities: [[UInt8]: Int]

    /// The smallest number of letters of a word that is corrected, and of a word that may have two mistakes.
    private static let (leastLetters, lettersForTwo) = (3, 8)
    /// The largest number of words of the index with the same first letter that are compared.
    private static let comparedMost = 100_000
    /// The largest number of words of one search that are corrected.
    private static let correctedMost = 2
    /// The largest number of corrections of one word that are tried.
    private static let correctionsMost = 8

    /// Whether words of a search may have been mistyped, because one or two of its words are found nowhere.
    ///
    /// `counts` has the number of things that have each word. If more words are found nowhere, the person has probably
    /// not mistyped them, and each correction takes time.
    static func mayCorrect(_ counts: [Int]) -> Bool {
        1...correctedMost ~= counts.count { $0 == 0 }
    }

    /// Returns the phrases of a search with corrections of the words that are found nowhere, the most likely correction
    /// first.
    ///
    /// Returns an empty list if one of these words has no correction.
    ///
    /// `counts` has the number of things that have each term.
    func corrections(of terms: [SearchTerm], _ counts: [Int]) throws(StoreFailure) -> [[Phrase]] {
        var choices: [[Phrase]] = []
        for (term, count) in zip(terms, counts) {
            let words =
                count > 0 ? [term.phrase] : try corrections(of: term.phrase, most: Self.correctionsMost)
            guard !words.isEmpty else { return [] }
            choices.append(words)
        }
        return (0..<(choices.map(\.count).max() ?? 0)).map { place in
            choices.map { $0[min(place, $0.count - 1)] }
        }
    }

    /// Returns corrections of a phrase, the most similar word first.
    ///
    /// If words are equally similar, the more frequent word comes first. The list is empty if no word is similar
    /// enough.
    func corrections(of phrase: Phrase, most: Int) throws(StoreFailure) -> [Phrase] {
        let cut = phrase.words
        guard cut.count == 1 else { return [] }
        let typed = Array(String(decoding: cut[0], as: UTF8.self).unicodeScalars)
        // If a digit differs, the person means another number, so numbers are not corrected.
        guard typed.count >= Self.leastLetters, !typed.contains(where: { $0.properties.numericType != nil })
        else { return [] }
        var nearest: [(distance: Int, word: WordTable.Word)] = []
        let mistakesMost = typed.count < Self.lettersForTwo ? 1 : 2
        try visitCandidates(typed, mistakesMost) { (word) throws(StoreFailure) in
            let letters = Array(String(decoding: word, as: UTF8.self).unicodeScalars)
            guard abs(letters.count - typed.count) <= mistakesMost else { return }
            let distance = EditDistance.between(typed, letters, most: mistakesMost)
            guard distance <= mistakesMost, !nearest.contains(where: { $0.word.word == word }) else {
                return
            }
            let items = try words.items(with: word) + (activities[word] ?? 0)
            let word = WordTable.Word(word: word, items: items)
            let place = nearest.firstIndex { !$0.word.isBefore(word, at: $0.distance, distance) }
            nearest.insert((distance, word), at: place ?? nearest.count)
            if nearest.count > most { nearest.removeLast() }
        }
        return nearest.map(\.word.word).compactMap { word in
            let found = Phrase(String(decoding: word, as: UTF8.self), isOpen: phrase.isOpen)
            // One letter may be folded to several letters. Such a folded word may be cut into two words when it is cut
            // again.
            return found.words == [word] ? found : nil
        }
    }

    /// Visits the words that may be corrections of the typed letters.
    ///
    /// These are the words of about the same length that begin with the first or the second typed letter, and the words
    /// that differ only in the first letter.
    ///
    /// This finds all words with one mistake, unless the mistake is in the first letter and the right letter is not in
    /// the Latin alphabet.
    private func visitCandidates(
        _ typed: [Unicode.Scalar], _ mistakesMost: Int, _ visit: ([UInt8]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        for word in activities.keys { try visit(word) }
        for letter in Set(typed.prefix(2)) {
            let beginning = Array(String(letter).utf8)
            let counts = typed.count - mistakesMost...typed.count + mistakesMost
            let near = try words.beginning(with: beginning, counts: counts, amongFirst: Self.comparedMost)
            for word in near { try visit(word.word) }
        }
        for first in "abcdefghijklmnopqrstuvwxyz".unicodeScalars {
            for rest in [typed[...], typed.dropFirst()] {
                var word = String.UnicodeScalarView([first])
                word.append(contentsOf: rest)
                let bytes = Array(String(word).utf8)
                if try words.items(with: bytes) > 0 { try visit(bytes) }
            }
        }
    }
}

extension WordTable.Word {
    /// Whether this word comes before another word.
    ///
    /// The more similar word comes first, then the more frequent word, then the first one in the order of bytes.
    fileprivate func isBefore(_ other: WordTable.Word, at distance: Int, _ otherDistance: Int) -> Bool {
        guard distance == otherDistance, items == other.items else {
            return (distance, -items) < (otherDistance, -other.items)
        }
        return !other.word.lexicographicallyPrecedes(word)
    }
}
