import BatonCore
import Testing

@Suite struct `An error in a query` {
    @Test(arguments: [
        "title == \"e" + marks + "\" x", "e" + marks, "title == \"a\" e" + marks, marks + "(", "((((" + marks,
    ])
    func `is reported in less than 200 bytes, also for a character with many marks`(_ query: String) throws {
        let failure = try #require(throws: QueryFailure.self) {
            try SearchQuery(query, at: PresentTime(WallTime(milliseconds: 0)) { _ in 0 })
        }
        #expect(failure.description.utf8.count < 200, "\(failure.description.prefix(100))")
        let pointer = failure.pointer(in: query).text
        #expect(pointer.utf8.count < 400 && pointer.hasSuffix("^"), "\(pointer.prefix(100))")
    }

    /// More marks than fit a line, which make one character with the letter before them.
    private static let marks = String(repeating: "\u{301}", count: 10_000)

    @Test(
        arguments: [
            ("", 0, "an attribute, InRange, ( or !", "the end of the query"),
            ("   ", 3, "an attribute, InRange, ( or !", "the end of the query"),
            ("title", 5, "==, !=, <, <=, > or >=", "the end of the query"),
            (#"title = "a""#, 6, "==, !=, <, <=, > or >=", "“=”"),
            (#"title "a""#, 6, "==, !=, <, <=, > or >=", "a text"),
            (
                "title ==", 8, "a text in quotes, a number, a date such as $time.today, or *",
                "the end of the query"
            ),
            ("title == Paris", 9, "a text in quotes, a number, a date such as $time.today, or *", "“Paris”"),
            (#"title == "Paris"#, 15, "the closing \" of the text at character 10", "the end of the query"),
            (#"title == 'Paris""#, 16, "the closing ' of the text at character 10", "the end of the query"),
            (#"title == "a\"#, 12, "a character after \\", "the end of the query"),
            (#"title == "a"x"#, 12, "only c, d, w and t after a text", "“x”"),
            (#"title == "a"cx"#, 13, "only c, d, w and t after a text", "“x”"),
            (#"title == "a" c"#, 13, "&&, || or the end of the query", "“c”"),
            (#"title ==[c] "a""#, 8, "a text in quotes, a number, a date such as $time.today, or *", "“[”"),
            (#"title == "a" title == "b""#, 13, "&&, || or the end of the query", "“title”"),
            (#"title == "a" & title == "b""#, 13, "&&, || or the end of the query", "“&”"),
            (#"title == "a" AND *"#, 13, "&&, || or the end of the query", "“AND”"),
            (#"title == "a" &&"#, 15, "an attribute, InRange, ( or !", "the end of the query"),
            ("|| *", 0, "an attribute, InRange, ( or !", "“|”"),
            ("(*", 2, "&&, || or )", "the end of the query"),
            ("(* *)", 3, "&&, || or )", "“*”"),
            ("*)", 1, "&&, || or the end of the query", "“)”"),
            ("()", 1, "an attribute, InRange, ( or !", "“)”"),
            ("!", 1, "an attribute, InRange, ( or !", "the end of the query"),
            (#"title < "a""#, 8, "a number or a date, because < does not compare texts", "a text"),
            ("pageCount >= *", 13, "a number or a date, because >= does not compare texts", "“*”"),
            (
                #"InRange(title, "a", "b")"#, 15,
                "a number or a date, because InRange does not compare texts", "a text"
            ),
            ("InRange(pageCount 1, 2)", 18, "a comma, and the smallest value", "“1”"),
            ("InRange(pageCount, 1)", 20, "a comma, and the largest value", "“)”"),
            ("InRange(pageCount, 1, 2, 3)", 23, ")", "“,”"),
            ("InRange(, 1, 2)", 8, "an attribute, InRange, ( or !", "“,”"),
            ("** == 5", 6, "a text in quotes with == or !=, because ** has only texts", "“5”"),
            ("** < 5", 5, "a text in quotes with == or !=, because ** has only texts", "“5”"),
            ("pageCount == 5a", 14, "the end of the number", "“a”"),
            ("pageCount == 5.", 15, "a digit", "the end of the query"),
            ("pageCount == 1.2.3", 16, "the end of the number", "“.”"),
            ("pageCount == -", 14, "a digit", "the end of the query"),
            ("pageCount == 1e", 15, "a digit", "the end of the query"),
            ("pageCount == 1e400", 13, "a number that fits a real of 64 bits", "a larger one"),
            ("dueDate > $now", 10, "$time. and the name of a date", "“$”"),
            (
                "dueDate > $time.tomorrow", 16,
                "now, today, yesterday, this_week, last_week, this_month, this_year or iso after $time.",
                "“tomorrow”"
            ),
            ("dueDate > $time.today(x)", 22, "a digit", "“x”"),
            ("dueDate > $time.today(1", 23, ") after a whole number", "the end of the query"),
            ("dueDate > $time.today(1.5)", 23, ") after a whole number", "“.”"),
            ("dueDate > $time.today(1000001)", 22, "a whole number from -1000000 to 1000000", "“1000001”"),
            ("dueDate > $time.yesterday(1)", 25, "&&, || or the end of the query", "“(”"),
            ("dueDate > $time.iso", 19, "( and a date", "the end of the query"),
            (
                "dueDate > $time.iso(2026-02-30)", 20, "a date such as 2026-11-20 or 2026-11-20T21:04Z",
                "“2026”"
            ),
            ("dueDate > $time.iso(2026", 24, ") after the date", "the end of the query"),
            (#"kMDItemTitle == "a""#, 0, "title, the name in Core Spotlight", "“kMDItemTitle”"),
            ("kMDItemISOSpeed == 1", 0, "isoSpeed, the name in Core Spotlight", "“kMDItemISOSpeed”"),
            ("kMDItemFSSize == 1", 0, "the name of an attribute", "“kMDItemFSSize”"),
            (#"títle == "a""#, 1, "==, !=, <, <=, > or >=", "“í”"),
            ("éé", 0, "an attribute, InRange, ( or !", "“é”"),
            (#"title == "e\#u{301}👩‍👩‍👧" x"#, 14, "&&, || or the end of the query", "“x”"),
        ])
    func `has an offset, the text found there and the text expected`(
        query: String, offset: Int, expected: String, found: String
    ) {
        #expect(throws: QueryFailure(offset: offset, found: found, expected: expected)) {
            try SearchQuery(query, at: QueryCase.noon)
        }
    }

    @Test func `is described in a sentence`() {
        let failure = QueryFailure(offset: 8, found: "a text", expected: "a number")
        #expect(failure.description == "Expected a number, but found a text at character 9.")
    }

    @Test func `is marked with a caret below its line`() {
        let cases = [
            ("title == x", "title == x\n         ^"), ("*\n&& ?\n&& *", "&& ?\n   ^"), ("", "\n^"),
            ("title == \"日本\" x", "title == \"日本\" x\n                ^"),
            ("title == \"e\u{301}\" x", "title == \"e\u{301}\" x\n             ^"),
        ]
        for (query, expected) in cases {
            do throws(QueryFailure) {
                _ = try SearchQuery(query, at: QueryCase.noon)
                Issue.record("no error in \(query)")
            } catch {
                #expect(error.pointer(in: query).text == expected)
            }
        }
    }

    @Test func `is shown with only a part of a long line`() throws {
        let query = String(repeating: "* && ", count: 40) + "? && " + String(repeating: "* && ", count: 40)
        let failure = try #require(
            #expect(throws: QueryFailure.self) { try SearchQuery(query, at: QueryCase.noon) })
        let start = String(repeating: "* && ", count: 12)
        let end = "? &&" + String(repeating: " * &&", count: 8).prefix(36)
        #expect(failure.pointer(in: query).text == "…\(start)\(end)…\n\(String(repeating: " ", count: 61))^")
    }

    @Test func `is shown with control characters escaped`() throws {
        let query = "\u{1b}[2J"
        let failure = #expect(throws: QueryFailure.self) { try SearchQuery(query, at: QueryCase.noon) }
        #expect(try !#require(failure).pointer(in: query).text.contains("\u{1b}"))
    }
}
