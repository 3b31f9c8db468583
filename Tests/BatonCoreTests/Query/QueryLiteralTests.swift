import BatonCore
import Support
import Testing

@Suite struct `Values in the text of a query` {
    private static let present = PresentTime(WallTime(milliseconds: 1_000_000)) { _ in 0 }

    private func matches(_ query: String, _ value: PropertyValue) throws -> Bool {
        var item = Item()
        item.attributes[.title] = .plain(value)
        item.attributes[.custom(Array("own_value".utf8))] = .plain(value)
        return try SearchQuery(query, at: Self.present).matches(item)
    }

    @Test func `have quotes, backslashes and asterisks with a backslash before them`() {
        #expect(QueryLiteral.text(#"a"b\c*"#) == #""a\"b\\c\*""#)
        #expect(QueryLiteral.text("*", startsOpen: true, endsOpen: true) == #""*\**""#)
    }

    @Test(arguments: Seeds.first(500))
    func `are the same values when a query reads them`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "*", "\\", "\"", "'", "é", "e\u{301}", "🧵", "\n", "\0"]
        func text() -> String { (0..<random.number(0...4)).map { _ in random.pick(pieces) }.joined() }
        let (value, other) = (text(), text())
        let literal = QueryLiteral.text(value)
        #expect(try matches("title == \(literal)", .string(value)))
        #expect(try matches("title == \(literal)", .string(other)) == (value == other))
        #expect(try matches("title == \(QueryLiteral.text(value, endsOpen: true))", .string(value + "a")))
        #expect(try matches("title == \(QueryLiteral.text(value, startsOpen: true))", .string("a" + value)))
        let number = random.real()
        guard let written = QueryLiteral.number(number) else { return #expect(!number.isFinite) }
        #expect(try matches("own_value == \(written)", .real(number)))
        #expect(try matches("own_value == \(written)", .real(number.nextUp)) == false)
    }
}
