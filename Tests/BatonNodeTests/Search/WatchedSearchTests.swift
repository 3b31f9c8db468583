import BatonCore
import BatonNode
import Glibc
import Support
import Testing

/// Searches whose changes are told, and searches that are limited or given up.
@Suite struct `Watching a search` {
    private static let notes = ClientStateName(app: "org.example.notes", index: "main")

    private static func note(
        _ identifier: String, _ title: String, text: String? = nil, type: String? = nil,
        expires: WallTime? = nil
    ) -> IndexChange {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string(title))
        if let text { attributes[.textContent] = .plain(.string(text)) }
        if let type { attributes[.contentType] = .plain(.string(type)) }
        return .item(identifier, Item(expiration: expires, attributes: attributes))
    }

    private static var now: WallTime { WallTime(milliseconds: Int64(time(nil)) * 1000) }

    private static func index(_ node: RunningNode, _ changes: IndexChange...) throws {
        _ = try node.ask(ChangeIndex(notes, changes)).get()
    }

    private static func watch(_ text: String, after number: UInt64? = nil) -> WatchSearch {
        WatchSearch(SearchItems(text, most: 10), after: number)
    }

    @Test func `a watcher gets the results, and then new, changed and removed results`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.watchedSearchPause = .milliseconds(20) }
        try Self.index(node, Self.note("1", "Annual report"))
        var app = try ActedApp(node)
        let first = try app.ask(Self.watch("report")).get()
        #expect(first.isWhole && first.entries.map(\.title) == ["Annual report"])

        var next = try app.begin(Self.watch("report", after: first.number))
        try Self.index(node, Self.note("9", "Recipe"))
        try Self.index(node, Self.note("2", "Report"))
        let second = try app.answer(to: next).get()
        #expect(second.number > first.number)
        #expect(second.entries.map(\.title) == ["Report", nil] && second.entries.last == .same(0))

        next = try app.begin(Self.watch("report", after: second.number))
        try Self.index(node, Self.note("1", "Annual report", text: "A report."))
        let third = try app.answer(to: next).get()
        #expect(third.entries.count == 2 && third.entries.contains(.same(0)))
        #expect(third.entries.compactMap(\.title) == ["Annual report"], "it has changed")

        next = try app.begin(Self.watch("report", after: third.number))
        try Self.index(node, .deletion("2"))
        let fourth = try app.answer(to: next).get()
        #expect(fourth.entries.count == 1)
        // A number of other results, or of another search, is not known.
        let anew = try app.ask(Self.watch("report", after: first.number)).get()
        #expect(anew.entries.map(\.title) == ["Annual report"])
        #expect(
            try app.ask(Self.watch("recipe", after: anew.number)).get().entries.map(\.title) == ["Recipe"])
    }

    @Test func `a change made between two requests of a watcher is reported by the next one`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.watchedSearchPause = .milliseconds(20) }
        var app = try ActedApp(node)
        let first = try app.ask(Self.watch("report")).get()
        #expect(first.entries.isEmpty)
        try Self.index(node, Self.note("1", "Report"))
        let second = try app.ask(Self.watch("report", after: first.number)).get()
        #expect(second.entries.map(\.title) == ["Report"])
    }

    @Test func `an expired item is removed from a watched search although nothing is written`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.watchedSearchRefresh = .seconds(3600) }
        try Self.index(
            node, Self.note("1", "Report", expires: Self.now.advanced(by: .seconds(3))),
            Self.note("2", "Report of the year"))
        var app = try ActedApp(node)
        let first = try app.ask(Self.watch("report")).get()
        #expect(first.entries.count == 2)
        let second = try app.ask(Self.watch("report", after: first.number)).get()
        #expect(second.entries.count == 1)
        // An activity goes when it expires, too.
        var editor = try ActedApp(node)
        let expiration = presentTime.advanced(by: .seconds(1))
        try editor.start("Report draft") { ($0.eligibility, $0.expiration) = (.search, expiration) }
        try editor.finish()
        let third = try app.ask(Self.watch("report", after: second.number)).get()
        #expect(third.entries.count == 2)
        let fourth = try app.ask(Self.watch("report", after: third.number)).get()
        #expect(fourth.entries.count == 1)
    }

    @Test func `a watched activity is removed after the item that it belongs to has expired`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) {
            ($0.watchedSearchPause, $0.watchedSearchRefresh) = (.milliseconds(20), .milliseconds(50))
        }
        try Self.index(node, Self.note("1", "Invoice", expires: Self.now.advanced(by: .seconds(3))))
        var editor = try ActedApp(node, app: Self.notes.app)
        try editor.start("Report") { change in
            var attributes = AttributeSet()
            attributes[.relatedUniqueIdentifier] = .plain(.string("1"))
            (change.eligibility, change.attributes) = (.search, attributes)
        }
        try editor.finish()
        var app = try ActedApp(node)
        let first = try app.ask(Self.watch("report")).get()
        #expect(first.entries.count == 1)
        #expect(try app.ask(Self.watch("report", after: first.number)).get().entries.isEmpty)
    }

    @Test
    func `hiding an activity or turning an app off removes results immediately, and undoing it adds them`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.watchedSearchRefresh = .seconds(3600) }
        try Self.index(node, Self.note("1", "Annual report"))
        var editor = try ActedApp(node, app: "org.example.edit")
        try editor.start("Report draft") { $0.eligibility = [.handoff, .search] }
        try editor.finish()
        let found = try node.ask(SearchItems("report", most: 5)).get().results
        let draft = try #require(found.compactMap(\.thing.activity?.identifier).first)
        var app = try ActedApp(node)
        var known = try app.ask(Self.watch("report")).get()
        #expect(known.entries.count == 2)
        let search = AppSwitchName(.search, of: Self.notes.app).text
        let steps: [(count: Int, change: () throws -> Void)] = [
            (1, { _ = try node.ask(ForgetActivity(draft, everywhere: false)).get() }),
            (0, { _ = try node.ask(ChangeSetting(search, to: 0)).get() }),
            (1, { _ = try node.ask(UnforgetActivity(draft)).get() }),
            (2, { _ = try node.ask(ChangeSetting(search, to: nil)).get() }),
        ]
        for step in steps {
            let next = try app.begin(Self.watch("report", after: known.number))
            try step.change()
            known = try app.answer(to: next).get()
            #expect(known.entries.count == step.count)
        }
    }

    @Test func `while items are indexed constantly, a watched search is repeated at a limited rate`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.watchedSearchPause = .seconds(60) }
        var app = try ActedApp(node)
        let first = try app.ask(Self.watch("report")).get()
        let next = try app.begin(Self.watch("report", after: first.number))
        for number in 0..<50 { try Self.index(node, Self.note("\(number)", "Report \(number)")) }
        // The pause is long, so nothing is told; a plain search finds everything at once.
        #expect(try node.find("report", most: 100).count == 50)
        _ = try app.ask(GetSettings()).get()
        let isTold = app.hasAnswer(to: next)
        #expect(!isTold)
        // Another watcher's first search does not wait for the pause, and finds everything.
        var other = try ActedApp(node)
        #expect(try other.ask(Self.watch("report")).get().entries.count == 10)
    }

    @Test func `watches end with their connection, and one watch beyond the limit ends the oldest`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try ActedApp(node)
        var questions: [ActedApp.Question<WatchSearch>] = []
        for number in 0..<9 {
            let first = try app.ask(Self.watch("word\(number)")).get()
            questions.append(try app.begin(Self.watch("word\(number)", after: first.number)))
        }
        guard case .failure(let failure) = try app.answer(to: questions[0]) else {
            return #expect(Bool(false), "the oldest watch goes on")
        }
        #expect(failure.code == .quota)
        try Self.index(node, Self.note("1", "word8"))
        #expect(try app.answer(to: questions[8]).get().entries.map(\.title) == ["word8"])
    }

    @Test func `if each search replaces the earlier ones, the last search is answered`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        try Self.index(node, Self.note("1", "Report"))
        var app = try ActedApp(node)
        for _ in 0..<20 {
            let earlier = try "repor".indices.map { end in
                try app.begin(SearchItems(String("report"[...end]), most: 5, replacesEarlier: true))
            }
            let last = try app.begin(SearchItems("report", most: 5, replacesEarlier: true))
            #expect(try app.answer(to: last).get().results.count == 1)
            for question in earlier {
                switch try app.answer(to: question) {
                case .success(let reply): #expect(reply.results.count == 1)
                case .failure(let failure): #expect(failure.text.contains("cancelled"), "\(failure)")
                }
            }
        }
        // Searches of other connections go on.
        #expect(try node.find("rep").count == 1)
    }

    @Test func `results show the searched words in their text, and are filtered by app, kind and time`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let before = Self.now.advanced(by: .seconds(-60))
        try Self.index(
            node, Self.note("1", "Holiday", text: "Pictures of the sea", type: "public.jpeg"),
            Self.note("2", "Sea", type: "public.text"))
        let found = try node.ask(SearchItems("sea", most: 5)).get().results
        #expect(found.map(\.snippet) == [nil, Snippet("Pictures of the sea", [16..<19])])
        #expect(found.map { $0.devices.map(\.name) } == [["first"], ["first"]])
        func titles(_ filter: SearchFilter) throws -> [String] {
            let words = try node.ask(SearchItems("sea", most: 5, filter: filter)).get().results
            let present = PresentTime(Self.now) { _ in 0 }
            let query = try node.ask(
                QueryItems(#"** == "*sea*"cd"#, filter: filter, most: 5, at: present)
            ).get().results
            #expect(Set(words.compactMap(\.thing.title)) == Set(query.compactMap(\.thing.title)))
            return words.compactMap(\.thing.title)
        }
        #expect(try titles(SearchFilter(kind: .contentType("PUBLIC.JPEG"))) == ["Holiday"])
        #expect(try titles(SearchFilter(kind: .contentType("public.image"))).isEmpty)
        #expect(try titles(SearchFilter(app: "org.example.notes", kind: .item)).count == 2)
        #expect(try titles(SearchFilter(app: "org.example")).isEmpty)
        #expect(try titles(SearchFilter(kind: .activity)).isEmpty)
        #expect(try titles(SearchFilter(since: before)).count == 2)
        #expect(try titles(SearchFilter(since: Self.now.advanced(by: .seconds(60)))).isEmpty)
    }
}

extension SearchChanges.Entry {
    /// The title of a result that is sent whole.
    var title: String? {
        if case .other(let result) = self { result.thing.title } else { nil }
    }
}
