import Support
import Testing

/// An app is asked to index again what a person, or a damaged disk, asks for.
@Suite struct `Indexing again` {
    @Test func `a running app is asked at once, and one that is not when it comes`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        let app = try numbers.begin("reindex", hasInput: true)
        try eventually("a delegate: \(app.output) \(app.errors)") { app.lines.contains("waiting") }
        try account[0].must("index", "reindex", IndexedNumbers.app, "3", "4")
        try eventually("the items: \(app.output) \(app.errors)") { app.lines.contains("items 3 4") }
        try eventually("two items") { try numbers.found(0..<100) == [3, 4] }
        app.closeInput()
        #expect(try app.wait() == 0)

        account[0].killNode()
        try account[0].startNode()
        try account[0].must("index", "reindex", IndexedNumbers.app)
        let next = try numbers.begin("reindex", hasInput: true)
        try eventually("everything: \(next.output) \(next.errors)") { next.lines.contains("all") }
        try eventually("ten items") { try numbers.found(0..<100) == Array(0..<10) }
        try account[0].must("index", "reindex", IndexedNumbers.app, "20")
        try eventually("the next request: \(next.output)") { next.lines.contains("items 20") }
        #expect(next.lines == ["waiting", "all", "items 20"], "what was acknowledged does not come again")
        next.closeInput()
        #expect(try next.wait() == 0)
    }
}
