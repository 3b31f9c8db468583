import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import ClientSupport
import Support
import Testing

@Suite struct `baton search` {
    private static let reportItem = FoundItem(
        app: "org.example.notes", index: "main", identifier: "note-7", domain: "work", title: "Annual report",
        summary: "All of the year's figures\nand more", url: "https://example.org/7", indexed: Example.now)
    private static let report = SearchResult(.item(reportItem), devices: [Example.laptop])
    private static let bare = SearchResult(
        .item(FoundItem(app: "org.example.mail", index: "main", identifier: "m1")))

    @Test func `search sends all words, and prints the items found`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([Self.report, Self.bare], isWhole: true)) }
        let typed = Typed(node, "search", "annual", "rep", "--limit", "5")
        #expect(typed.status == 0 && typed.errors.isEmpty)
        #expect(node.calls.equals(SearchItems("annual rep", most: 5)))
        let lines = typed.output.split(separator: "\n")
        #expect(
            lines.count == 3
                && lines[0].hasPrefix("TITLE          APP                ITEM    DEVICE  INDEXED"))
        #expect(lines[1].hasPrefix("Annual report  org.example.notes  note-7  here    "))
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
        #expect(json.contains("],\"snippet\":null}"))
        #expect(node.calls.equals(SearchItems("x", most: 20)))
    }

    @Test func `search reports that nothing was found, or that not everything was searched`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([], isWhole: true)) }
        let typed = Typed(node, "search", "x")
        #expect(typed.status == 0 && typed.output == "Nothing found.\n")
        let json = Typed(node, "search", "x", "--json").output
        #expect(json == "{\"results\":[],\"complete\":true,\"corrected\":null}\n")
        let filling = try FakeNode { _ in .reply(SearchReply([Self.bare], isWhole: false)) }
        #expect(Typed(filling, "search", "x").output.hasSuffix("too many things match.\n"))
    }

    @Test func `search names the corrected words if no item has the typed words`() throws {
        let node = try FakeNode { _ in
            .reply(SearchReply([Self.bare], isWhole: true, corrected: "annual report"))
        }
        let typed = Typed(node, "search", "anual", "report")
        #expect(
            typed.output.hasPrefix(
                "Nothing matches what you typed. Showing results for “annual report”:\nAPP"))
        let json = Typed(node, "search", "x", "--json").output
        #expect(json.hasSuffix("\"corrected\":\"annual report\"}\n"))
    }

    @Test func `search --explain prints the parts of each rank`() throws {
        var ranked = Self.report
        ranked.rank = ItemRank(text: 4, use: 1.5, hint: 1.25, freshness: 1.0078125)
        let node = try FakeNode { [ranked] _ in .reply(SearchReply([ranked, Self.bare], isWhole: true)) }
        let lines = Typed(node, "search", "annual", "--explain").output.split(separator: "\n")
        #expect(lines[0] == "TITLE          APP                ITEM    RANK  TEXT  OPENED  APP SAYS  NEW")
        #expect(lines[1] == "Annual report  org.example.notes  note-7  7.56  4.00  1.50    1.25      1.01")
        #expect(lines[2] == "               org.example.mail   m1")
        let json = Typed(node, "search", "annual", "--json").output
        let rank =
            #""rank":{"score":7.55859375,"text":4.0,"use":1.5,"hint":1.25,"freshness":1.0078125,"meaning":0.0}"#
        #expect(json.contains(rank))
        ranked.rank = ItemRank(text: 4, use: 1, hint: 1, freshness: 1, meaning: 2.5)
        let meant = try FakeNode { [ranked] _ in .reply(SearchReply([ranked], isWhole: true)) }
        let header = Typed(meant, "search", "annual", "--explain").output.split(separator: "\n")
        #expect(
            header[0]
                == "TITLE          APP                ITEM    RANK  TEXT  MEANING  OPENED  APP SAYS  NEW")
        #expect(
            header[1]
                == "Annual report  org.example.notes  note-7  6.50  4.00  2.50     1.00    1.00      1.00")
        let typed = Typed(node, "search", "--query", "pageCount > 3", "--explain")
        #expect(typed.status == 2 && typed.errors.contains("--explain works with words only"))
    }

    @Test func `search --query sends the query, and the app that --app names`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([Self.report], isWhole: true)) }
        let query = #"title == "ann*"cd && pageCount > 3"#
        let typed = Typed(node, "search", "--query", query, "--app", "org.example.notes", "--limit", "5")
        #expect(typed.status == 0 && typed.output.contains("Annual report"), "\(typed)")
        let call = try #require(node.calls.first as? QueryItems)
        #expect(call.query == query && call.filter.app == "org.example.notes" && call.most == 5)
        #expect(call.firstWeekday == 1)
        #expect(call.zone.offset(at: call.now) == LocalClock.offset(at: call.now))
        #expect(abs(call.now.since(LocalClock.now).components.seconds) < 600)
        let json = Typed(node, "search", "--query", query, "--json")
        #expect(json.output.hasPrefix(#"{"results":[{"kind":"item","app":"org.example.notes""#), "\(json)")
        #expect((node.calls.last as? QueryItems)?.most == 20)
        #expect((node.calls.last as? QueryItems)?.filter == SearchFilter())
        let some = try FakeNode { _ in .reply(SearchReply([Self.report], isWhole: false)) }
        #expect(Typed(some, "search", "--query", query).output.contains("\nNot all items were searched: "))
    }

    @Test func `search --query marks the place of an error in the query`() throws {
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

    @Test func `search refuses conflicting options, and options without the words or query that they need`()
        throws
    {
        let node = try FakeNode { _ in .reply(SearchReply([], isWhole: true)) }
        for words in [
            ["search", "x", "--query", "*"], ["search", "--app", "a"], ["search", "--watch"],
            ["search", "x", "--nth", "2"], ["search", "x", "--watch", "--open"], ["search", "--in", "a"],
            ["search", "x", "--in", "a", "--json"], ["search", "x", "--kind", "image"],
            ["search", "x", "--since", "soon"], ["search", "x", "--since", "2999-01-01"],
            ["search", "--query", "*", "--watch"], ["search", "x", "--open", "--nth", "0"],
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

    // MARK: Opening

    /// A node that finds this, with a connected app if there is one, which opens what it is asked to.
    private static func node(
        finding results: [SearchResult], corrected: String? = nil, app: AppRegistration? = nil,
        silent: Bool = false
    ) throws -> FakeNode {
        try FakeNode { request in
            switch request {
            case is SearchItems, is QueryItems:
                .reply(SearchReply(results, isWhole: true, corrected: corrected))
            case is GetStatus: .reply(Example.status([]))
            case is CountOpening, is CountActivityOpening: .reply(IndexReply(passedOver: 0))
            case is RememberSearch: .reply(Done())
            case is OpenInApp:
                if let app {
                    .reply(OpenedReply(app))
                } else {
                    .failure(LocalFailure(silent ? .failed : .notFound, "No app.\nStart it."))
                }
            case is ContinueActivity:
                .reply(ContinuedActivity(summary: Example.summary(), source: .finished))
            default: nil
            }
        }
    }

    private static let notes = AppRegistration(
        AppName(app: "org.example.notes", instance: "1"), types: [AppOpening.itemType], title: "Notes")

    @Test func `search --open opens the first result in its app, or the result that --nth names`() throws {
        let node = try Self.node(finding: [Self.report, Self.bare], app: Self.notes)
        let opened = Typed(node, "search", "x", "--open")
        #expect(opened.status == 0 && opened.started.isEmpty, "\(opened)")
        #expect(opened.output == "“Annual report” is open in Notes.\n")
        #expect(
            node.calls.equals(
                SearchItems("x", most: 20), GetStatus(), OpenInApp(.item(Self.reportItem.name)),
                CountOpening(Self.reportItem.name), RememberSearch("x")))
        let second = Typed(node, "search", "x", "--open", "--nth", "2", "--limit", "1")
        #expect(second.output == "“m1” is open in Notes.\n")
        #expect((node.calls.dropFirst(5).first as? SearchItems)?.most == 2)
        let third = Typed(node, "search", "x", "--open", "--nth", "3")
        #expect(
            third.status == 11 && third.errors == "baton: There are 2 results, so none has the number 3.\n")
        let corrected = try Self.node(finding: [Self.report], corrected: "annual", app: Self.notes)
        #expect(Typed(corrected, "search", "anual", "--open").status == 0)
        #expect(corrected.calls.suffix(1).equals(RememberSearch("annual")), "what was typed finds nothing")
        let only = Typed(try Self.node(finding: [Self.report]), "search", "x", "--open", "--nth", "2")
        #expect(only.errors == "baton: There is 1 result, so none has the number 2.\n")
        #expect(Typed(try Self.node(finding: []), "search", "x", "--open").status == 11)
    }

    @Test func `an item without a running app is opened by its address, under the rules for web pages`()
        throws
    {
        let node = try Self.node(finding: [Self.report, Self.bare])
        let opened = Typed(node, "search", "x", "--open", "--yes")
        #expect(opened.status == 0 && opened.started == [["xdg-open", "https://example.org/7"]], "\(opened)")
        #expect(opened.errors.isEmpty)
        #expect(node.calls.suffix(2).prefix(1).equals(CountOpening(Self.reportItem.name)))
        #expect(node.calls.suffix(1).equals(RememberSearch("x")))
        // An app that hangs is named, and what it has is still opened.
        let hanging = Typed(
            try Self.node(finding: [Self.report], silent: true), "search", "x", "--open", "--yes")
        #expect(hanging.started.count == 1 && hanging.errors == "No app. Start it.\n")
        #expect(Typed(node, "search", "x", "--yes").status == 2)
        #expect(Typed(node, "search", "x", "--open", "--yes", "--json").status == 2)
        for url in ["file:///etc/passwd", "javascript:x", "https://a\u{202e}b", "mailto:a?%61ttach=/b"] {
            var item = Self.reportItem
            item.url = url
            let node = try Self.node(finding: [SearchResult(.item(item))])
            let typed = Typed(node, "search", "x", "--open", "--yes")
            #expect(typed.status == 1 && typed.started.isEmpty, "\(url): \(typed)")
            #expect(!node.calls.contains { $0 is CountOpening })
        }
    }

    @Test func `an item that nothing here can open is reported, with the machines that indexed it`() throws {
        var result = Self.bare
        let here = Typed(try Self.node(finding: [result]), "search", "x", "--open")
        #expect(
            here.status == 11
                && here.errors == """
                    baton: “m1” can't be opened: it has no address, and no running instance of org.example.mail here opens its items.
                    Start the app first.

                    """,
            "\(here)")
        result.devices = [Example.laptop, Example.desktop]
        let there = Typed(try Self.node(finding: [result]), "search", "x", "--open")
        #expect(there.errors.hasSuffix("Start the app first, or open it where it was indexed: “desktop”.\n"))
        let silent = Typed(try Self.node(finding: [result], silent: true), "search", "x", "--open")
        #expect(silent.status == 1 && silent.errors == "baton: No app.\nStart it.\n")
        let hostile = "\u{1b}[2J\nbaton: done"
        result = SearchResult(.item(FoundItem(app: hostile, index: hostile, identifier: hostile)))
        let typed = Typed(try Self.node(finding: [result]), "search", "x", "--open")
        #expect(
            typed.errors.split(separator: "\n").count == 2 && !typed.errors.contains("\u{1b}"), "\(typed)")
    }

    @Test func `a handler in the configuration file takes precedence over an item's app`() throws {
        let node = try Self.node(finding: [Self.report], app: Self.notes)
        let folder = try TemporaryFolder()
        for (pattern, opens) in [("com.apple.corespotlightitem", true), ("com.apple.*", true), ("*", false)] {
            let run = #"{ run: ["notes", "{kCSSearchableItemActivityIdentifier}"] }"#
            try File.write("{ handlers: { \"\(pattern)\": \(run) } }", to: folder.path + "/config.json5")
            let typed = Typed(node, "search", "x", "--open", "--config", folder.path + "/config.json5")
            #expect(typed.status == 0, "\(typed)")
            #expect(typed.started == (opens ? [["notes", "note-7"]] : []), "\(pattern): \(typed)")
        }
    }

    @Test func `search --open continues an activity that was found`() throws {
        let activity = FoundActivity(
            identifier: "k3v9q2mx7abc", app: "org.example.notes", type: "org.example.editing",
            title: "Report",
            ended: Example.now)
        for result in [SearchResult(.activity(activity)), SearchResult(.both(Self.reportItem, activity))] {
            let node = try Self.node(finding: [result])
            let typed = Typed(node, "search", "x", "--open")
            #expect(typed.status == 0 && typed.started.isEmpty, "\(typed)")
            #expect(
                node.calls.suffix(3).prefix(2).equals(
                    ContinueActivity(.named("k3v9q2mx7abc"), step: .fetch, type: "org.example.editing"),
                    CountActivityOpening("k3v9q2mx7abc")))
            #expect(node.calls.suffix(1).equals(RememberSearch("x")))
            #expect(typed.errors.contains("Nothing here continues org.example.editing"), "\(typed)")
        }
    }

    @Test func `search --in continues the search in an app, or names the device that has the app`() throws {
        let node = try Self.node(finding: [], app: Self.notes)
        let typed = Typed(node, "search", "annual", "report", "--in", "org.example.notes")
        #expect(typed.status == 0 && typed.output == "The search goes on in Notes.\n")
        #expect(node.calls.equals(OpenInApp(.search(app: "org.example.notes", words: "annual report"))))
        var result = Self.bare
        result.devices = [Example.desktop, Example.desktop]
        let away = Typed(try Self.node(finding: [result]), "search", "x", "--in", "org.example.mail")
        #expect(away.status == 11)
        #expect(
            away.errors
                == "baton: No app.\nStart it. Another device has indexed items of the app: “desktop”.\n",
            "\(away)")
    }

    // MARK: Limits and changes

    @Test func `search sends its filters, and highlights the words only on a terminal`() throws {
        let snippet = Snippet("… the annual figures", [8..<14])
        let result = SearchResult(Self.report.thing, devices: [Example.desktop], snippet: snippet)
        let node = try FakeNode { _ in .reply(SearchReply([result], isWhole: true)) }
        let typed = Typed(
            node, "search", "annual", "--app", "org.example.notes", "--kind", "public.image", "--since",
            "2020-02-03T00:00Z")
        #expect(typed.status == 0 && typed.output.contains("  desktop  "), "\(typed)")
        #expect(typed.output.contains("… the annual figures") && !typed.output.contains("\u{1b}"))
        let filter = SearchFilter(
            app: "org.example.notes", kind: .contentType("public.image"),
            since: WallTime(milliseconds: 1_580_688_000_000))
        #expect(node.calls.equals(SearchItems("annual", most: 20, filter: filter)))
        _ = Typed(node, "search", "--query", "*", "--kind", "item", "--since", "1d")
        let query = try #require(node.calls.last as? QueryItems)
        #expect(query.filter.kind == .item && query.filter.app == nil)
        let since = try #require(query.filter.since)
        #expect(abs(LocalClock.now.since(since).components.seconds - 86_400) < 600)
        let table = FoundList([result], of: "ann", explains: false).table(at: Example.present)
        let line = table.lines(width: 200, isStyled: true)[1].text
        #expect(line.hasPrefix("\u{1b}[1mAnnual\u{1b}[22m report  org.example.notes"))
        #expect(line.contains("… the \u{1b}[1mannual\u{1b}[22m figures"))
        let json = Typed(node, "search", "x", "--json").output
        #expect(json.contains(#""snippet":{"text":"… the annual figures","ranges":[[6,12]]}"#), "\(json)")
    }

    @Test func `search names the device at every terminal width`() throws {
        let result = SearchResult(Self.report.thing, devices: [Example.desktop])
        for width in [200, 80, 60, 40] {
            let lines = FoundList([result]).table(at: Example.present).lines(width: width).map(\.text)
            #expect(lines[0].contains("DEVICE") && lines[1].contains("deskt"), "\(lines)")
            #expect(lines.allSatisfy { CellWidth.of($0) <= width }, "\(lines)")
        }
    }

    /// A node whose results change once for each request, and that then closes the connection.
    private static func changing() throws -> FakeNode {
        let other = SearchResult(bare.thing, devices: [Example.desktop])
        return try FakeNode { request in
            guard let call = request as? WatchSearch, call.search == SearchItems("annual rep", most: 20)
            else {
                return nil
            }
            switch call.after {
            case nil: return .reply(SearchChanges(number: 1, [.other(report)], isWhole: true))
            case 1: return .reply(SearchChanges(number: 2, [.other(bare), .same(0)], isWhole: true))
            case 2: return .reply(SearchChanges(number: 3, [.same(1), .other(other)], isWhole: true))
            case 3: return .reply(SearchChanges(number: 4, [.same(1)], isWhole: true, corrected: "annual"))
            default: return nil
            }
        }
    }

    @Test
    func
        `search --watch reports new, changed and removed results, and continues after a restart of the node`()
        throws
    {
        let node = try Self.changing()
        let json = Typed(
            node, "search", "annual", "rep", "--watch", "--json", until: "\"lost\"}\n{\"event\":\"anew\"}")
        let lines = json.output.split(separator: "\n").map { $0.prefix(48) }
        #expect(
            lines.prefix(6) == [
                #"{"event":"anew"}"#, #"{"event":"came","place":1,"result":{"kind":"item""#.prefix(48),
                #"{"event":"came","place":1,"result":{"kind":"item""#.prefix(48),
                #"{"event":"changed","place":2,"result":{"kind":"item""#.prefix(48),
                #"{"event":"gone","result":{"kind":"item","app":"org.example.notes""#.prefix(48),
                #"{"event":"lost"}"#,
            ], "\(lines)")
        let plain = Typed(node, "search", "annual", "rep", "--watch", until: "gone\n“Annual")
        #expect(
            plain.output.split(separator: "\n").prefix(4) == [
                "“Annual report” (org.example.notes), here", "“m1” (org.example.mail)",
                "“m1” (org.example.mail), on desktop: changed",
                "“Annual report” (org.example.notes), here: gone",
            ], "\(plain)")
        #expect(
            plain.errors.hasPrefix("The node has stopped. Waiting until it is started again.\nAll results"))
        let drawn = Typed(
            node, "search", "annual", "rep", "--watch", width: 40, height: 3, until: "Showing…")
        for line in drawn.output.split(separator: "\n") {
            #expect(CellWidth.of(line.replacing(/\u{1b}\[[0-9]*[A-Za-z]|\r/, with: "")) <= 40)
        }
        #expect(drawn.output.contains("Nothing matches what you typed. Showing…"), "\(drawn)")
        var watch = SearchWatch(SearchItems("x", most: 1))
        _ = watch.begin()
        let changes = SearchChanges(number: 1, [.same(7)], isWhole: true)
        let unknown = try FakeAnswer.reply(changes).taken
        #expect(failure { () throws(LocalFailure) in try watch.receiveAnswer(unknown) }?.code == .failed)
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
        _ = Typed(node, "search", "--suggest", "--app", "org.example.notes", "re")
        #expect(
            node.calls.suffix(1).equals(SuggestSearches("re", most: 10, app: "org.example.notes")))
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

    @Test func `search fails without a word, and with a limit that is out of range`() throws {
        let node = try FakeNode { _ in .reply(SearchReply([], isWhole: true)) }
        #expect(Typed(node, "search").status == 2)
        for limit in ["0", "-1", "10001", "x", ""] {
            #expect(Typed(node, "search", "x", "--limit", limit).status == 2, "\(limit)")
        }
        #expect(
            Typed(node, "help", "search").output.contains(
                "Usage: baton search [--query QUERY] [--app APP] [--kind KIND] [--since WHEN]"))
        #expect(Typed(["search", "--home", node.folder.path, "--", "-x"]).status == 0)
        #expect(node.calls.equals(SearchItems("-x", most: 20)))
    }

    // MARK: Pages

    @Test func `results beyond one reply are fetched page by page`() throws {
        let node = try FakeNode { request in
            switch request {
            case is BeginSearch:
                .reply(SearchPage([Self.report], isLast: false, isWhole: true, corrected: "annual"))
            case is NextPage: .reply(SearchPage([Self.bare], isLast: true, isWhole: false))
            default: nil
            }
        }
        let json = Typed(node, "search", "anual", "--limit", "250", "--json")
        #expect(json.status == 0, "\(json)")
        let value = try JSON(reading: Array(json.output.utf8))
        #expect(value.keys == ["results", "complete", "corrected"])
        #expect(json.output.hasPrefix(#"{"results":[{"kind":"item","app":"org.example.notes""#))
        #expect(json.output.contains(#"},{"kind":"item","app":"org.example.mail""#))
        #expect(json.output.hasSuffix("],\"complete\":false,\"corrected\":\"annual\"}\n"))
        #expect(node.calls.equals(BeginSearch(1, words: SearchItems("anual", most: 250)), NextPage(1)))
        let typed = Typed(node, "search", "--query", "*", "--limit", "20000")
        #expect(typed.output.split(separator: "\n").count == 5, "\(typed)")
        let begun = try #require(node.calls.suffix(2).first as? BeginSearch)
        #expect(begun.query?.most == 20_000 && begun.order == .found && begun.words == nil)
        for words in [
            ["x", "--limit", "10001"], ["--query", "*", "--limit", "100001"],
            ["x", "--watch", "--limit", "101"],
            ["x", "--open", "--limit", "101"], ["x", "--limit", "0"],
        ] {
            #expect(Typed(["search"] + words + ["--home", node.folder.path]).status == 2, "\(words)")
        }
        let none = try FakeNode { _ in .reply(SearchPage([], isLast: true, isWhole: true)) }
        let empty = Typed(none, "search", "x", "--limit", "101", "--json")
        #expect(empty.output == "{\"results\":[],\"complete\":true,\"corrected\":null}\n")
    }

    @Test func `baton index state prints text as text, and other bytes as Base64`() throws {
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
