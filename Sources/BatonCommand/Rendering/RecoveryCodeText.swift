package import BatonCore

/// A recovery code, shown so that a person can copy it to paper.
package struct RecoveryCodeText {
    private let words: [String]

    /// A code of words with spaces between them.
    package init(_ text: String) { words = text.split(separator: " ").map(String.init) }

    /// The number of words.
    package var count: Int { words.count }

    /// The numbered words, four to a line, or fewer if four do not fit; nil means any width.
    package func lines(width terminal: Int?) -> [VisibleText] {
        let longest = words.map(\.utf8.count).max() ?? 0
        // The number takes four cells, and a space stands on each side of a word.
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

    /// The number of words in what was typed, with any separators.
    package static func count(in text: String) -> Int { text.split(whereSeparator: { !$0.isLetter }).count }
}
