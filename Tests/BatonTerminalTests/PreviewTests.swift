import BatonCore
import BatonTerminal
import Testing

@Suite struct `Previews` {
    @Test func `long lines of a preview are wrapped at spaces, and the marked line is visible`() {
        let broken = { (text: String, width: Int) in
            Preview.wrapped(VisibleText(text), width: width).map(\.text)
        }
        #expect(broken("one two three", 8) == ["one two", "three"])
        #expect(broken("12345678 12", 8) == ["12345678", "12"] && broken("", 8) == [""])
        #expect(broken("1234567890", 4) == ["1234", "5678", "90"])
        #expect(broken("東京都の天気", 5) == ["東京", "都の", "天気"])
        for height in 1...30 {
            for focus in [0, 20, 49] {
                let preview = Preview(
                    title: "t", lines: (0..<50).map { Preview.Line(text: "\($0)", wraps: false) },
                    focus: focus)
                let lines = preview.lines(width: 20, height: height).map(\.text.text)
                #expect(lines.count == height && lines[0] == "t")
                #expect(height == 1 || lines.contains("\(focus)"), "\(height) \(focus)")
            }
        }
    }
}
