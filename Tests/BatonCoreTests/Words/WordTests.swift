import BatonCore
import Foundation
import Support
import Testing

@Suite struct `Words of a text` {
    /// Texts, and the words by which they are found.
    private static let examples: [(text: String, words: [String])] = [
        ("Hello, World 42_x", ["hello", "world", "42", "x"]),
        ("Café Straße ŁÓDŹ", ["cafe", "strasse", "lodz"]),
        ("東京都", ["東京", "京都", "都"]), ("字", ["字"]), ("iPhone手机", ["iphone", "手机", "机"]),
        ("が か\u{3099}", ["が", "が"]), ("한글", ["한글", "글"]), ("ที่นี่", ["ที่นี่", "นี่"]),
        ("wort\u{ad}teil \u{301}x", ["wortteil", "x"]), ("", []), ("--- \u{0} 🍕", []),
        ("a\u{0}b", ["a", "b"]),
        ("don't", ["don", "t"]), ("中文 abc。def", ["中文", "文", "abc", "def"]),
    ]

    @Test func `are divided by the rules of their script`() {
        for (text, words) in Self.examples {
            #expect(WordCutter.words(of: text, for: .index).map(\.folded) == words, "\(text)")
        }
    }

    @Test func `in a query are those of the text, except a last single letter of an unspaced script`() {
        #expect(WordCutter.words(of: "東京都 字 a", for: .query).map(\.folded) == ["東京", "京都", "字", "a"])
    }

    @Test func `keep their positions in the text`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let text = generator.wordyText(0...8)
            for word in WordCutter.words(of: text, for: .index) {
                let part = Array(text.utf8)[word.range]
                let again = WordCutter.words(of: String(decoding: part, as: UTF8.self), for: .query)
                #expect(again.map(\.folded) == [word.folded], "\(text)")
            }
        }
    }

    @Test func `are the same in canonically equivalent spellings`() {
        var generator = SeededGenerator(seed: 2)
        for purpose in [WordCutter.Purpose.index, .query] {
            for _ in 0..<5000 {
                let text = generator.wordyText(0...8)
                let words = WordCutter.words(of: text, for: purpose).map { Array($0.folded.utf8) }
                for other in [
                    text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
                ] {
                    let others = WordCutter.words(of: other, for: purpose).map { Array($0.folded.utf8) }
                    #expect(words == others, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
                }
            }
        }
    }

    @Test func `are cut at a limit, between scalars`() {
        for letter in ["a", "é", "ß", "я", "𐐀", "e\u{301}"] {
            let word = String(repeating: letter, count: 10_000)
            let words = WordCutter.words(of: word, for: .index)
            #expect(words.count == 1)
            #expect(words[0].range == 0..<word.utf8.count)
            #expect((WordCutter.wordBytes - 3...WordCutter.wordBytes).contains(words[0].folded.utf8.count))
            #expect(Folding.search.fold(word).hasPrefix(words[0].folded))
        }
    }

    @Test func `are found in arbitrary bytes without a crash`() {
        var (generator, cutter, count) = (SeededGenerator(seed: 3), WordCutter(), 0)
        for _ in 0..<20_000 {
            let bytes = generator.brokenText()
            bytes.withUnsafeBufferPointer { text in
                for purpose in [WordCutter.Purpose.index, .query] {
                    var end = 0
                    cutter.cut(text, for: purpose) { word, range in
                        #expect(!word.isEmpty && range.upperBound <= bytes.count && range.upperBound >= end)
                        (end, count) = (range.upperBound, count + 1)
                        return true
                    }
                }
            }
        }
        #expect(count > 10_000)
    }
}

