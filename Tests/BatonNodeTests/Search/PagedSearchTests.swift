import BatonCore
import BatonNode
import Support
import Testing

/// Searches through a node's socket whose results come in pages.
@Suite struct `Pages of a search` {
    private static let notes = ClientStateName(app: "org.example.notes", index: "main")
    private static let present = PresentTime(WallTime(milliseconds: 1_000_000_000)) { _ in 0 }

    private static func node(_ count: Int = 150, _ change: (inout Limits) -> Void = { _ in }) throws
        -> RunningNode
    {
        let node = try RunningNode.first(try TemporaryFolder(), "home", change)
        let changes = (0..<count).map { number in
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("Note \(number)"))
            attributes[.pageCount] = .plain(.integer(Int64(number)))
            return IndexChange.item("\(number)", Item(attributes: attributes))
        }
        _ = try node.ask(ChangeIndex(notes, changes)).get()
        return node
    }

    private static func query(_ text: String, most: Int = 1000) -> QueryItems {
        QueryItems(text, most: most, at: present)
    }

    @Test func `a client gets all results of words and of a query page by page`() throws {
        let node = try Self.node()
        var app = try ActedApp(node)
        for begin in [
            BeginSearch(7, words: SearchItems("note", most: 1000), pageMost: 60),
            BeginSearch(7, query: Self.query("*"), pageMost: 60),
            BeginSearch(
                7, query: Self.query("pageCount >= 0"), order: .found, attributes: ["title"], pageMost: 60),
        ] {
            var page = try app.ask(begin).get()
            var titles = [page.results.count]
            var names = page.results.compactMap(\.thing.item?.identifier)
            while !page.isLast {
                page = try app.ask(NextPage(7)).get()
                titles.append(page.results.count)
                names += page.results.compactMap(\.thing.item?.identifier)
            }
            #expect(titles.filter { $0 > 0 } == [60, 60, 30] && Set(names).count == 150)
            #expect(try app.ask(NextPage(7)).failureCode == .notFound)
        }
    }

    @Test func `further queries narrow a search, and an error in one is a failure`() throws {
        let node = try Self.node()
        let both = BeginSearch(
            1, words: SearchItems("note", most: 1000), query: Self.query("pageCount > 9"),
            filters: ["pageCount < 20", "pageCount != 15"])
        #expect(try node.ask(both).get().results.count == 9)
        let found = try node.ask(
            BeginSearch(
                1, query: Self.query("pageCount > 9"), filters: ["pageCount < 12"], attributes: ["pageCount"])
        ).get()
        #expect(found.isLast && found.results.allSatisfy { $0.thing.title == nil })
        let values = found.results.compactMap { $0.attributes?.count }
        #expect(values == [1, 1])
        for wrong in [
            BeginSearch(1, query: Self.query("pageCount >"), filters: []),
            BeginSearch(1, query: Self.query("*"), filters: ["pageCount < 12) || (pageCount > 0"]),
            BeginSearch(1, words: SearchItems("note", most: 9), filters: ["*"]),
            BeginSearch(1, query: Self.query("*"), attributes: ["a b"]),
            BeginSearch(1, query: Self.query("*"), attributes: Array(repeating: "title", count: 129)),
            BeginSearch(1, query: Self.query("*"), filters: Array(repeating: "*", count: 33)),
        ] {
            #expect(try node.ask(wrong).failureCode == .usage)
        }
    }

    @Test func `a search ends on request, with its connection, or after a time without a request`() throws {
        let node = try Self.node { $0.openSearchTime = .milliseconds(100) }
        var app = try ActedApp(node)
        var other = try ActedApp(node)
        let begin = BeginSearch(1, words: SearchItems("note", most: 1000), pageMost: 10)
        let first = try app.ask(begin).get()
        #expect(!first.isLast)
        #expect(try other.ask(NextPage(1)).failureCode == .notFound, "a number is that of one connection")
        for _ in 0..<2 { _ = try app.ask(EndSearch(1)).get() }
        #expect(try app.ask(NextPage(1)).failureCode == .notFound)
        let again = try app.ask(begin).get()
        #expect(!again.isLast)
        let end = presentTime.advanced(by: .milliseconds(300))
        try eventually("the end of a search that nobody goes on with") { presentTime > end }
        #expect(try app.ask(NextPage(1)).failureCode == .notFound)
    }

    @Test func `one search beyond the limit ends the search whose last request is the oldest`() throws {
        let node = try Self.node()
        var app = try ActedApp(node)
        for number in 1...8 as ClosedRange<UInt64> {
            _ = try app.ask(BeginSearch(number, query: Self.query("*"), pageMost: 10)).get()
        }
        _ = try app.ask(NextPage(1)).get()
        _ = try app.ask(BeginSearch(9, query: Self.query("*"), pageMost: 10)).get()
        #expect(try app.ask(NextPage(2)).failureCode == .notFound)
        for number in [1, 3, 9] as [UInt64] {
            #expect(try app.ask(NextPage(number)).get().results.count == 10)
        }
    }

    @Test func `a search can be ended while its page is being made`() throws {
        let node = try Self.node()
        var app = try ActedApp(node)
        for number in 1...20 as ClosedRange<UInt64> {
            let begun = try app.begin(
                BeginSearch(number, query: Self.query("*"), order: .found, pageMost: 10))
            let ended = try app.begin(EndSearch(number))
            switch try app.answer(to: begun) {
            case .success(let page): #expect(page.results.count == 10)
            case .failure(let failure): #expect(failure.text == "The search was ended.")
            }
            _ = try app.answer(to: ended).get()
            #expect(try app.ask(NextPage(number)).failureCode == .notFound)
        }
        #expect(try node.find("note 77").count == 1)
    }
}

extension Result where Failure == LocalFailure {
    /// The code of the failure; nil if there is none.
    fileprivate var failureCode: LocalFailure.Code? {
        if case .failure(let failure) = self { failure.code } else { nil }
    }
}
