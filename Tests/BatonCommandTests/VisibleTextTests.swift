import BatonCore
import Testing

@Suite struct `Visible text` {
    @Test(
        arguments: [
            ("plain text, with ~ and \\", "plain text, with ~ and \\"),
            ("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("one\nbaton: two\r\n\tthree", "one\\nbaton: two\\r\\n\\tthree"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("a\u{0}b\u{7f}c\u{8}", "a\\u{0}b\\u{7f}c\\u{8}"),
            ("abc\u{202e}fdp.exe\u{202c}", "abc\\u{202e}fdp.exe\\u{202c}"),
            ("\u{2066}a\u{2069}\u{200f}\u{61c}", "\\u{2066}a\\u{2069}\\u{200f}\\u{61c}"),
            ("pay\u{200b}pal\u{feff}\u{2060}\u{ad}", "pay\\u{200b}pal\\u{feff}\\u{2060}\\u{ad}"),
            ("a\u{200d}b\u{200c}", "a\\u{200d}b\\u{200c}"),
            ("line\u{2028}paragraph\u{2029}next\u{85}", "line\\u{2028}paragraph\\u{2029}next\\u{85}"),
            ("tag\u{e0041}\u{e007f}", "tag\\u{e0041}\\u{e007f}"),
            ("filler\u{3164}\u{115f}", "filler\\u{3164}\\u{115f}"),
            ("\u{fff9}x\u{fffb}", "\\u{fff9}x\\u{fffb}"),
        ] as [(String, String)]) func `control and invisible characters are shown as escapes`(
            hostile: String, shown: String
        )
    {
        #expect(VisibleText(hostile).text == shown)
        let interpolated: VisibleText = "“\(hostile)”"
        #expect(interpolated.text == "“\(shown)”")
    }

    @Test(arguments: [
        "Grüße, café, naïve", "日本語のタイトル", "한국어", "مرحبا بالعالم", "می\u{200c}خواهم", "क्\u{200d}ष", "ไทย",
        "👩\u{200d}👩\u{200d}👧", "❤\u{fe0f}\u{200d}🔥", "🏳\u{fe0f}\u{200d}🌈", "👍🏽", "🇩🇪", "e\u{301}", "\u{600}١",
    ]) func `ordinary text of any script is unchanged`(text: String) {
        #expect(VisibleText(text).text == text)
    }

    @Test func `visible text is interpolated unchanged into strings`() {
        let name: VisibleText = "“\("a\u{1b}")”"
        #expect("The item \(name)" == "The item “a\\u{1b}”" && String(describing: name) == name.text)
    }

    @Test func `the number of marks on one letter is limited`() {
        let heap = "a" + String(repeating: "\u{301}", count: 100)
        let shown = VisibleText(heap).text.unicodeScalars
        #expect(shown.filter { $0 == "\u{301}" }.count == 8)
    }

    @Test func `random bytes never give a control character`() {
        for value in UInt32(0)...0x2_ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for shown in VisibleText("a\(String(scalar))b").text.unicodeScalars {
                let category = shown.properties.generalCategory
                #expect(category != .control && category != .lineSeparator && category != .paragraphSeparator)
            }
        }
    }
}

@Suite struct `Cell widths` {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("日本", 4), ("ｱ", 1), ("ＡＢ", 4), ("한국", 4), ("e\u{301}", 1), ("🙂", 2),
            ("👍🏽", 2), ("🇩🇪", 2),
            ("👩\u{200d}👩\u{200d}👧", 2), ("❤", 1), ("❤\u{fe0f}", 2), ("“…”", 3), ("مرحبا", 5),
            ("\u{1112}\u{1161}\u{11ab}", 2),
            ("ไทย", 3), ("กำ", 2), ("ééé", 3), ("𠀀", 2),
        ] as [(String, Int)]) func `the width of a text is the number of cells that terminals draw`(
            text: String, width: Int
        )
    {
        #expect(CellWidth.of(text) == width)
    }

    @Test func `a text is cut to a width between characters`() {
        #expect(CellWidth.cut("abcdef", to: 6) == "abcdef")
        #expect(CellWidth.cut("abcdef", to: 4) == "abc…")
        #expect(CellWidth.cut("日本語", to: 4) == "日…")
        #expect(CellWidth.cut("日本語", to: 5) == "日本…")
        #expect(CellWidth.cut("abc", to: 1) == "…")
        #expect(CellWidth.cut("abc", to: 0) == "")
    }
}