@Suite struct `Phrases of a query` {
    @Test func `are its words, with the last word as a prefix if nothing follows it`() {
        #expect(
            Phrase.all(of: "Annual rep") == [Phrase("Annual", isOpen: false), Phrase("rep", isOpen: true)])
        #expect(Phrase.all(of: "report ") == [Phrase("report", isOpen: false)])
        #expect(Phrase.all(of: "東京都 a.") == [Phrase("東京都", isOpen: false), Phrase("a", isOpen: false)])
        #expect(Phrase.all(of: "\" OR * -(\u{0}").map(\.text) == ["OR"])
        #expect(Phrase.all(of: " .,\u{0}\"'*").isEmpty)
    }

    @Test func `with a single letter of an unspaced script match any word that begins with it`() {
        #expect(Phrase.all(of: "京 x ") == [Phrase("京", isOpen: true), Phrase("x", isOpen: false)])
    }

    @Test func `are limited in number`() {
        #expect(Phrase.all(of: String(repeating: "a ", count: 10_000)).count == Phrase.wordsMost)
        let row = Phrase.all(of: "x" + String(repeating: "字", count: 10_000))
        #expect(row.map { $0.text.count } == [1, Phrase.wordsMost])
        #expect(row.allSatisfy { !$0.isOpen })
    }

    @Test func `contain only word characters, so no search text is a syntax error`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5000 {
            for phrase in Phrase.all(of: generator.wordyText(0...12)) {
                #expect(phrase.text.unicodeScalars.allSatisfy { WordClass($0) != .separator })
                #expect(!WordCutter.words(of: phrase.text, for: .query).isEmpty)
            }
        }
    }

    @Test func `made from a part of a text occur in that text`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let text = generator.wordyText(1...8)
            let words = WordCutter.words(of: text, for: .index).map(\.folded)
            // A text that is still being typed; a letter without its mark, or a part of a syllable, may be another one.
            let place = generator.number(0...text.count)
            let (part, next) = (text.prefix(place), text.dropFirst(place).unicodeScalars.first)
            if let next, WordClass(next) == .mark || 0x1160...0x11ff ~= next.value { continue }
            for phrase in Phrase.all(of: String(part)) {
                #expect(phrase.stands(in: words), "\(phrase) in \(text)")
            }
        }
    }
}

extension Phrase {
    /// Returns whether its words are among those of a text, in a row.
    fileprivate func stands(in words: [String]) -> Bool {
        let own = WordCutter.words(of: text, for: .query).map(\.folded)
        guard words.count >= own.count else { return false }
        return (0...words.count - own.count).contains { start in
            own.indices.allSatisfy { place in
                let word = words[start + place]
                let isLast = isOpen && place == own.count - 1
                return word.utf8.elementsEqual(own[place].utf8)
                    || (isLast && word.utf8.starts(with: own[place].utf8))
            }
        }
    }
}

extension SeededGenerator {
    /// Returns text of pieces that are awkward to cut.
    fileprivate mutating func wordyText(_ pieces: ClosedRange<Int>) -> String {
        let all = [
            "a", "Zz", "é", "e\u{301}", "漢", "字", "🧵", "\u{202e}", "\0", "ß", "\"", "\n", " ", "0", "\u{301}",
            "\u{323}", "か", "\u{3099}", "ｶ", "\u{ff9e}", "\u{1112}", "\u{1161}", "\u{11ab}", "한", "하",
            "\u{1175}",
            "ท", "ี", "่", "\u{ad}", "й", "и\u{306}", "ῼ", "\u{212b}", "क़", "\u{f900}", "*", "'", "AND", "ǅ",
            "ﬁ",
            "\u{e38}", "\u{e48}", "\u{1d15e}", "\u{345}", "ဦ",
        ]
        let count = number(pieces)
        return (0..<count).map { _ in pick(all) }.joined()
    }

    /// Returns bytes that are UTF-8 in places.
    fileprivate mutating func brokenText() -> [UInt8] {
        var bytes = Array(wordyText(0...6).utf8)
        for _ in 0..<number(0...3) where !bytes.isEmpty {
            let place = number(0...bytes.count - 1)
            if chance(50) {
                bytes[place] = UInt8(truncatingIfNeeded: next())
            } else {
                bytes.remove(at: place)
            }
        }
        return bytes
    }
}
