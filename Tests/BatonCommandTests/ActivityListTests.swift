import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import ClientSupport
import Support
import Testing

@Suite struct `The list of activities` {
    private static func table(_ summaries: [ActivitySummary], width: Int? = 80, isStyled: Bool = false)
        -> [String]
    {
        ActivityList(summaries).table(at: Example.present).lines(width: width, isStyled: isStyled).map(\.text)
    }

    private static func summary(
        _ identifier: String, _ type: String, _ title: String?, info: [PropertyValue: PropertyValue] = [:]
    ) -> ActivitySummary {
        var summary = Example.summary(identifier, title: title, info: info)
        summary.activity.type = type
        return summary
    }

    @Test func `the KIND column has one word for what an activity is about`() {
        let summaries = [
            Self.summary("a234567", "org.baton.file", "Guide.md — baton (main)"),
            Self.summary("b234567", "org.baton.folder", "baton (main)"),
            Self.summary(
                "c234567", "org.baton.folder", "make — baton", info: [.string("command"): .string("make")]),
            Self.summary("d234567", "org.baton.web", "Swift.org"),
            Self.summary("e234567", "org.baton.manual", "ls(1)"),
            Self.summary("f234567", "org.baton.clipboard", "3 lines of text"),
            Self.summary("g234567", "org.example.editing", nil),
        ]
        #expect(
            Self.table(summaries) == [
                "ID       DEVICE   KIND     TITLE                    AGE",
                "a234567  desktop  file     Guide.md — baton (main)  3m",
                "b234567  desktop  folder   baton (main)             3m",
                "c234567  desktop  command  make — baton             3m",
                "d234567  desktop  page     Swift.org                3m",
                "e234567  desktop  manual   ls(1)                    3m",
                "f234567  desktop  copy     3 lines of text          3m",
                "g234567  desktop  app      org.example.editing      3m",
            ])
    }

    @Test func `at 80 columns a title of 50 characters is not cut`() {
        let title = "A title of as many words as people give to a thing"
        let lines = Self.table([Self.summary("a234567", "org.baton.file", title)])
        #expect(lines[1] == "a234567  desktop  file  \(title)  3m")
    }

    @Test func `on a terminal with colours secondary text is dim, and IDs and remarks are coloured`() {
        var here = Example.summary("a234567", device: Example.laptop)
        here.continuedOn = "desktop"
        #expect(
            Self.table([here, Example.summary("b234567")], isStyled: true) == [
                "\u{1b}[2mID\u{1b}[22m       \u{1b}[2mDEVICE\u{1b}[22m   \u{1b}[2mKIND\u{1b}[22m  "
                    + "\u{1b}[2mTITLE\u{1b}[22m   \u{1b}[2mAGE\u{1b}[22m",
                "\u{1b}[36ma234567\u{1b}[39m  \u{1b}[2mhere\u{1b}[22m     \u{1b}[2mapp\u{1b}[22m   Report  "
                    + "\u{1b}[2m3m\u{1b}[22m   \u{1b}[35mcontinued on desktop\u{1b}[39m",
                "\u{1b}[36mb234567\u{1b}[39m  desktop  \u{1b}[2mapp\u{1b}[22m   Report  \u{1b}[2m3m\u{1b}[22m",
            ])
    }

    private static func shell(_ identifier: String, _ folder: String) -> ActivitySummary {
        var summary = summary(
            identifier, "org.baton.folder", folder, info: [.string("folder"): .string(folder)])
        summary.instance = "prompt-\(identifier)"
        return summary
    }

    @Test func `baton list leaves idle shells out, except with --all or --json`() throws {
        let answer = [
            Self.shell("a234567", "~/src"), Self.shell("b234567", "~/src"), Self.shell("c234567", "~"),
        ]
        let changes = ActivityChanges(number: 1, isAnew: true, changed: [], gone: [])
        let node = try FakeNode { request in
            request is WatchActivities ? .reply(changes) : .reply(ActivitiesReply(answer, isLast: true))
        }
        let lines = Typed(node, "list").output.split(separator: "\n")
        #expect(lines.count == 2 && lines[1].hasPrefix("a234567"), "\(lines)")
        #expect(Typed(node, "list", "--all").output.split(separator: "\n").count == 4)
        let json = Typed(node, "list", "--json").output
        for summary in answer { #expect(json.contains(#""id":"\#(summary.identifier)""#)) }
        let words = Typed(["complete", "--", "--home", node.folder.path, "continue", ""]).output
        #expect(words == "words\na234567\t~/src\norg.baton.folder\ttype\n")
        let watched = Typed(node, "list", "--watch", width: 80, until: "a234567").output
        #expect(!watched.contains("b234567") && !watched.contains("c234567"), "\(watched)")
    }

    @Test func `baton list mentions shells in home folders if no other activity is current`() throws {
        let answer = [Self.shell("a234567", "~"), Self.shell("b234567", "~")]
        let node = try FakeNode { _ in .reply(ActivitiesReply(answer, isLast: true)) }
        #expect(
            Typed(node, "list").output
                == "Nothing is going on. There are 2 shells in home folders; see `baton list --all --home \(node.folder.path)`.\n"
        )
    }

    @Test
    func `an ambiguous title is refused with the devices and ages of the matching activities`()
        throws
    {
        var summaries = ["a234567", "b234567"].map { Example.summary($0, title: "a.txt") }
        for place in summaries.indices {
            summaries[place].activity.changed = LocalClock.now.advanced(by: .seconds(-3700 * (place + 1)))
        }
        let answer = summaries
        let node = try FakeNode { _ in .reply(ActivitiesReply(answer, isLast: true)) }
        let typed = Typed(node, "show", "a.txt")
        #expect(typed.status == 11)
        #expect(
            typed.errors
                == "baton: 2 activities have “a.txt” in their titles. Name one by its ID:\n"
                + "a234567 “a.txt” (desktop, 1h), b234567 “a.txt” (desktop, 2h)\n")
    }
}

@Suite struct `Short ages` {
    @Test(
        arguments: [
            (0, "now"), (4, "now"), (-60, "now"), (5, "5s"), (59, "59s"), (60, "1m"), (3599, "59m"),
            (3600, "1h"),
            (86_399, "23h"), (86_400, "1d"), (13 * 86_400, "13d"), (14 * 86_400, "2w"),
            (364 * 86_400, "52w"), (365 * 86_400, "1y"), (-61, "in 1m"), (-7200, "in 2h"),
        ] as [(Int64, String)])
    func `an age is a number with a one-letter unit, or “now”`(secondsAgo: Int64, text: String) {
        #expect(Example.now.advanced(by: .seconds(-secondsAgo)).shortAge(at: Example.now) == text)
    }
}
