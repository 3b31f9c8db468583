import AppIntents
import Support
import Testing

@Suite struct `Addresses of entities and intents` {
    @Test(arguments: 0..<50) func `contain percent-encoded values of properties`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let trail = Trail(id: random.number(0...99))
        trail.name = random.text()
        let url = try #require(await trail.urlRepresentation)
        #expect(url.host() == "example.com")
        let start = "https://example.com/trails/\(trail.id)/"
        #expect(url.absoluteString.hasPrefix(start))
        #expect(String(url.absoluteString.dropFirst(start.count)).removingPercentEncoding == trail.name)
        #expect(try await OpenURLIntent(urlRepresentable: trail).url == url)
    }

    @Test func `come from the app's table for cases of an enum`() throws {
        #expect(Section.near.urlRepresentation?.absoluteString == "https://example.com/near")
        #expect(
            try OpenURLIntent(urlRepresentable: Section.far).url.absoluteString == "https://example.com/far")
        #expect(Section.far.urlRepresentationParameter == "far")
    }

    @Test func `contain the entity of an intent`() async throws {
        let open = OpenBook()
        let book = Book(id: UUID(), title: "A", authors: [], rating: 1)
        open.target = book
        #expect(
            await open.urlRepresentation?.absoluteString == "https://example.com/books/\(book.id.uuidString)")
    }

    @Test func `are shown in the dialog of the intent that opens them`() async throws {
        let performance = try await IntentPerformer().perform(ReturnsAll())
        #expect(performance.dialogs == ["Done.", "file:///"])
        #expect(performance.intents == ["ReturnsAll", "OpenURLIntent"])
        #expect(performance.value == .list([]))
    }
}
