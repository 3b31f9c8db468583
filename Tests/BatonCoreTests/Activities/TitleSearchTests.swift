import BatonCore
import Testing

/// Tests of a part of a title that is typed in place of an identifier.
@Suite struct `A search for a title` {
    private func search(
        _ text: String, _ titles: [String?], here: Set<Int> = []
    ) -> Result<Int?, LocalFailure>? {
        guard var search = TitleSearch<Int>(text) else { return nil }
        for (number, title) in titles.enumerated() {
            search.look(at: number, titled: title, isHere: here.contains(number))
        }
        return search.result { ("id\($0)", titles[$0] ?? "") }
    }

    @Test func `finds a part of the title, whatever its case and accents`() {
        #expect(search("RESUME", ["Draft", "My résumé", nil]) == .success(1))
        #expect(search("letter", ["Draft", nil]) == .success(nil))
    }

    @Test func `prefers the title that equals the text over those that contain it`() {
        #expect(search("draft", ["Draft of the report", "Draft", "Another draft"]) == .success(1))
    }

    @Test func `prefers activities of other devices to those of this one`() {
        #expect(search("baton", ["baton (main)", "baton (main)"], here: [0]) == .success(1))
        #expect(search("baton", ["baton (main)", "baton (main)"], here: [1]) == .success(0))
        #expect(search("baton", ["baton (main)", "draft"], here: [0, 1]) == .success(0))
        #expect(
            search("draft", ["draft", "Draft of the report"], here: [0]) == .success(0), "it is called so")
        #expect((try? search("baton", ["baton 1", "baton 2"], here: [0, 1])?.get()) == .none)
    }

    @Test func `lists several matches, and the number of others`() throws {
        guard case .failure(let two)? = search("draft", ["Draft 1", "Draft 2"]) else {
            return #expect(Bool(false), "two can't be told apart")
        }
        #expect(two.code == .notFound)
        #expect(two.text.hasSuffix("Name one by its ID:\nid0 “Draft 1”, id1 “Draft 2”"))
        guard case .failure(let many)? = search("x", (0..<10).map { "x \($0)" }) else {
            return #expect(Bool(false), "ten can't be told apart")
        }
        #expect(many.text.hasPrefix("10 activities") && many.text.hasSuffix(", and 2 more in `baton list`"))
    }

    @Test(arguments: ["", "\u{301}"]) func `finds nothing for a text without searchable words`(_ text: String)
    {
        #expect(search(text, ["anything"]) == nil)
    }
}
