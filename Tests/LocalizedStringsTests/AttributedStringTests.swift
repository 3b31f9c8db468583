import Foundation
import LocalizedStrings
import Support
import Testing

@Suite struct `A localized string with attributes` {
    private func text(_ string: AttributedString) -> String { String(string.characters) }

    /// Texts with marks, and the same without.
    static let marked: [(String.LocalizationValue, String)] = [
        ("You have ^[\(3) note](inflect: true).", "You have 3 note."),
        ("**Bold**, *slanted*, __both__ and ~~gone~~", "Bold, slanted, both and gone"),
        ("`**code**`", "**code**"), ("[a **b**](https://example.com)!", "a b!"),
        ("2 * 3 * 4, snake_case_name, a~b, **open", "2 * 3 * 4, snake_case_name, a~b, **open"),
        ("\\*plain\\* \\[a\\](b)", "*plain* [a](b)"), ("[a] (b) ^c [d](e", "[a] (b) ^c [d](e"), ("", ""),
        ("``a ` b``, `c", "a ` b, `c"),
    ]

    @Test(arguments: marked.indices) func `has the text without the marks`(index: Int) {
        let (value, plain) = Self.marked[index]
        #expect(text(AttributedString(localized: value)) == plain)
    }

    @Test func `has links as attributes`() {
        let string = AttributedString(localized: "See [the *site*](https://example.com/a_b) now")
        let links = string.runs.filter { $0.link != nil }.map {
            (String(string[$0.range].characters), $0.link)
        }
        #expect(links.map(\.0).joined() == "the site")
        #expect(links.allSatisfy { $0.1?.absoluteString == "https://example.com/a_b" })
    }

    @Test(arguments: 0..<100) func `has its values as they are`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let signs = Array("*_~`[]()^\\ a1%é!")
        let value = String((0..<random.number(0...12)).map { _ in random.pick(signs) })
        #expect(text(AttributedString(localized: "**a:** \(value)|")) == "a: \(value)|")
        #expect(text(AttributedString(localized: "`\(value)`|")).hasSuffix("\(value)|"))
        #expect(text(AttributedString(localized: "[\(value)](https://a.b)|")) == "\(value)|")
    }

    @Test(arguments: 0..<100) func `is made from any text without a crash`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let signs = Array("**__~~``[]()^\\ ab")
        let value = String((0..<random.number(0...40)).map { _ in random.pick(signs) })
        let string = text(AttributedString(localized: String.LocalizationValue(value)))
        #expect(string.count <= value.count)
    }

    @Test func `is made from a key with a default, and from a resource`() {
        #expect(text(AttributedString(localized: "key", defaultValue: "*\(1)*")) == "1")
        let resource: LocalizedStringResource = "**\("*a*")**"
        #expect(text(AttributedString(localized: resource)) == "*a*")
    }

    @Test func `is inserted into another text as its characters`() {
        let string = AttributedString("note")
        #expect(
            String(localized: "a \(string), \(string[string.startIndex..<string.endIndex])") == "a note, note"
        )
    }
}
