import BatonCore
import Support
import Testing

@Suite struct `Folding of texts` {
    /// Texts without their case, without their marks, and without both.
    private static let examples: [(text: String, caseless: String, markless: String, both: String)] = [
        ("Hello, World 42_", "hello, world 42_", "Hello, World 42_", "hello, world 42_"),
        ("Straße STRASSE ẞ", "strasse strasse ss", "Straße STRASSE ẞ", "strasse strasse ss"),
        ("Café", "café", "Cafe", "cafe"),
        ("ΟΔΥΣΣΕΎΣ Ὀδυσσεύς", "οδυσσεύσ ὀδυσσεύσ", "ΟΔΥΣΣΕΥΣ Οδυσσευς", "οδυσσευσ οδυσσευσ"),
        ("ᾳ", "αι", "α", "α"),
        ("Søren Łódź Đak", "søren łódź đak", "Soren Lodz Dak", "soren lodz dak"),
        ("Æsir Œuvre Ħal Ǿ", "æsir œuvre ħal ǿ", "AEsir OEuvre Hal O", "aesir oeuvre hal o"),
        ("þorn ŋ ə ɨ", "þorn ŋ ə ɨ", "þorn ŋ ə ɨ", "þorn ŋ ə ɨ"),
        (
            "İstanbul ISPARTA ısparta", "i̇stanbul isparta ısparta", "Istanbul ISPARTA isparta",
            "istanbul isparta isparta"
        ),
        ("Tiếng Việt", "tiếng việt", "Tieng Viet", "tieng viet"),
        ("Ёлка Йод мой", "ёлка йод мой", "Елка Йод мой", "елка йод мой"),
        ("ＡＢＣ　１２３", "abc 123", "ＡＢＣ　１２３", "abc 123"),
        ("ｶﾞﾊﾟ", "ガパ", "ｶﾞﾊﾟ", "ガパ"),
        ("がギぱヴ", "がギぱヴ", "がギぱヴ", "がギぱヴ"),
        ("한국어 漢字", "한국어 漢字", "한국어 漢字", "한국어 漢字"),
        ("مُحَمَّد", "مُحَمَّد", "محمد", "محمد"), ("أحمـد آن", "أحمـد آن", "احمد ان", "احمد ان"),
        ("שָׁלוֹם", "שָׁלוֹם", "שלום", "שלום"), ("ก่อน น้ำ", "ก่อน น้ำ", "ก่อน น้ำ", "ก่อน น้ำ"),
        ("हिन्दी क़लम", "हिन्दी क़लम", "हिन्दी क़लम", "हिन्दी क़लम"),
        ("ﬁn K Å", "fin k å", "ﬁn K A", "fin k a"),
        (
            "wort\u{ad}teil \u{feff}می\u{200c}خواهم", "wort\u{ad}teil \u{feff}می\u{200c}خواهم",
            "wortteil میخواهم", "wortteil میخواهم"
        ),
        ("🍕❤️", "🍕❤️", "🍕❤", "🍕❤"), ("", "", "", ""),
    ]

    @Test func `examples of many scripts fold as listed`() {
        for (text, caseless, markless, both) in Self.examples {
            #expect(Folding.letterCase.fold(text) == caseless)
            #expect(Folding.diacritics.fold(text) == markless)
            #expect(Folding.search.fold(text) == both)
            #expect(Folding().fold(text) == text)
        }
    }

    @Test func `voiced kana does not fold to unvoiced kana`() {
        #expect(Folding.search.fold("が") != Folding.search.fold("か"))
        #expect(Folding.search.fold("か\u{3099}") == Folding.search.fold("が"))
    }

    /// The same text in two spellings of Unicode.
    private static let equivalents: [(String, String)] = [
        ("é", "e\u{301}"), ("ậ", "a\u{302}\u{323}"), ("ậ", "a\u{323}\u{302}"), ("ǖ", "u\u{308}\u{304}"),
        ("й", "и\u{306}"), ("Й", "И\u{306}"), ("パ", "ハ\u{309a}"), ("한", "\u{1112}\u{1161}\u{11ab}"),
        ("각하", "\u{1100}\u{1161}\u{11a8}\u{1112}\u{1161}"), ("क़", "क\u{93c}"), ("Å", "Å"), ("豈", "\u{f900}"),
        ("ΐ", "ι\u{308}\u{301}"), ("שׁ", "ש\u{5c1}"), ("が\u{301}", "か\u{3099}\u{301}"), ("각", "각"),
    ]

    @Test(arguments: [Folding(), .letterCase, .diacritics, .search])
    func `canonically equivalent texts fold to the same bytes`(folding: Folding) {
        for (left, right) in Self.equivalents {
            #expect(Array(folding.fold(left).utf8) == Array(folding.fold(right).utf8), "\(left)")
        }
    }

    @Test(arguments: [Folding(), .letterCase, .diacritics, .search])
    func `folding any scalar twice gives the same as folding it once`(folding: Folding) {
        var wrong: [Unicode.Scalar] = []
        for value in 0...UInt32(0x10ffff) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var changes = 0
            folding.fold(scalar) { changes += $0 == scalar ? 1 : 2 }
            if changes == 1 { continue }
            let once = folding.scalars(of: scalar)
            if once.flatMap(folding.scalars) != once { wrong.append(scalar) }
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test(arguments: [Folding(), .letterCase, .diacritics, .search])
    func `folding a random text twice gives the same as folding it once`(folding: Folding) {
        let parts: [Unicode.Scalar] = [
            "a", "I", "ß", "и", "И", "\u{45d}", "\u{306}", "\u{301}", "\u{323}", "か", "ｶ", "\u{ff9e}",
            "\u{3099}",
            "\u{1100}", "\u{1161}", "\u{11a8}", "가", "\u{ad}", "\u{345}", "\u{130}", "漢",
        ]
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                text.append(parts.randomElement(using: &generator) ?? "a")
            }
            let once = folding.fold(String(text))
            let (left, right) = (Array(folding.fold(once).utf8), Array(once.utf8))
            #expect(left == right, "\(text.map { String($0.value, radix: 16) })")
            if left != right { return }
        }
    }

    @Test(arguments: [Folding(), .letterCase, .diacritics, .search])
    func `a text without composed scalars is folded scalar by scalar`(folding: Folding) {
        for value in Self.troublesome.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var expected = String.UnicodeScalarView()
            expected.append(contentsOf: folding.scalars(of: scalar))
            let folded = folding.fold(String(scalar))
            if Array(folded.utf8) != Array(String(expected).utf8) {
                Issue.record("\(String(value, radix: 16)) \(folded)")
            }
        }
    }

    /// The ranges with most of the scalars that fold.
    private static let troublesome: [ClosedRange<UInt32>] = [
        0...0x1fff, 0x2c00...0x30ff, 0xa640...0xa7ff, 0xf900...0xffff,
    ]

    @Test func `folding appends to the given buffer`() {
        var bytes = Array("A ".utf8)
        Folding.search.fold("É" as Substring, into: &bytes)
        #expect(bytes == Array("A e".utf8))
    }
}

extension Folding {
    /// Returns the folded form of a scalar.
    func scalars(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        fold(scalar) { scalars.append($0) }
        return scalars
    }
}
