import BatonCore

/// Finds the word that a person probably meant to type.
package enum Suggestion {
    /// Returns the word that is most similar to the typed text, if it is similar enough.
    ///
    /// Words that begin with the typed text are preferred, because people cut words short more often than they misspell
    /// them.
    package static func nearest(to typed: String, among words: [String]) -> String? {
        let letters = typed.utf8.drop { $0 == UInt8(ascii: "-") }.count
        let begun = letters < 2 ? [] : words.filter { $0.utf8.starts(with: typed.utf8) }
        let measured = (begun.isEmpty ? words : begun).map {
            (word: $0, distance: EditDistance.between(Array(typed.unicodeScalars), Array($0.unicodeScalars)))
        }
        guard let nearest = measured.min(by: { $0.distance < $1.distance }) else { return nil }
        return !begun.isEmpty || nearest.distance <= max(1, letters / 3) ? nearest.word : nil
    }

    /// Returns a message that an object can't have this key, with the key that the person probably meant.
    package static func unknownKey(_ key: String, of what: String, keys: [String]) -> String {
        let advice = nearest(to: key, among: keys).map { "did you mean `\($0)`?" }
        return
            "`\(key)` is not a key of \(what); \(advice ?? "its keys are: \(keys.joined(separator: ", "))")"
    }
}
