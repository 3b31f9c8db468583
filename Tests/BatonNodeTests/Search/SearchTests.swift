import BatonCore
import BatonNode
import BatonStore
import Support
import Testing

/// Searching through a node's socket.
@Suite struct `Searching through a node` {
    @Test func `a search for words finds items of this device and of another one`() throws {
        let folder = try TemporaryFolder()
        let first = try RunningNode.home(folder, "first")
        let account = try first.makeAccount(name: "first").account
        try Self.index(["Annual report", "Report of 東京都", "Recipe"], in: first, of: account)
        let node = try RunningNode(folder, "first")
        let found = try node.find("REPO")
        #expect(Set(found.compactMap(\.title)) == ["Annual report", "Report of 東京都"])
        #expect(try node.find("京都 report").map(\.title) == ["Report of 東京都"])
        #expect(try node.find("京都 report").first?.app == "org.example.notes")
        #expect(try node.find("rep ").isEmpty)
        #expect(try node.find("r", most: 1).count == 1)
        #expect(try node.find("r", most: .max).count == 3)
        for most in [0, -1, Int.min] { #expect(try node.find("r", most: most).isEmpty) }
        for text in ["\"", "*", "", "\u{0}", "NEAR(", String(repeating: "\"x", count: 5000)] {
            #expect(try node.find(text).isEmpty, "\(text)")
        }

        try node.admit("second")
        let second = try RunningNode(folder, "second")
        try eventually("the items on the second device") { try second.find("report").count == 2 }
        #expect(try second.find("annual").map(\.title) == ["Annual report"])
    }

    @Test func `a query finds items of this device and of another one`() throws {
        let folder = try TemporaryFolder()
        let first = try RunningNode.home(folder, "first")
        let account = try first.makeAccount(name: "first").account
        try Self.index(["Annual report", "Report of 東京都", "Recipe"], in: first, of: account)
        let node = try RunningNode(folder, "first")
        let report = #"title == "*report*"c"#
        #expect(try node.titles(report) == ["Annual report", "Report of 東京都"])
        #expect(try node.titles(#"title == "annual report""#).isEmpty)
        #expect(try node.titles(#"title == "annual report"cd || !(title == "*e*")"#) == ["Annual report"])
        #expect(try node.titles("*", most: 2).count == 2)
        #expect(try node.titles("*", most: .max).count == 3)
        for most in [0, -1, Int.min] { #expect(try node.titles("*", most: most).isEmpty) }
        #expect(try node.titles("*", app: "org.example.notes").count == 3)
        #expect(try node.titles("*", app: "org.example").isEmpty)

        try node.admit("second")
        let second = try RunningNode(folder, "second")
        try eventually("the items on the second device") { try second.titles(report).count == 2 }
        #expect(try second.titles(report) == node.titles(report))
    }

    @Test func `an error in a query is a failure that shows its place`() throws {
        let folder = try TemporaryFolder()
        let home = try RunningNode.home(folder, "home")
        _ = try home.makeAccount(name: "first")
        let node = try RunningNode(folder, "home")
        let present = PresentTime(WallTime(milliseconds: 0)) { _ in 0 }
        for (query, text) in [
            (
                #"title = "a""#,
                #"Expected ==, !=, <, <=, > or >=, but found “=” at character 7."# + "\n"
                    + #"title = "a""# + "\n      ^"
            ),
            (
                String(repeating: "(", count: 100_000),
                "Expected a query of at most 65536 bytes, but found 100000 bytes at character 1.\n"
                    + String(repeating: "(", count: 40) + "…\n^"
            ),
            (
                String(repeating: "(", count: 60_000),
                "Expected at most 64 levels of parentheses and “!”, but found another one at character 65.\n…"
                    + String(repeating: "(", count: 100) + "…\n" + String(repeating: " ", count: 61) + "^"
            ),
        ] {
            #expect(
                try node.ask(QueryItems(query, most: 1, at: present)) == .failure(LocalFailure(.usage, text)))
        }
        #expect(try node.titles("*").isEmpty)
    }

    @Test func `a search finds all items after an emptied full-text table is refilled`() throws {
        let folder = try TemporaryFolder()
        let home = try RunningNode.home(folder, "home")
        let account = try home.makeAccount(name: "first").account
        try Self.index((0..<1200).map { "Note \($0)" }, in: home, of: account)
        do {
            let store = try SQLiteStore(folder: home.account(), account: account)
            try store.emptySearch()
        }
        let node = try RunningNode(folder, "home")
        try eventually("all items in the table of words") {
            guard case .success(let found) = try node.ask(SearchItems("note 1199", most: 5)), found.isWhole
            else {
                return false
            }
            return found.items.count == 1
        }
    }

    /// Stores notes in a home whose node does not run.
    private static func index(_ titles: [String], in home: Home, of account: AccountIdentifier) throws {
        let store = try SQLiteStore(folder: home.account(), account: account)
        var journal = Journal(life: Life(high: 5, low: 1), latest: .zero)
        let drafts = titles.enumerated().map { number, title in
            var item = Item()
            item.attributes[.title] = .plain(.string(title))
            let name = ItemName(app: "org.example.notes", index: "main", identifier: "\(number)")
            return Journal.Draft(.full(item.content(name)), name.key)
        }
        let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 1_000_000))
        _ = try store.commit(try #require(transaction))
    }
}

extension RunningNode {
    /// Returns the titles of the items that meet a query, in order.
    func titles(_ query: String, app: String? = nil, most: Int = 10) throws -> [String] {
        let present = PresentTime(WallTime(milliseconds: 0)) { _ in 0 }
        let found = try ask(QueryItems(query, filter: SearchFilter(app: app), most: most, at: present)).get()
        #expect(found.isWhole)
        return found.items.compactMap(\.title)
    }

    /// Returns the items that a search finds now.
    func find(_ text: String, most: Int = 10) throws -> [FoundItem] {
        guard case .success(let items) = try ask(SearchItems(text, most: most)).map(\.items) else {
            throw DeadlinePassed(description: "the search failed")
        }
        return items
    }
}
