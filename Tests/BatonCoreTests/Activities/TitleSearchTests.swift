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
        let now = WallTime(milliseconds: 1_795_208_645_123)
        return search.result { number in
            TitleSearch.Label(
                identifier: "id\(number)", title: titles[number] ?? "",
                device: here.contains(number) ? nil : "desktop",
                changed: now.advanced(by: .seconds(-60 * number)), at: now)
        }
    }

    @Test func `finds a part of the title, whatever its case and accents`() {
        #expect(search("RESUME", ["Draft", "My résumé", nil]) == .success(1))
        #expect(search("letter", ["Draft", nil]) == .success(nil))
    }

    @Test func `prefers an equal title over titles that contain the text`() {
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

    @Test func `lists several matches with their devices and ages, and the number of others`() throws {
        guard case .failure(let two)? = search("draft", ["Draft 1", "Draft 2"]) else {
            return #expect(Bool(false), "two can't be told apart")
        }
        #expect(two.code == .notFound)
        let names = "id0 “Draft 1” (desktop, now), id1 “Draft 2” (desktop, 1m)"
        #expect(two.text.hasSuffix("Name one by its ID:\n" + names))
        guard case .failure(let own)? = search("draft", ["Draft 1", "Draft 2"], here: [0, 1]) else {
            return #expect(Bool(false), "two can't be told apart")
        }
        #expect(own.text.hasSuffix("id0 “Draft 1” (here, now), id1 “Draft 2” (here, 1m)"))
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
