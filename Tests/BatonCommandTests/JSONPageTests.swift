import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

/// Compares the page about JSON with what is printed.
@Suite struct `The page about JSON` {
    private let page: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        page = try String(
            contentsOf: root.appendingPathComponent("Sources/BatonCommand/BatonCommand.docc/JSON.md"),
            encoding: .utf8)
    }

    /// The keys of an object on the page.
    private func keys(of thing: String) throws -> [String] {
        let section = try #require(page.split(separator: "### \(thing)\n").dropFirst().first)
        let lines = section.split(separator: "\n").prefix { !$0.hasPrefix("#") }
        return lines.filter { $0.hasPrefix("- ") }.flatMap { line in
            let head = line.split(separator: ":").first ?? line
            return head.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
    }

    /// The keys of a command on the page.
    private func keys(ofCommand command: String) throws -> [String] {
        let row = try #require(
            page.split(separator: "\n").first { line in
                line.hasPrefix("|") && line.split(separator: "|").first?.contains("`\(command)`") == true
            }, "\(command)")
        return row.split(separator: "|")[1].split(separator: "`", omittingEmptySubsequences: false)
            .enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The keys of the value that a command prints.
    private func printed(_ node: FakeNode, _ words: [String]) throws -> JSON {
        let typed = Typed(words + ["--json", "--home", node.folder.path])
        try #require(typed.status == 0, "\(typed)")
        return try JSON(reading: Array(typed.output.utf8))
    }

    @Test func `the page lists the keys of activities, devices, items and peers`() throws {
        #expect(try keys(of: "activity") == JSON(Example.summary()).keys)
        #expect(try keys(of: "device") == JSON(Example.laptop).keys)
        let found = SearchResult(.item(FoundItem(app: "a", index: "b", identifier: "c")))
        #expect(try keys(of: "result") == JSON(found).keys)
        #expect(try keys(of: "peer") == JSON(Example.peer()).keys)
        #expect(try keys(of: "handler") == HandlerPlanText.json(nil, trouble: .init(.failed, "")).keys)
    }

    @Test func `the page lists the keys that each command prints`() throws {
        let summary = Example.summary()
        let node = try FakeNode { request in
            switch request {
            case is ListActivities: .reply(ActivitiesReply([summary], isLast: true))
            case is DemandUnlocked: .reply(Done())
            case is ContinueActivity: .reply(ContinuedActivity(summary: summary, source: .app))
            case is SearchItems: .reply(SearchReply([], isWhole: true))
            case is FindItem:
                .reply(
                    SearchReply(
                        [SearchResult(.item(FoundItem(app: "a", index: "b", identifier: "c")))], isWhole: true
                    ))
            case is QueryItems: .reply(SearchReply([Example.drink("1", title: "Latte")], isWhole: true))
            case is ListFocuses:
                .reply(FocusesReply(FocusSettings([Focus("work", created: Example.now)])))
            case is SuggestSearches: .reply(SuggestionsReply([]))
            case is SuggestActivities:
                .reply(SuggestedActivitiesReply([Example.suggestion], after: "Annual report"))
            case is GetClientState: .reply(ClientStateReply(nil))
            case is GetStatus: .reply(Example.status([Example.peer()]))
            case is GetDigest: .reply(DigestReply.digest(StateDigest()))
            case is ListDevices: .reply(DevicesReply([Example.peer()]))
            case is ListAccounts: .reply(AccountsReply([]))
            case is GetSettings: .reply(Settings())
            default: .reply(summary)
            }
        }
        let commands: [(String, [String])] = [
            ("start", ["start", "x"]), ("update", ["update", "--title", "x"]), ("finish", ["finish"]),
            ("send", ["send", "desktop"]), ("list", ["list"]), ("show", ["show", "k3v"]),
            ("continue", ["continue"]), ("forget", ["forget", "k3v"]), ("handlers", ["handlers"]),
            ("search", ["search", "x"]), ("suggest", ["suggest"]),
            ("search --suggest", ["search", "--suggest", "x"]),
            ("link", ["link", "--item", "a", "c", "--index", "b"]),
            ("index state", ["index", "state", "a"]), ("status", ["status"]),
            ("status --digest", ["status", "--digest"]), ("devices", ["devices"]),
            ("accounts", ["accounts"]), ("version", ["version"]), ("private", ["private"]),
            ("show --entity", ["show", "--entity"]), ("find", ["find", "Drink"]), ("intents", ["intents"]),
            ("focus", ["focus"]), ("do --print", ["do", "--print", "order a latte"]),
        ]
        try IntentManifestFile.write(Example.cafe(), in: try node.home)
        for (command, words) in commands {
            #expect(try keys(ofCommand: command) == printed(node, words).keys, "\(command)")
        }
        let entity = try #require(try printed(node, ["find", "Drink"])["entities"]?.array?.first)
        #expect(try keys(of: "entity") == entity.keys)
        #expect(try printed(node, ["focus", "show", "work"]).keys == keys(of: "focus"))
        let suggestion = try #require(try printed(node, ["suggest"])["suggestions"]?.array?.first)
        #expect(try keys(of: "suggestion") == suggestion.keys)
        for reason in Example.suggestion.reasons.indices {
            let keys = try #require(suggestion["reasons"]?.array?[reason].keys)
            for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
        }
        #expect(try printed(node, ["settings"]).keys == Setting.allCases.map(\.rawValue) + ["apps"])
        let handlers = try #require(try printed(node, ["handlers"])["handlers"]?.array?.first?.keys)
        for key in handlers { #expect(page.contains("`\(key)`"), "\(key)") }
        #expect(handlers == ["type", "run", "as", "app", "from"])
    }

    @Test func `the page lists the lines of list --watch`() {
        for happening in [
            ActivityWatch.Happening.anew, .changed(Example.summary()), .gone(Example.summary()),
        ] {
            guard let name = JSON(happening)["event"]?.string, let keys = JSON(happening).keys else {
                return #expect(Bool(false), "\(happening)")
            }
            let line = page.split(separator: "\n").first { $0.hasPrefix("| `{\"event\": \"\(name)\"") }
            for key in keys { #expect(line?.contains("\"\(key)\":") == true, "\(name): \(key)") }
        }
    }
}
