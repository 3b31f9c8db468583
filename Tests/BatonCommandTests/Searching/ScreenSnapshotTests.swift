import BatonCore
import BatonTerminal
import ClientSupport
import Foundation
import Support
import Testing

@testable import BatonCommand

/// Compares the screens of the picker and the search with texts in `Snapshots` that a person has checked.
///
/// With BATON_SNAPSHOTS=write in the environment, the texts are written again. Looks are written as `␛[7m`.
@Suite struct `Snapshots of the screens` {
    // MARK: The scenes

    private static func summary(
        _ title: String, _ type: String, on device: String?, age: Int64,
        _ info: [PropertyValue: PropertyValue] = [:]
    ) -> ActivitySummary {
        var reference = device == nil ? Example.laptop : Example.desktop
        if let device { reference.name = device }
        var summary = Example.summary("id-of-" + title, device: reference, title: title, info: info)
        summary.activity = Activity(type: type, started: Example.now.advanced(by: .seconds(-age - 60)))
        (summary.activity.title, summary.activity.info) = (title, info)
        summary.activity.changed = Example.now.advanced(by: .seconds(-age))
        return summary
    }

    private static let summaries = [
        summary(
            "report.md", "org.baton.file", on: "desktop", age: 3,
            [.string("file"): .string("~/work/report.md"), .string("line"): .integer(42)]),
        summary(
            "make test — baton (main)", "org.baton.folder", on: "desktop", age: 120,
            [
                .string("folder"): .string("~/code/baton"), .string("command"): .string("make test"),
                .string("since"): .date(Double(Example.now.milliseconds) / 1000 - 200),
                .string("repository"): .dictionary([
                    .string("root"): .string("~/code/baton"), .string("branch"): .string("main"),
                    .string("remotes"): .array([.string("example.org/baton")]),
                ]),
            ]),
        summary(
            "Paxos made simple — lamport.org", "org.baton.web", on: "büro am Fenster", age: 4000,
            [.string("url"): .string("https://lamport.example/paxos#:~:text=The%20Paxos%20algorithm")]),
        summary("报告草稿：第三章 結論と今後の課題について述べる長い題名がここにある", "org.example.editing", on: "书房", age: 80_000),
        summary("مسودة التقرير", "org.example.editing", on: "مكتب", age: 90_000),
        summary("👩‍👩‍👧‍👦 holidays 🇨🇭 ✍🏽", "org.baton.clipboard", on: "🏠", age: 200_000),
        summary(
            "a title that is much longer than any terminal is wide, so that it has to be cut somewhere before its end, whatever the size of the window may be, and then some more",
            "org.baton.manual", on: "desktop", age: 9_000_000),
        summary("src (main)", "org.baton.folder", on: nil, age: 10, [.string("folder"): .string("~/src")]),
        summary("notes on reports", "org.example.notes", on: nil, age: 600),
    ]

    private static let results = [
        ("Annual report", "… the annual report of the year", "https://example.org/7"),
        ("Re\u{301}sume\u{301} of a report", "", "https://example.org/8"),
        ("年次報告書 report", "… 報告 report 書", ""), ("דוח report", "", ""),
    ].enumerated().map { place, texts in
        let (title, snippet, url) = texts
        let item = FoundItem(
            app: "org.example.notes", index: "main", identifier: "\(place)", title: title,
            url: url.isEmpty ? nil : url, indexed: Example.now.advanced(by: .seconds(Int64(-place) * 5000)))
        let finder = PhraseFinder(Phrase.all(of: "report"))
        return SearchResult(
            .item(item), devices: place == 1 ? [Example.desktop, Example.laptop] : [Example.desktop],
            snippet: snippet.isEmpty ? nil : Snippet(snippet, finder.ranges(in: snippet)))
    }

    private static let reply = SearchReply(results, isWhole: true)

