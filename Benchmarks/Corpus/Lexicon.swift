import Foundation
import Support

/// The words of a language, made from a seed: few that stand everywhere, and many that are rare.
///
/// A word is drawn by its rank so that the second stands half as often as the first, and so on (Zipf's law): what a
/// full-text table costs depends on how often words repeat.
struct Lexicon {
    private let words: [String]

    /// How texts of a language are put together.
    enum Language: CaseIterable {
        case english, chinese, japanese

        /// The separator between words.
        var space: String { self == .english ? " " : "" }
        /// The end of a sentence.
        var end: String { self == .english ? ". " : "。" }
    }

    init(_ language: Language, count: Int, _ generator: inout SeededGenerator) {
        var (words, known): ([String], Set<String>) = ([], [])
        while words.count < count {
            let word =
                switch language {
                case .english: Self.english(rank: words.count, &generator)
                case .chinese: Self.chinese(&generator)
                case .japanese: Self.japanese(&generator)
                }
            if known.insert(word).inserted { words.append(word) }
        }
        self.words = words
    }

    /// Draws a word.
    func word(_ generator: inout SeededGenerator) -> String {
        let share = Double(generator.next() >> 11) / Double(1 << 53)
        return words[min(words.count, Int(pow(Double(words.count), share))) - 1]
    }

    // MARK: Making words

    /// Frequent words are short.
    private static func english(rank: Int, _ generator: inout SeededGenerator) -> String {
        let syllables = rank < 100 ? 1...1 : rank < 2000 ? 1...2 : 2...4
        return (0..<generator.number(syllables)).map { _ in
            generator.pick(onsets) + generator.pick(vowels) + generator.pick(codas)
        }.joined()
    }

    private static func chinese(_ generator: inout SeededGenerator) -> String {
        (0..<generator.number(1...3)).map { _ in String(generator.pick(characters)) }.joined()
    }

    /// Makes a word: Chinese characters with or without an ending, a loan word, or a particle.
    private static func japanese(_ generator: inout SeededGenerator) -> String {
        switch generator.number(0...9) {
        case 0...5:
            let stem = (0..<generator.number(1...3)).map { _ in String(generator.pick(characters)) }.joined()
            return generator.chance(50) ? stem + String(generator.pick(hiragana)) : stem
        case 6...7:
            return (0..<generator.number(2...5)).map { _ in String(generator.pick(katakana)) }.joined()
        default: return (0..<generator.number(1...2)).map { _ in String(generator.pick(hiragana)) }.joined()
        }
    }

    private static let onsets = "b c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w"
        .split(separator: " ").map(String.init)
    private static let vowels = "a e i o u ai ea ee io ou é ü".split(separator: " ").map(String.init)
    private static let codas = ["", "", "", "n", "r", "s", "t", "l", "ng", "nd", "ck", "m"]
    private static let characters = Array(
        """
        的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多\
        日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从月水山田海車電話書店町村社員計画報告会議資料旅行写真音楽料理
        """)
    private static let hiragana = Array("あいうえおかきくけこさしすせそたちつてとなにのはひふへほまみむもやゆよらりるれろわをん")
    private static let katakana = Array("アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンー")
}
