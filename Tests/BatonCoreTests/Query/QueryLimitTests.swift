import BatonCore
import Testing

/// Queries that would cost too much are refused, or cost little.
@Suite struct `A hostile query` {
    private func failure(_ query: String) -> QueryFailure? {
        do throws(QueryFailure) {
            _ = try SearchQuery(query, at: QueryCase.noon)
            return nil
        } catch {
            return error
        }
    }

    @Test func `is refused if it nests too deeply`() {
        let most = Limits.queryDepth
        for opening in ["(", "!"] {
            let closing = opening == "(" ? ")" : ""
            let deepest =
                String(repeating: opening, count: most) + "*" + String(repeating: closing, count: most)
            #expect(failure(deepest) == nil)
            let tooDeep = failure(opening + deepest + closing)
            #expect(tooDeep?.offset == most)
            #expect(tooDeep?.expected == "at most 64 levels of parentheses and “!”")
            let endless = failure(String(repeating: opening, count: Limits.queryBytes))
            #expect(endless?.offset == most)
        }
        #expect(failure(String(repeating: "(", count: 100_000))?.expected == "a query of at most 65536 bytes")
        let wide = String(repeating: "(*)&&", count: 900) + "*"
        #expect(failure(wide) == nil)
    }

    @Test func `is refused if it has too many parts`() {
        let most = Limits.queryParts
        let comparisons = [String](repeating: "*", count: most).joined(separator: "||")
        #expect(failure(comparisons) == nil)
        #expect(failure(comparisons + "||*")?.offset == comparisons.utf8.count + 2)
        let stars = [String](repeating: "*a", count: 500).joined()
        let words = [String](repeating: "b", count: 500).joined(separator: " ")
        #expect(failure(#"title == "\#(stars)""#) == nil)
        #expect(failure(#"title == "\#(words)"w"#) == nil)
        #expect(failure(#"title == "\#(stars)" || title == "\#(words)"w"#) == nil)
        #expect(
            failure(#"title == "\#(stars)" || title == "\#(stars)" || title == "\#(words)"t"#)?.found
                == "another one")
    }

    @Test func `is refused if one of its texts is too long`() {
        let most = String(repeating: "a", count: Limits.queryTextBytes)
        #expect(failure(#"title == "\#(most)""#) == nil)
        let failure = failure(#"title == "\#(most)a""#)
        #expect(failure?.offset == 9)
        #expect(failure?.found == "1025 bytes")
    }

    @Test func `is refused if it is too long`() {
        let blank = String(repeating: " ", count: Limits.queryBytes - 1)
        #expect(failure(blank + "*") == nil)
        #expect(failure(blank + "**")?.found == "65537 bytes")
    }

    /// Patterns that take exponential or cubic time if they are matched by going back.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            #""\#(String(repeating: "*a", count: 400))*b""#, #""\#(String(repeating: "a*", count: 400))b"w"#,
            #""\#(String(repeating: "a", count: 1000))b*"w"#,
            #""*\#(String(repeating: "a", count: 1000))b*""#,
            #""\#(String(repeating: "aB*", count: 300))c"w"#,
            #""\#(String(repeating: "a * ", count: 200))b"w"#,
            #""\#(String(repeating: "a ", count: 400))b"t"#,
            #""\#(String(repeating: "日*", count: 200))本"wcdt"#,
        ]) func `is evaluated in linear time for each part`(_ operand: String) throws
    {
        let values = ["a", "aB", "a ", "日", "aBaB "].map { unit in
            String(repeating: unit, count: 100_000 / unit.utf8.count)
        }
        let query = try SearchQuery("textContent == \(operand)", at: QueryCase.noon)
        for value in values { #expect(!query.matches(Item([.textContent: .string(value)]))) }
    }
}
