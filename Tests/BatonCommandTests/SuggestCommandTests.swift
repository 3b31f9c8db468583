import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

/// `baton suggest` with a node that is acted.
@Suite struct `Suggesting on the command line` {
    private static func node(
        _ suggestions: [SuggestedActivity], after: String? = "Annual report"
    ) throws -> FakeNode {
        try FakeNode { request in
            switch request {
            case is SuggestActivities: .reply(SuggestedActivitiesReply(suggestions, after: after))
            case is ContinueActivity:
                .reply(ContinuedActivity(summary: Example.summary("b222222222"), source: .finished))
            default: nil
            }
        }
    }

    private static func typed(_ node: FakeNode, _ words: String...) -> Typed {
        Typed(["suggest"] + words + ["--home", node.folder.path])
    }

    @Test func `suggestions are listed with their kind, and explained with --why`() throws {
        var folder = Example.summary("b222222222", device: Example.laptop, title: "src (main)")
        folder.activity = Activity(type: WellKnownType.folder.rawValue, started: Example.now)
        folder.activity.title = "src (main)"
        let node = try Self.node([
            Example.suggestion,
            SuggestedActivity(folder, score: 0, reasons: [.often(times: 1, mostly: nil)]),
        ])
        let plain = Self.typed(node)
        #expect(plain.status == 0)
        let lines = plain.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3, "\(plain)")
        #expect(lines[1].contains("desktop") && lines[1].contains("Report"))
        #expect(lines[2].contains("here") && lines[2].contains("src (main)"))
        #expect(lines[2].contains(WellKnownType.folder.summary.split(separator: " ")[0]), "\(lines[2])")
        let explained = Self.typed(node, "--why").output
        #expect(
            explained.contains("\n  Usually follows “Annual report” (5 of 7 times); used 12 times here, "))
        #expect(explained.contains("mostly on weekday mornings; 9 of 12 times at about this time of day"))
        #expect(explained.contains("; 3 things from “desktop” were used here.\n"))
        #expect(explained.hasSuffix("\n  Used once here.\n"))
        #expect(node.calls.compactMap { ($0 as? SuggestActivities)?.most } == [5, 5])
    }

    @Test func `hostile titles are shown without control characters`() throws {
        var suggestion = Example.suggestion
        suggestion.summary.activity.title = "a\u{1b}[2Jb\n"
        suggestion.reasons = [.follows(times: 1, of: 3)]
        let output = Self.typed(try Self.node([suggestion], after: "x\u{1b}]0;y\u{7}"), "--why").output
        #expect(!output.utf8.contains(0x1b) && !output.utf8.contains(7))
        #expect(output.split(separator: "\n").count == 3)
    }

    @Test func `--nth continues the suggestion of that number, and refuses a number without a suggestion`()
        throws
    {
        var second = Example.suggestion
        second.summary.identifier = "b222222222"
        let node = try Self.node([Example.suggestion, second])
        let chosen = Self.typed(node, "--nth", "2", "--json")
        #expect(chosen.status == 0, "\(chosen)")
        #expect(
            node.calls.filter { $0 is ContinueActivity }.equals(
                ContinueActivity(.named("b222222222"), step: .fetch, type: "org.example.editing")))
        let missing = Self.typed(node, "--nth", "3")
        #expect(missing.status == 11)
        #expect(missing.errors.contains("There are 2 suggestions, so none has the number 3."))
        #expect(Self.typed(try Self.node([]), "--nth", "1").errors.contains("There are no suggestions yet."))
    }

    @Test func `wrong numbers and combinations are refused, and a missing suggestion is reported`() throws {
        let node = try Self.node([])
        for words in [["--limit", "0"], ["--limit", "21"], ["--nth", "x"], ["--nth", "1", "--why"]] {
            #expect(Typed(["suggest"] + words + ["--home", node.folder.path]).status == 2, "\(words)")
        }
        #expect(node.calls.isEmpty)
        #expect(Self.typed(node).output.hasPrefix("No suggestions yet."))
        #expect(Self.typed(node, "--limit", "20").status == 0)
        #expect(node.calls.compactMap { ($0 as? SuggestActivities)?.most } == [5, 20])
    }

    /// An action that an app has donated, with a type for which others are there, too.
    private static func donated(by app: String, type: String) -> SuggestedActivity {
        var summary = Example.summary("d222222222", device: Example.laptop, title: "Order $(reboot)\u{1b}[2J")
        (summary.app, summary.activity.type) = (app, type)
        summary.activity.info = [
            .string("file"): .string("-c"), .string("url"): .string("https://a.example/"),
        ]
        summary.donation = Donation("+!sh", in: nil, at: Example.now.advanced(by: .seconds(-300)))
        return SuggestedActivity(summary, score: 0, reasons: [.donated(summary.donation!.time)])
    }

    private static func node(
        _ suggestion: SuggestedActivity, apps: [AppRegistration]
    ) throws -> FakeNode {
        try FakeNode(apps: apps) { request in
            switch request {
            case is SuggestActivities: .reply(SuggestedActivitiesReply([suggestion], after: nil))
            case is ContinueActivity:
                .reply(ContinuedActivity(summary: suggestion.summary, source: .finished))
            default: nil
            }
        }
    }

    @Test(arguments: ["OrderSoupIntent", "org.baton.file", "org.baton.web", "$(reboot)", "-c\n"])
    func `a donated action goes only to the app that donated it, and never to a command`(
        type: String
    ) throws {
        let suggestion = Self.donated(by: "org.example.soup", type: type)
        let other = AppRegistration(AppName(app: "org.example.other", instance: "1"), types: ["*", type])
        let alone = Self.typed(try Self.node(suggestion, apps: [other]), "--nth", "1")
        #expect(alone.started.isEmpty, "\(alone)")
        #expect((alone.output + alone.errors).contains("Only org.example.soup can do this"), "\(alone)")
        let own = AppRegistration(AppName(app: "org.example.soup", instance: "7"), types: ["org.example.x"])
        let node = try Self.node(suggestion, apps: [other, own])
        let typed = Self.typed(node, "--nth", "1")
        #expect(typed.status == 0 && typed.started.isEmpty, "\(typed)")
        #expect(node.calls.compactMap { ($0 as? ContinueActivity)?.handler } == [own.name])
        let listed = Self.typed(node, "--why")
        #expect(listed.output.contains("\n  Done in org.example.soup "), "\(listed)")
        #expect(!(listed.output + typed.output).utf8.contains(0x1b))
    }
}
