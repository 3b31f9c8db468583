import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing
import baton

@Suite struct `Links to items and activities` {
    private let item = ContentLink.item(
        ItemName(app: "org.example.notes", index: "default", identifier: "garden/Roses & lilies"))

    @Test func `a link names an item or an activity in ASCII`() throws {
        #expect(try item.text() == "baton://item/org.example.notes/default/garden%2FRoses%20%26%20lilies")
        let activity = ContentLink.activity(
            app: "org.example.notes", type: "org.example.edit",
            property: LinkedProperty(.page, "https://a.example/?é"))
        #expect(
            try activity.text()
                == "baton://activity/org.example.notes/org.example.edit/page/https%3A%2F%2Fa.example%2F%3F%C3%A9"
        )
        #expect(
            try ContentLink("BATON://Item/a/b/c%2f")
                == .item(ItemName(app: "a", index: "b", identifier: "c/")))
    }

    @Test(arguments: 1...50) func `a link survives being written and read`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let parts = (0..<3).map { _ in generator.text(1...4) }
            let kinds = LinkedProperty.Kind.allCases
            let link: ContentLink =
                generator.chance(50)
                ? .item(ItemName(app: parts[0], index: parts[1], identifier: parts[2]))
                : .activity(
                    app: parts[0], type: parts[1], property: LinkedProperty(generator.pick(kinds), parts[2]))
            let isClean = parts.allSatisfy { part in
                !part.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" }
            }
            guard isClean else {
                #expect(failure { () throws(LocalFailure) in try link.text() }?.code == .usage)
                continue
            }
            let text = try link.text()
            #expect(text.utf8.allSatisfy { 0x21...0x7e ~= $0 && !"\"'`$&|;<>()*?!#\\{}[]".utf8.contains($0) })
            let read = try ContentLink(text)
            #expect(read == link)
            #expect(try read.text() == text, "another spelling of the same text")
        }
    }

    @Test(arguments: 1...50) func `a changed link is refused, or names exactly what its text says`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let text = Array(try item.text().utf8)
        for _ in 0..<100 {
            var changed = text
            for _ in 0...generator.number(0...2) {
                let place = generator.number(0...changed.count - 1)
                switch generator.number(0...2) {
                case 0: changed.remove(at: place)
                case 1: changed.insert(UInt8(generator.number(0...255)), at: place)
                default: changed[place] = UInt8(generator.number(0...255))
                }
            }
            let words = String(decoding: changed, as: UTF8.self)
            do throws(LocalFailure) {
                let read = try ContentLink(words)
                #expect(try ContentLink(read.text()) == read)
            } catch {
                #expect(error.code == .usage && !error.text.contains("\u{1b}"))
            }
        }
    }

    @Test(arguments: [
        "", "baton:", "baton://", "baton://item", "baton://item/a/b", "baton://item/a/b/c/d",
        "baton://item/a//c",
        "baton://other/a/b/c", "https://item/a/b/c", "javascript:alert(1)", "baton://item/a/b/$(reboot)",
        "baton://item/a/b/`reboot`", "baton://item/a/b/c;reboot", "baton://item/a/b/c d",
        "baton://item/a/b/c\n",
        "baton://item/a/b/%", "baton://item/a/b/%4", "baton://item/a/b/%zz", "baton://item/a/b/%00",
        "baton://item/a/b/%1b%5B2J", "baton://item/a/b/%0a", "baton://item/a/b/%ff",
        "baton://item/a/b/%E2%80%AE",
        "baton://item/a/b/\u{e9}", "baton://user@item/a/b/c", "baton://item:80/a/b/c",
        "baton://item/a/b/c?d=e",
        "baton://item/a/b/c#d", "baton://activity/a/b/c", "baton://activity/a/b/title/c",
        " baton://item/a/b/c",
        "--yes", "baton://item/a/b/" + String(repeating: "c", count: 1 << 20),
    ])
    func `a hostile or damaged link is refused, and its text is not printed`(text: String) throws {
        let failure = try #require(failure { () throws(LocalFailure) in try ContentLink(text) })
        #expect(failure.code == .usage && failure.text.utf8.count < 300)
        let typed = Typed(["open", "--", text])
        #expect(typed.status == 2 && typed.started.isEmpty && typed.output.isEmpty, "\(typed)")
        #expect(!typed.errors.contains("reboot") && typed.errors.utf8.count < 400)
    }

    // MARK: The commands

    /// A node with one activity that has ended, and one item with an address.
    private func node(_ activity: ActivitySummary, _ item: FoundItem?) throws -> FakeNode {
        try FakeNode { request in
            switch request {
            case let call as ListActivities:
                .reply(ActivitiesReply(call.extent == .finished ? [activity] : [], isLast: true))
            case is FindItem:
                .reply(SearchReply(item.map { [SearchResult(.item($0))] } ?? [], isWhole: true))
            case is ExplainItem:
                .reply(ExplanationReply([SearchExplanation(.shown, app: item?.app, index: item?.index)]))
            case is GetStatus: .reply(Example.status([]))
            case is OpenInApp: .failure(LocalFailure(.notFound, "not running"))
            case is CountOpening, is CountActivityOpening: .reply(IndexReply(passedOver: 0))
            default: .reply(ContinuedActivity(summary: activity, source: .finished))
            }
        }
    }

    private static let found = FoundItem(
        app: "org.example.notes", index: "main", identifier: "--yes $(reboot)", title: "Roses",
        url: "https://example.org/7")

    @Test func `an item's link opens its address if no app opens it`() throws {
        let node = try node(Example.summary(), Self.found)
        let link = "baton://item/org.example.notes/main/--yes%20%24%28reboot%29"
        let words = [
            "link", "--item", "--home", node.folder.path, "org.example.notes", "--", "--yes $(reboot)",
        ]
        #expect(Typed(words).output == link + "\n")
        let asked = Typed(node, "open", link)
        #expect(asked.status == 2 && asked.started.isEmpty && asked.errors.contains("--yes"))
        let typed = Typed(node, "open", link, "--yes")
        #expect(typed.started == [["xdg-open", "https://example.org/7"]] && typed.status == 0, "\(typed)")
        #expect(Typed(["link", "--json"] + words.dropFirst()).output == "{\"link\":\"\(link)\"}\n")
    }

    @Test func `opening a link to a deleted item reports that the item is gone`() throws {
        let typed = Typed(try node(Example.summary(), nil), "open", "baton://item/org.example.notes/main/x")
        #expect(typed.status == 11 && typed.errors.contains("“x” of org.example.notes is gone"), "\(typed)")
        let none = Typed(try node(Example.summary(), nil), "link", "--item", "org.example.notes", "x")
        #expect(none.status == 11 && none.output.isEmpty, "\(none)")
    }

    @Test func `an activity's link names its persistent identifier, else its target, else its page`() throws {
        var summary = Example.summary(title: "Draft", info: [.string("page"): .string("ls")])
        summary.activity.type = "org.baton.manual"
        summary.activity.webpage = nil
        let bare = Typed(try node(summary, nil), "link", summary.identifier)
        #expect(bare.status == 1 && bare.output.isEmpty)
        #expect(bare.errors.contains("has no link") && bare.errors.contains("persistentIdentifier"))
        for (kind, value) in [("page", "https://example.org/"), ("target", "note 7"), ("persistent", "p/1")] {
            switch kind {
            case "page": summary.activity.webpage = value
            case "target": summary.activity.targetContentIdentifier = value
            default: summary.activity.persistentIdentifier = value
            }
            let node = try node(summary, nil)
            let link = Typed(node, "link", summary.identifier).output
            #expect(link.hasPrefix("baton://activity/\(summary.app)/org.baton.manual/\(kind)/"), "\(link)")
            let typed = Typed(node, "open", String(link.dropLast()))
            #expect(typed.started == [["man", "--", "ls"]] && typed.status == 0, "\(typed)")
            let other = Typed(node, "open", link.dropLast() + "x")
            #expect(
                other.status == 11 && other.started.isEmpty && other.errors.contains("is gone"), "\(other)")
        }
    }

    @Test func `baton link refuses missing, empty and contradictory operands`() throws {
        for words in [
            ["link"], ["link", ""], ["link", "a", "b"], ["link", "a", "--item"],
            ["link", "a", "--index", "i"],
        ] {
            #expect(Typed(words).status == 2, "\(words)")
        }
    }
}
