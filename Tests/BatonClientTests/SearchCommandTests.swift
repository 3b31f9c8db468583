import BatonClient
import BatonCore
import Support
import Testing

@Suite struct `baton search` {
    private static let reportItem = FoundItem(
        app: "org.example.notes", index: "main", identifier: "note-7", domain: "work", title: "Annual report",
        summary: "All of the year's figures\nand more", url: "https://example.org/7", indexed: Example.now)
    private static let report = SearchResult(.item(reportItem), devices: [Example.laptop])
    private static let bare = SearchResult(
        .item(FoundItem(app: "org.example.mail", index: "main", identifier: "m1")))

    @Test func `search sends all words, and shows the items found`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([Self.report, Self.bare], isWhole: true)) }
        let typed = Typed(node, "search", "annual", "rep", "--limit", "5")
        #expect(typed.status == 0 && typed.errors.isEmpty)
        #expect(node.calls.equals(SearchItems("annual rep", most: 5)))
        let lines = typed.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("TITLE          APP                ITEM    INDEXED"))
        #expect(lines[1].hasPrefix("Annual report  org.example.notes  note-7"))
        #expect(lines[1].hasSuffix("All of the year's figures  https://example.org/7"))
        #expect(lines[2].contains("org.example.mail   m1"))
    }

    @Test func `search --json prints every field of an item`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([Self.report, Self.bare], isWhole: false)) }
        let json = Typed(node, "search", "x", "--json").output
        #expect(
            json.hasPrefix(
                #"{"results":[{"kind":"item","app":"org.example.notes","title":"Annual report","summary":"All"#
            ))
        #expect(
            json.contains(#""summary":"All of the year's figures\nand more","url":"https://example.org/7""#))
        #expect(
            json.contains(
                #""item":{"app":"org.example.notes","index":"main","id":"note-7","domain":"work","indexed":""#
            ))
        #expect(json.contains(#""activity":null,"rank":null,"devices":[{"id":""#))
        #expect(json.contains(#""title":null,"summary":null,"url":null,"time":null,"item":{"app":"org.ex"#))
        #expect(json.hasSuffix("],\"complete\":false,\"corrected\":null}\n"))
        #expect(node.calls.equals(SearchItems("x", most: 20)))
    }

    @Test func `search says that nothing was found, or that the node is still indexing`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([], isWhole: true)) }
        let typed = Typed(node, "search", "x")
        #expect(typed.status == 0 && typed.output == "Nothing found.\n")
        let json = Typed(node, "search", "x", "--json").output
        #expect(json == "{\"results\":[],\"complete\":true,\"corrected\":null}\n")
        let filling = try FakeNode { _ in .reply(SearchReply([Self.bare], isWhole: false)) }
        #expect(Typed(filling, "search", "x").output.hasSuffix("there may be more results later.\n"))
    }

    @Test func `search says which words it took for those that no item has`() throws {
        let node = try FakeNode { _ in
            .reply(SearchReply([Self.bare], isWhole: true, corrected: "annual report"))
        }
        let typed = Typed(node, "search", "anual", "report")
        #expect(typed.output.hasPrefix("Nothing has what you typed. These are for “annual report”:\nAPP"))
        let json = Typed(node, "search", "x", "--json").output
        #expect(json.hasSuffix("\"corrected\":\"annual report\"}\n"))
    }

    @Test func `search --explain shows the parts of each rank`() throws {
        var ranked = Self.report
        ranked.rank = ItemRank(text: 4, use: 1.5, hint: 1.25, freshness: 1.0078125)
        let node = try FakeNode { [ranked] _ in .reply(SearchReply([ranked, Self.bare], isWhole: true)) }
        let lines = Typed(node, "search", "annual", "--explain").output.split(separator: "\n")
        #expect(lines[0] == "TITLE          APP                ITEM    RANK  TEXT  OPENED  APP SAYS  NEW")
        #expect(lines[1] == "Annual report  org.example.notes  note-7  7.56  4.00  1.50    1.25      1.01")
        #expect(lines[2] == "               org.example.mail   m1")
        let json = Typed(node, "search", "annual", "--json").output
        let rank = #""rank":{"score":7.55859375,"text":4.0,"use":1.5,"hint":1.25,"freshness":1.0078125}"#
        #expect(json.contains(rank))
        let typed = Typed(node, "search", "--query", "pageCount > 3", "--explain")
        #expect(typed.status == 2 && typed.errors.contains("--explain works with words only"))
    }

    @Test func `search --query sends the query, and the app that is named`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([Self.report], isWhole: true)) }
        let query = #"title == "ann*"cd && pageCount > 3"#
        let typed = Typed(node, "search", "--query", query, "--app", "org.example.notes", "--limit", "5")
        #expect(typed.status == 0 && typed.output.contains("Annual report"), "\(typed)")
        let call = try #require(node.calls.first as? QueryItems)
        #expect(call.query == query && call.app == "org.example.notes" && call.most == 5)
        #expect(call.firstWeekday == 1)
        #expect(call.zone.offset(at: call.now) == LocalClock.offset(at: call.now))
        #expect(abs(call.now.since(LocalClock.now).components.seconds) < 600)
        let json = Typed(node, "search", "--query", query, "--json")
        #expect(json.output.hasPrefix(#"{"results":[{"kind":"item","app":"org.example.notes""#), "\(json)")
        #expect((node.calls.last as? QueryItems)?.most == 20)
        #expect((node.calls.last as? QueryItems)?.app == nil)
        let some = try FakeNode { _ in .reply(SearchReply([Self.report], isWhole: false)) }
        #expect(Typed(some, "search", "--query", query).output.contains("\nNot all items were searched: "))
    }

    @Test func `search --query shows where a query is wrong`() throws {
        let node = try FakeNode { request in
            guard let call = request as? QueryItems else { return nil }
            do throws(LocalFailure) {
                _ = try call.parsed()
                return .reply(SearchReply([], isWhole: true))
            } catch {
                return .failure(error)
            }
        }
        let typed = Typed(node, "search", "--query", #"title == "a" &"#)
        #expect(typed.status == 2 && typed.output.isEmpty)
        #expect(
            typed.errors == """
                baton: Expected &&, || or the end of the query, but found “&” at character 14.
                title == "a" &
                             ^

                """)
        // The lines that follow the first one can't be feigned by what stands in the query.
        let hostile = Typed(node, "search", "--query", "*\nbaton: done\n\u{1b}[2J ^")
        #expect(hostile.status == 2 && hostile.errors.split(separator: "\n").count == 3, "\(hostile)")
        #expect(!hostile.errors.contains("\u{1b}"))
        let forged = try FakeNode { _ in .failure(LocalFailure(.failed, "a\nb\nc ^\nd\n ^x")) }
        #expect(Typed(forged, "search", "x").errors == "baton: a\nb\\nc ^\\nd\\n ^x\n")
    }

    @Test func `search takes either words or a query`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([], isWhole: true)) }
        for words in [
            ["search", "x", "--query", "*"], ["search", "x", "--app", "a"], ["search", "--app", "a"],
            ["search", "--query"], ["search", "--query", "*", "--query", "*"], ["search", "--limit", "3"],
        ] {
            let typed = Typed(words + ["--home", node.folder.path])
            #expect(typed.status == 2 && !typed.errors.isEmpty, "\(words)")
        }
        #expect(node.calls.isEmpty)
    }

    @Test func `search results can't control the terminal, at any width`() throws {
        let hostile = "\u{1b}]0;pwned\u{7}\u{1b}[2J\nfake  line\u{202e}東京都東京都東京都"
        let item = FoundItem(
            app: hostile, index: hostile, identifier: hostile, domain: hostile, title: hostile,
            summary: hostile, url: hostile, indexed: Example.now)
        let activity = FoundActivity(
            identifier: hostile, app: hostile, type: hostile, title: hostile, summary: hostile,
            url: hostile, ended: Example.now)
        let results = [SearchResult(.item(item)), SearchResult(.activity(activity))]
        let node = try FakeNode { _ in .reply(SearchReply(results, isWhole: true)) }
        for width in [nil, 200, 80, 40, 20] as [Int?] {
            let output = Typed(node, "search", "x", width: width).output
            #expect(output.split(separator: "\n").count == 3)
            #expect(!output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202e}" })
            for line in output.split(separator: "\n") where width != nil {
                #expect(CellWidth.of(line) <= width ?? 0)
            }
        }
    }

    @Test func `search --open opens the first address after consent, by the rules for web pages`() throws {
        let node = try FakeNode { request in
            switch request {
            case is SearchItems: .reply(SearchReply([Self.bare, Self.report], isWhole: true))
            case is GetStatus: .reply(Example.status([]))
            case is CountOpening: .reply(IndexReply(passedOver: 0))
            case is RememberSearch: .reply(Done())
            default: nil
            }
        }
        let opened = Typed(node, "search", "x", "--open", "--yes")
        #expect(opened.status == 0 && opened.started == [["xdg-open", "https://example.org/7"]], "\(opened)")
        let name = ItemName(app: "org.example.notes", index: "main", identifier: "note-7")
        #expect(node.calls.suffix(2).prefix(1).equals(CountOpening(name)))
        #expect(node.calls.suffix(1).equals(RememberSearch("x")))
        #expect(Typed(node, "search", "x", "--yes").status == 2)
        #expect(Typed(node, "search", "x", "--open", "--yes", "--json").status == 2)
        for url in ["file:///etc/passwd", "javascript:x", "https://a\u{202e}b", "mailto:a?%61ttach=/b"] {
            var item = Self.reportItem
            item.url = url
            let found = SearchResult(.item(item))
            let node = try FakeNode { request in
                if request is SearchItems { return .reply(SearchReply([found], isWhole: true)) }
                return .reply(Example.status([]))
            }
            let typed = Typed(node, "search", "x", "--open", "--yes")
            #expect(typed.status == 1 && typed.started.isEmpty, "\(url): \(typed)")
        }
        let without = try FakeNode { _ in .reply(SearchReply([Self.bare], isWhole: true)) }
        #expect(Typed(without, "search", "x", "--open", "--yes").status == 11)
    }

    @Test func `search --suggest shows suggestions, and --forget forgets earlier searches`() throws {
        let node = try FakeNode { request in
            switch request {
            case is SuggestSearches:
                .reply(
                    SuggestionsReply([
                        SearchSuggestion("annual report", .search, typed: [0..<6, 7..<9]),
                        SearchSuggestion("Das Straßenfest", .title, typed: [4..<10]),
                    ]))
            case is ForgetSearches: .reply(Done())
            default: nil
            }
        }
        #expect(
            Typed(node, "search", "--suggest", "annual", "re").output == "annual report\nDas Straßenfest\n")
        #expect(node.calls.suffix(1).equals(SuggestSearches("annual re", most: 10)))
        let json = Typed(node, "search", "--suggest", "--limit", "3", "--json").output
        #expect(node.calls.suffix(1).equals(SuggestSearches("", most: 3)))
        #expect(
            json.contains(
                #""parts":[{"text":"Das ","typed":false},{"text":"Straß","typed":true},{"text":"enfest","typed":false}]"#
            ), "\(json)")
        #expect(Typed(node, "search", "--forget", "annual", "report").output.contains("annual report"))
        #expect(node.calls.suffix(1).equals(ForgetSearches("annual report")))
        #expect(Typed(node, "search", "--forget").output == "Forgot all your earlier searches.\n")
        #expect(node.calls.suffix(1).equals(ForgetSearches()))
        let calls = node.calls.count
        for words in [
            ["--suggest", "--forget"], ["--suggest", "--explain"], ["--forget", "--json"],
            ["--suggest", "--limit", "21"], ["--suggest", "--limit", "0"], ["--forget", "--limit", "2"],
        ] {
            #expect(Typed(["search"] + words + ["x", "--home", node.folder.path]).status == 2, "\(words)")
        }
        #expect(node.calls.count == calls)
        let none = try FakeNode { _ in .reply(SuggestionsReply([])) }
        #expect(Typed(none, "search", "--suggest", "x").output == "No suggestions.\n")
    }

    @Test func `search refuses a missing word and a limit out of range`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([], isWhole: true)) }
        #expect(Typed(node, "search").status == 2)
        for limit in ["0", "-1", "101", "x", ""] {
            #expect(Typed(node, "search", "x", "--limit", limit).status == 2, "\(limit)")
        }
        #expect(
            Typed(node, "help", "search").output.contains(
                "Usage: baton search [--query QUERY] [--app APP] [--limit NUMBER] [--explain]"))
        #expect(Typed(["search", "--home", node.folder.path, "--", "-x"]).status == 0)
        #expect(node.calls.equals(SearchItems("-x", most: 20)))
    }

    @Test func `index state shows text as text, and other bytes in Base64`() throws {
        for (state, json) in [("page 7", #""page 7""#), ("", #""""#)] {
            let node = try FakeNode { _ in .reply(ClientStateReply(Array(state.utf8))) }
            #expect(
                Typed(node, "index", "state", "org.example.a", "--json").output == "{\"state\":\(json)}\n")
        }
        let node = try FakeNode { _ in .reply(ClientStateReply([0xff])) }
        #expect(
            Typed(node, "index", "state", "org.example.a", "--json").output
                == "{\"state\":{\"$data\":\"/w==\"}}\n")
    }
}
