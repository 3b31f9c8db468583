package import BatonCore

/// Shows a recovery code, so that a person can write it on paper.
package struct RecoveryCodeText {
    private let words: [String]

    /// Creates the text for a code, whose words are separated by spaces.
    package init(_ text: String) { words = text.split(separator: " ").map(String.init) }

    /// The number of words.
    package var count: Int { words.count }

    /// The numbered words.
    ///
    /// Each line has four words, or fewer if the terminal is narrow. Without a width, each line has four.
    package func lines(width terminal: Int?) -> [VisibleText] {
        let longest = words.map(\.utf8.count).max() ?? 0
        // The number takes four cells. There is a space before the word and one after it.
        let width = longest + 6
        let count = [4, 2].first { (terminal ?? .max) >= $0 * width - 1 } ?? 1
        return stride(from: 0, to: words.count, by: count).map { start in
            let cells = (start..<min(start + count, words.count)).map { place in
                let number = "\(place + 1)"
                return String(repeating: " ", count: max(0, 4 - number.utf8.count)) + number + " "
                    + words[place]
            }
            let padded = cells.dropLast().map {
                $0 + String(repeating: " ", count: max(0, width - $0.utf8.count))
            }
            return VisibleText((padded + cells.suffix(1)).joined())
        }
    }

    /// The number of words in a typed text.
    ///
    /// Anything that is not a letter separates words.
    package static func count(in text: String) -> Int { text.split(whereSeparator: { !$0.isLetter }).count }
}
