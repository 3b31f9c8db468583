import BatonCore
import Support
import Testing

/// Parts of texts around the words of a search.
@Suite struct `Snippets` {
    private static func snippet(_ search: String, _ texts: String..., title: String? = nil) -> Snippet? {
        var maker = SnippetMaker(Phrase.all(of: search))
        return maker.snippet(title: title, texts: texts)
    }

    /// The marked words of a snippet.
    private static func marked(_ snippet: Snippet?) -> [String] {
        snippet?.marked ?? []
    }

    @Test func `a snippet shows and marks the words of the best match`() throws {
        let text = String(repeating: "Nothing of it here. ", count: 30)
        let whole = text + "The annual report\nof the year, with figures. " + text
        let snippet = try #require(Self.snippet("report annu", whole))
        #expect(snippet.text.contains("The annual report of the year, with figures."))
        #expect(snippet.text.hasPrefix("…") && snippet.text.hasSuffix("…"))
        #expect(Self.marked(snippet) == ["annual", "report"])
        #expect(snippet.text.utf8.count <= Snippet.bytes + 6)
        // Words that stand together are better than the first ones.
        let both = "annual " + text + text + "a report, annual"
        #expect(Self.marked(Self.snippet("annual report", both)) == ["report", "annual"])
    }

    @Test
    func
        `a title with all words needs no snippet, and other titles get a snippet with the words that they lack`()
    {
        #expect(Self.snippet("annual rep", "The annual report", title: "Annual report") == nil)
        #expect(
            Self.marked(Self.snippet("annual rep", "The report of the year", title: "Annual")) == ["report"])
        #expect(Self.snippet("annual", "", "Nothing", title: nil) == nil)
        #expect(Self.snippet("", "Nothing") == nil)
        #expect(Self.snippet("…", "Nothing…") == nil)
    }

    @Test func `folded words are found, and the original letters are marked`() {
        #expect(Self.marked(Self.snippet("resume", "Mein RÉSUMÉ")) == ["RÉSUMÉ"])
        #expect(Self.marked(Self.snippet("strasse ", "Eine lange Straße.")) == ["Straße"])
        #expect(Self.marked(Self.snippet("abc ", "Wide ＡＢＣ here")) == ["ＡＢＣ"])
        #expect(Self.marked(Self.snippet("cafe ", "Das Cafe\u{301} am Eck")) == ["Cafe\u{301}"])
    }

    @Test func `in an unspaced script, letters are marked anywhere in the text`() {
        let text = "東京都の天気について、明日は雨です。"
        #expect(Self.marked(Self.snippet("天気", text)) == ["天気"])
        #expect(Self.marked(Self.snippet("京", text)) == ["京"])
        #expect(Self.marked(Self.snippet("東京都", text)) == ["東京都"])
        #expect(Self.marked(Self.snippet("す", text)) == ["す"])
        #expect(Self.marked(Self.snippet("東京 京都", text)) == ["東京都"], "ranges that overlap are one")
        #expect(Self.marked(Self.snippet("שלום", "אמר שלום לכל")) == ["שלום"])
    }

    @Test func `snippets of hostile texts stay within the size limits`() throws {
        let marks = "a" + String(repeating: "\u{301}", count: 100_000) + "bc"
        #expect(Self.snippet("abc ", marks) == nil, "no part of it is short enough")
        let long = String(repeating: "x", count: 100_000)
        let beginning = try #require(Self.snippet("xxx", "A " + long))
        #expect(beginning.text.utf8.count <= Snippet.bytes + 6)
        #expect(beginning.marked.allSatisfy { $0.allSatisfy { $0 == "x" } } && beginning.marked.count == 1)
        #expect(Self.snippet("end ", String(repeating: "no ", count: 200_000) + "end") == nil)
        let lines = String(repeating: "\n\u{2028}\t ", count: 50)
        let gap = try #require(Self.snippet("annual report", "annual" + lines + "report"))
        #expect(!gap.text.contains("\n") && !gap.text.contains("  "))
        // A search looks through a bounded number of bytes, however many results it has.
        var maker = SnippetMaker(Phrase.all(of: "end "))
        let text = String(repeating: "no ", count: 80_000)
        for _ in 0..<40 { #expect(maker.snippet(title: nil, texts: [text]) == nil) }
        #expect(maker.snippet(title: nil, texts: ["the end"]) == nil)
    }

    @Test(arguments: Seeds.first(200))
    func `each range lies within its text and covers the words that match`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "a", "b", "ab", "aB", "É", "e\u{301}", "ß", "京", "東", "都", "か", "\u{3099}", "한", "ㅏ", "ש", "ל",
            "ﬁ", "Ａ", "1", "\u{301}", "\u{200d}", "👩‍👩‍👧", " ", " ", " ", "\n", ".", "\u{2028}", "-",
            "\u{202e}", "\u{1b}", "ไ", "ก", "่",
        ]
        let draw = { (generator: inout SeededGenerator, most: Int) in
            (0..<generator.number(0...most)).map { _ in generator.pick(pieces) }.joined()
        }
        var snippets = 0
        for _ in 0..<60 {
            let search = draw(&generator, 6)
            let texts = (0..<3).map { _ in draw(&generator, generator.chance(30) ? 400 : 40) }
            let phrases = Phrase.all(of: search)
            var maker = SnippetMaker(phrases)
            guard let snippet = maker.snippet(title: nil, texts: texts) else {
                let finder = PhraseFinder(phrases)
                #expect(texts.allSatisfy { finder.ranges(in: $0).allSatisfy { $0.count > 120 } })
                continue
            }
            snippets += 1
            #expect(!snippet.ranges.isEmpty && snippet.text.utf8.count <= Snippet.bytes + 6)
            var last = 0
            for (range, marked) in zip(snippet.ranges, snippet.marked) {
                #expect(range.lowerBound >= last && range.upperBound <= snippet.text.utf8.count)
                last = range.upperBound
                let words = Self.words(marked)
                let beginsWell = phrases.contains { phrase in
                    words.count >= phrase.words.count
                        && zip(words, phrase.words).enumerated().allSatisfy { place, pair in
                            let mayBeLonger = phrase.isOpen && place == phrase.words.count - 1
                            return mayBeLonger ? pair.0.starts(with: pair.1) : pair.0 == pair.1
                        }
                }
                #expect(
                    beginsWell, "\(search.debugDescription) in \(snippet.text.debugDescription): \(marked)")
            }
        }
        #expect(snippets > 0)
    }

    @Test func `if requested, only the typed letters are marked, at the first place of each phrase`() {
        let cases: [(typed: String, text: String, marked: [String]?)] = [
            ("stras", "Am Straßenrand der Straße", ["Straß"]), ("re", "Annual report, review", ["re"]),
            ("annual re", "Report: annual review", ["Re", "annual"]), ("re ", "report", nil),
            ("annual x", "annual report", nil), ("京", "東京都", ["京"]), ("resu", "Mon Résumé", ["Résu"]),
            ("report rep", "a report", ["report"]), ("", "anything", []),
        ]
        for (typed, text, marked) in cases {
            let ranges = PhraseFinder(Phrase.all(of: typed), marksLetters: true).firstRanges(in: text)
            let parts = ranges?.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
            #expect(parts == marked, "\(typed) in \(text)")
        }
    }

    /// The words of a text as the index has them.
    private static func words(_ text: String) -> [[UInt8]] {
        var (text, words, cutter) = (text, [[UInt8]](), WordCutter())
        text.withUTF8 { text in
            cutter.cut(text, for: .index) { word, _ in
                words.append(Array(word))
                return true
            }
        }
        return words
    }
}

extension Snippet {
    /// The marked words.
    fileprivate var marked: [String] {
        ranges.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }
}
