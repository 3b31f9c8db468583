import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

/// Conditions that are drawn from seeds.
@Suite struct `Any text as a condition on properties` {
    private static func parsed(_ condition: String) throws(LocalFailure) -> SearchQuery {
        let query = try PropertyQuery(condition, of: "Book", with: DrawnPropertyConditions.properties)
        try query.check(condition, at: Example.present)
        do throws(QueryFailure) { return try SearchQuery(query.text, at: Example.present) } catch {
            throw LocalFailure(.failed, "A query that was checked is malformed: \(error)")
        }
    }

    @Test(arguments: Seeds.first(2000))
    func `says the same as the query of the index that it stands for`(seed: UInt64) throws {
        var drawn = DrawnPropertyConditions(seed: seed)
        let pair = drawn.condition()
        let expected = try SearchQuery(pair.query, at: Example.present)
        #expect(try Self.parsed(pair.typed) == expected, "\(pair.typed) as \(pair.query)")
    }

    @Test func `is a query, or an error that shows a place in the text`() throws {
        var (accepted, refused) = (0, 0)
        for seed in Seeds.first(5000) {
            var drawn = DrawnPropertyConditions(seed: seed)
            let text = drawn.text()
            do throws(LocalFailure) {
                _ = try Self.parsed(text)
                accepted += 1
            } catch {
                refused += 1
                #expect(error.code == .usage, "\(text.debugDescription): \(error.text)")
                let lines = error.text.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count == 3, "\(text.debugDescription): \(error.text)")
                let pointer = lines.last ?? ""
                #expect(pointer.last == "^" && pointer.dropLast().allSatisfy { $0 == " " }, "\(error.text)")
                #expect(pointer.count <= VisibleText(harmless: String(lines[1])).width + 1, "\(error.text)")
            }
        }
        // Otherwise the test would say little.
        if Seeds.replayed == nil { #expect(accepted > 200 && refused > 2000, "\(accepted), \(refused)") }
    }

    /// Terms with a mistake, and the part at which the mistake is shown.
    private static let mistakes = [
        ("gnre == 1", "gnre"), ("note == \"x\"", "note"), ("rating > \"x\"", "\"x\""), ("rating ? 3", "? 3"),
        ("rating = 3", "= 3"), ("rating > nil", "nil"), ("InRange(rating, 1)", ") "), ("isRead true", "true"),
        ("added > \"yesterday\"", "\"yesterday\""), ("added > \"2026-11-20\"x", "x "),
        ("InRange(added, \"2026-11-20\", 'x')", "'x'"), ("rating added 3", "added 3"), ("rating == 3x", "x "),
        ("nil == rating", "nil"),
    ]

    @Test(arguments: mistakes, Seeds.first(20))
    func `points at the mistake, whatever is before it`(mistake: (term: String, part: String), seed: UInt64) {
        var drawn = DrawnPropertyConditions(seed: seed)
        let words = [
            "rating >= 3", "isRead == true", "added > \"2026-11-20\"", "genre == nil", "genre == 'a'c",
        ]
        let terms = (0..<drawn.random.number(0...3)).map { _ in drawn.random.pick(words) }
        let text = (terms + [mistake.term, "rating < 5"]).joined(separator: " && ")
        let error = #expect(throws: LocalFailure.self) { try Self.parsed(text) }
        let lines = error?.text.split(separator: "\n") ?? []
        #expect(lines.count == 3)
        let shown = lines.dropFirst().first?.dropFirst((lines.last?.count ?? 1) - 1)
        #expect(shown?.hasPrefix(mistake.part) == true, "\(error?.text ?? "no error")")
    }

    @Test func `names the words of the person in a message, and not those of the index`() {
        let error = #expect(throws: LocalFailure.self) { try Self.parsed("rating added 3") }
        #expect(
            error?.text.contains("“added”") == true && error?.text.contains("contentCreationDate") == false)
        let unclosed = #expect(throws: LocalFailure.self) {
            try Self.parsed("isRead == true && genre == \"a")
        }
        #expect(unclosed?.text.contains("the closing \" of the text at character 28") == true)
    }
}
