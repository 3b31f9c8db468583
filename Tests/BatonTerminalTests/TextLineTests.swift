import BatonCore
import BatonTerminal
import Testing

@Suite struct `The line in which a person types` {
    @Test func `the line is edited by characters, and scrolls to the cursor`() {
        var line = TextLine("annual re\u{301}port")
        for key in [Key.deleteWord, .text("年"), .text("度"), .left, .text("x")] { _ = line.press(key) }
        #expect(line.text == "annual 年x度")
        _ = line.press(.toStart)
        _ = line.press(.delete)
        _ = line.press(.toEnd)
        _ = line.press(.backspace)
        #expect(line.text == "nnual 年x")
        _ = line.press(.text("e"))
        _ = line.press(.text("\u{301}"))
        #expect(line.text == "nnual 年xe\u{301}")
        _ = line.press(.backspace)
        #expect(line.text == "nnual 年x")
        _ = line.press(.deleteToStart)
        #expect(line.text.isEmpty && line.press(.backspace) && !line.press(.up))
        for width in 1...20 {
            let shown = TextLine(String(repeating: "年e\u{301}", count: 30)).shown(width: width)
            #expect(shown.text.width < max(width, 1) + 1 && shown.cursor <= max(width - 1, 0))
            #expect(shown.cursor == shown.text.width, "the cursor is behind the last character")
        }
        let hostile = TextLine("\u{202e}\u{1b}[2J").shown(width: 80)
        #expect(hostile.text.text == "\\u{202e}\\u{1b}[2J" && hostile.cursor == hostile.text.width)
    }
}