    /// A picker with everything, after these keys.
    private static func picker(_ keys: Key..., isLost: Bool = false) throws -> Picker {
        var picker = try `The picker`.picker(summaries) { _ in
            .success(FilePreview(path: "/home/ada/work/report.md", text: text, line: 42))
        }
        for key in keys {
            _ = picker.press(key)
            for call in picker.takeCalls() where call.call is SearchItems {
                _ = try picker.receiveAnswer(`The picker`.answer(reply), for: call.purpose)
            }
        }
        if isLost { picker.handleLoss() }
        picker.prepare()
        return picker
    }

    private static let text = (1...60).map { number in
        number % 8 == 0 ? "" : "Line \(number) of the report, which says what happened in week \(number)."
    }.joined(separator: "\n")

    /// A search with all results, after these keys.
    private static func search(_ keys: Key..., isLost: Bool = false) -> LiveSearch {
        var live = LiveSearch()
        _ = live.press(.text("report"))
        _ = live.receiveReply(reply)
        for key in keys { _ = live.press(key) }
        if isLost { live.handleLoss() }
        return live
    }

    // MARK: The snapshots

    /// One of the screens, ready to be drawn at any size.
    private struct Scene {
        let name: String
        let draw: (Int, Int) -> (lines: [MarkedText], cursor: Int)

        init(_ name: String, _ picker: Picker) {
            (self.name, draw) = (name, { picker.screen(width: $0, height: $1, at: Example.present) })
        }

        init(_ name: String, _ live: LiveSearch) {
            (self.name, draw) = (name, { live.screen(width: $0, height: $1, at: Example.present) })
        }
    }

    private static var pickers: [Scene] {
        get throws {
            [
                Scene("the picker", try picker()),
                Scene("the picker, with a text that was typed", try picker(.text("repo"))),
                Scene("the picker, with a file's preview", try picker(.preview)),
                Scene("the picker, with a command's preview", try picker(.down, .preview)),
                Scene("the picker, with a page's preview", try picker(.down, .down, .preview)),
                Scene("the picker at its end", try picker(.pageDown, .down)),
                Scene("the picker without its node", try picker(isLost: true)),
            ]
        }
    }

    private static var searches: [Scene] {
        [
            Scene("the search", LiveSearch()), Scene("the search, with results", search(.down)),
            Scene("the search, with a preview", search(.preview)),
            Scene("the search without its node", search(isLost: true)),
        ]
    }

    private static func text(_ scenes: [Scene], width: Int, height: Int) -> String {
        scenes.map { scene in
            let lines = scene.draw(width, height).lines
            let looks = [false, true].map { isStyled in
                lines.map { $0.shown(isStyled: isStyled).text + "\n" }.joined()
            }
            return "# \(scene.name)\n" + looks.joined(separator: "\n")
        }.joined(separator: "\n").replacing("\u{1b}", with: "␛")
    }

    @Test(arguments: [(80, 24), (200, 50), (40, 12), (20, 5)])
    func `the screens match the snapshots`(width: Int, height: Int) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Snapshots")
        for (name, scenes) in [("picker", try Self.pickers), ("search", Self.searches)] {
            let file = folder.appendingPathComponent("\(name)-\(width)x\(height).txt")
            let text = Self.text(scenes, width: width, height: height)
            if ProcessInfo.processInfo.environment["BATON_SNAPSHOTS"] == "write" {
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
    }

    @Test(arguments: [(80, 24), (200, 50), (40, 12), (20, 5), (3, 2)])
    func `every screen has the given size, at most one chosen row, and no colours without style`(
        width: Int, height: Int
    ) throws {
        for scene in try Self.pickers + Self.searches {
            let (lines, cursor) = scene.draw(width, height)
            #expect(lines.count == height && cursor < width, "\(scene.name)")
            for line in lines {
                #expect(line.width < width, "\(scene.name): \(line.text.text)")
                #expect(!line.shown(isStyled: false).text.utf8.contains(0x1b))
            }
            #expect(lines.count { $0.shown(isStyled: true).text.contains("\u{1b}[7m") } <= 1, "\(scene.name)")
        }
    }
}
