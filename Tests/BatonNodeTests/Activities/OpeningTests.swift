import BatonCore
import BatonNode
import Support
import Testing

/// Items and searches that a person opens in a connected app.
@Suite struct `Opening in an app` {
    private static let notes = "org.example.notes"
    private static let item = AppOpening.item(ItemName(app: notes, index: "main", identifier: "note-7"))
    private static let search = AppOpening.search(app: notes, words: "annual report")

    /// An app that opens items and continues searches, and that listens for events.
    private static func app(
        _ node: RunningNode, _ instance: String = "1", of app: String = notes,
        taking types: [String] = [AppOpening.itemType, AppOpening.searchType]
    ) throws -> ActedApp {
        var acted = try ActedApp(node, app: app)
        let name = AppName(app: app, instance: instance)
        _ = try acted.ask(RegisterApp(AppRegistration(name, types: types, title: "Notes"))).get()
        try acted.listen()
        return acted
    }

    @Test func `a registered app opens an item, and continues a search`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var notes = try Self.app(node)
        for opening in [Self.item, Self.search] {
            var person = try ActedApp(node)
            let asked = try person.begin(OpenInApp(opening))
            guard case .opens(let number, instance: "1", opening) = try notes.event() else {
                return #expect(Bool(false), "the app was not asked to open it")
            }
            #expect(try notes.ask(ReportOpened(number)) == .success(Done()))
            #expect(try person.answer(to: asked).get().registration.title == "Notes")
            #expect(
                try node.refusal(of: ReportOpened(number)).code == .notFound, "only its own app confirms it")
            guard case .failure(let twice) = try notes.ask(ReportOpened(number)) else {
                return #expect(Bool(false), "it was confirmed twice")
            }
            #expect(twice.code == .notFound)
        }
    }

    @Test func `only an app of the given name that registered for exactly that type is asked to open`() throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.appOpeningTime = .seconds(60) }
        let none = try node.refusal(of: OpenInApp(Self.item))
        #expect(
            none.code == .notFound && none.text.contains("org.example.notes on this machine opens its items"))
        var mail = try Self.app(node, "other", of: "org.example.mail")
        var searching = try Self.app(node, "search", taking: [AppOpening.searchType])
        var all = try Self.app(node, "pattern", taking: ["*", "com.apple.*", "org.example.edit"])
        #expect(try node.refusal(of: OpenInApp(Self.item)) == none)
        for app in [
            "", "org.example.notes\u{0}", "ORG.EXAMPLE.NOTES", String(repeating: "x", count: 100_000),
        ] {
            let opening = AppOpening.item(ItemName(app: app, index: "", identifier: "note-7"))
            #expect(try node.refusal(of: OpenInApp(opening)).code == .notFound)
        }
        _ = (try mail.ask(GetSettings()), try searching.ask(GetSettings()), try all.ask(GetSettings()))
    }

    @Test func `an app that does not confirm in time is reported, and its late confirmation is refused`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.appOpeningTime = .milliseconds(50) }
        var slow = try Self.app(node)
        let failure = try node.refusal(of: OpenInApp(Self.item))
        #expect(failure.code == .failed && failure.text.contains("did not confirm within 0.05 seconds"))
        guard case .opens(let number, _, Self.item) = try slow.event() else {
            return #expect(Bool(false), "the app was not asked")
        }
        guard case .failure(let late) = try slow.ask(ReportOpened(number)) else {
            return #expect(Bool(false), "a late confirmation was accepted")
        }
        #expect(late.code == .notFound && late.text.contains("too late"))
        // An app that did not ask for events in time learns nothing of what nobody wants any more.
        #expect(try node.refusal(of: OpenInApp(Self.search)).code == .failed)
        let draft = try slow.start("Draft")
        let taken = try node.continued(ContinueActivity(.named(draft.identifier)))
        #expect(taken.summary.activity.title == "Draft")
        guard case .wasContinued = try slow.event() else {
            return #expect(Bool(false), "it heard of the search")
        }
    }

    @Test func `the newest instance is asked first, then the next one if it disconnects or does not confirm`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.appOpeningTime = .seconds(2) }
        var older = try Self.app(node, "older")
        var person = try ActedApp(node)
        let asked: ActedApp.Question<OpenInApp>
        do {
            var newer = try Self.app(node, "newer")
            asked = try person.begin(OpenInApp(Self.item))
            guard case .opens(_, instance: "newer", _) = try newer.event() else {
                return #expect(Bool(false), "the newer one was not asked first")
            }
            // It leaves without a confirmation.
        }
        guard case .opens(let number, instance: "older", Self.item) = try older.event() else {
            return #expect(Bool(false), "the older one was not asked")
        }
        _ = try older.ask(ReportOpened(number)).get()
        #expect(try person.answer(to: asked).get().registration.name.instance == "older")
    }

    @Test func `an app that disconnects while it is asked is reported as not running`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.appOpeningTime = .seconds(60) }
        let none = try node.refusal(of: OpenInApp(Self.item))
        var person = try ActedApp(node)
        let asked: ActedApp.Question<OpenInApp>
        do {
            var leaving = try Self.app(node)
            asked = try person.begin(OpenInApp(Self.item))
            guard case .opens = try leaving.event() else {
                return #expect(Bool(false), "the app was not asked")
            }
        }
        #expect(throws: none) { try person.answer(to: asked).get() }
    }

    @Test func `hostile names reach an app unchanged, and a full event queue refuses more`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try Self.app(node)
        let hostile = "\u{1b}]0;x\u{7}\n../../etc/passwd\u{202e}" + String(repeating: "é", count: 20_000)
        for opening in [
            AppOpening.item(ItemName(app: Self.notes, index: hostile, identifier: hostile)),
            .search(app: Self.notes, words: hostile), .search(app: Self.notes, words: ""),
        ] {
            var person = try ActedApp(node)
            let asked = try person.begin(OpenInApp(opening))
            guard case .opens(let number, _, let told) = try app.event() else {
                return #expect(Bool(false), "no event")
            }
            #expect(told == opening)
            _ = try app.ask(ReportOpened(number)).get()
            _ = try person.answer(to: asked).get()
        }
        var queue = AppEventQueue()
        let taken = (0...UInt64(AppEventQueue.most)).map { number in
            queue.append(.opens(number, instance: "1", Self.item))
        }
        #expect(taken.count { $0 } == AppEventQueue.most)
        queue.withdraw(opening: 0)
        let (isTaken, next) = (queue.append(.save(0, instance: "1")), queue.next())
        #expect(isTaken && next == .opens(1, instance: "1", Self.item))
    }
}
