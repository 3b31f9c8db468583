import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import ClientSupport
import Foundation
import Support
import Testing

/// Compares what people see, at two widths and in many scripts, with texts in `Snapshots` that a person has checked.
///
/// With BATON_SNAPSHOTS=write in the environment, the texts are written again.
@Suite struct `Snapshots of the command's output` {
    /// Titles that are difficult for columns, each with the name of a device.
    private static let titles = [
        ("Draft of the report", "desktop"), ("报告草稿：第三章 結論", "书房"), ("مسودة التقرير", "مكتب"),
        ("👩‍👩‍👧‍👦 holidays 🇨🇭 ✍🏽", "🏠"), ("Re\u{301}sume\u{301} Z\u{325}\u{30c}", "büro"), ("한국어 제목", "서재"),
        ("a\u{1b}[2J\r\nbaton: fake\u{202e}\u{7}", "x\u{9b}31m"), ("", "desktop"),
    ]

    private static func summaries(at now: WallTime) -> [ActivitySummary] {
        let ages: [Int64] = [3, 70, 200, 3700, 80_000, 90_000, 200_000, 9_000_000]
        return titles.enumerated().map { place, title in
            var device = Example.desktop
            device.name = title.1
            var summary = Example.summary(
                "\(place)k3v9q2mx7ab", device: place == 4 ? Example.laptop : device, title: title.0,
                info: [.string("file"): .string(title.0), .string("line"): .integer(42)])
            summary.activity.changed = now.advanced(by: .seconds(-ages[place]))
            summary.activity.started = summary.activity.changed
            if place == 0 { summary.isSentHere = true }
            if place == 1 { summary.continuedOn = title.1 }
            if place == 4 { summary.isPrivate = true }
            if place == 5 { summary.isForgotten = true }
            return summary
        }
    }

    /// Everything that is printed about them, in paragraphs.
    private static func text(width: Int) -> String {
        let summaries = summaries(at: Example.now)
        var paragraphs = [ActivityList(summaries).table(at: Example.present).lines(width: width)]
        paragraphs.append(
            summaries.compactMap { ActivityList.line(.changed($0)) }
                + summaries.compactMap { ActivityList.line(.gone($0)) })
        for (place, source) in [ContinuedActivity.Source.node, .replica, .app, .finished].enumerated() {
            var continued = ContinuedActivity(summary: summaries[place * 2], source: source)
            if source == .finished {
                continued.summary.activity.finished = continued.summary.activity.changed
            } else {
                continued.summary.app = "org.example.editor"
            }
            let text = ContinuedText(continued, took: .microseconds(4100))
            paragraphs += [text.lines(at: Example.present), [text.line(at: Example.present)]]
        }
        for summary in summaries { paragraphs.append(ActivityText(summary).lines(at: Example.present)) }
        return paragraphs.map { $0.map { $0.text + "\n" }.joined() }.joined(separator: "\n")
    }

    @Test(arguments: [80, 40]) func `lists and details of activities match the snapshots`(width: Int) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Snapshots")
        let file = folder.appendingPathComponent("activities-\(width).txt")
        let text = Self.text(width: width)
        if ProcessInfo.processInfo.environment["BATON_SNAPSHOTS"] == "write" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test(arguments: [80, 60, 40, 20]) func `no line of a table is wider than the terminal`(width: Int) {
        let lines = ActivityList(Self.summaries(at: Example.now)).table(at: Example.present).lines(
            width: width)
        #expect(lines.count == Self.titles.count + 1)
        for line in lines { #expect(line.width <= width, "\(line.text)") }
    }

    @Test func `output has no control characters and no colours`() throws {
        let answer = Self.summaries(at: Example.now)
        let node = try FakeNode { request in
            switch request {
            case is ListActivities: .reply(ActivitiesReply(answer, isLast: true))
            case is ContinueActivity: .reply(ContinuedActivity(summary: answer[6], source: .replica))
            default: .reply(answer[6])
            }
        }
        for words in [
            ["list"], ["list", "--all"], ["list", "--json"], ["continue"], ["continue", "--json"],
            ["show", "6k3v"], ["send", "x"], ["forget", "6k3v"],
        ] {
            let typed = Typed(words + ["--home", node.folder.path], width: 80)
            #expect(typed.status == 0, "\(typed)")
            let seen = (typed.output + typed.errors).unicodeScalars.allSatisfy { scalar in
                scalar == "\n"
                    || scalar.value >= 0x20 && !(0x7f..<0xa0 ~= scalar.value) && scalar != "\u{202e}"
            }
            #expect(seen, "\(typed)")
        }
    }
}
