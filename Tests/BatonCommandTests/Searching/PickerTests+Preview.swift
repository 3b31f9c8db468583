import BatonCore
import BatonTerminal
import ClientSupport
import Support
import Testing

@testable import BatonCommand

/// The mouse, and the preview of the chosen row.
extension `The picker` {
    /// Clicks at a line of a screen of 80 × 24.
    private static func click(_ line: Int, _ picker: inout Picker) -> LiveStep<Picker.Choice> {
        picker.click(line: line, cell: 10, width: 80, height: 24, at: Example.present)
    }

    @Test func `a click chooses a row, and a second click at the same place continues it`() throws {
        var picker = try Self.picker(
            (10..<60).map { Self.summary("row \($0)") } + [Self.summary("mine", Example.laptop)])
        for _ in 0..<30 { _ = picker.press(.down) }
        for line in [0, 22, 23, 200] {
            if case .choose = Self.click(line, &picker) { Issue.record("\(line) is no row") }
        }
        let before = Self.lines(picker, height: 24)
        let line = 4
        if case .choose = Self.click(line, &picker) { Issue.record("it only chooses") }
        let after = Self.lines(picker, height: 24)
        #expect(after[line].hasPrefix("▌ ") && after[line].contains("row"), "\(after)")
        let rows = { (lines: [String]) in lines[1..<15].map { $0.filter { $0 != "▌" && $0 != " " } } }
        #expect(rows(before) == rows(after), "nothing moves")
        guard case .choose(.go(let summary)) = Self.click(line, &picker) else {
            Issue.record("nothing is chosen")
            return
        }
        #expect(after[line].contains(summary.activity.title ?? "no title"))
        // The wheel moves the choice, as far as there are rows.
        for _ in 0..<40 { _ = picker.press(.wheelDown) }
        #expect(Self.lines(picker, height: 24).contains { $0.hasPrefix("▌ * mine") })
        for _ in 0..<40 { _ = picker.press(.wheelUp) }
        let top = Self.lines(picker, height: 24)
        #expect(top[1] == "  other machines" && top[2].hasPrefix("▌ * row"), "\(top)")
    }

    @Test func `a click among devices chooses one, and a second click sends the activity`() throws {
        var picker = try Self.picker([Self.summary("mine", Example.laptop)])
        _ = picker.press(.send)
        var other = Example.peer()
        other.device.name = "nas"
        _ = try picker.receiveAnswer(Self.answer(DevicesReply([Example.peer(), other])), for: .devices)
        _ = picker.takeCalls()
        _ = Self.click(2, &picker)
        #expect(picker.takeCalls().isEmpty && Self.lines(picker)[2].hasPrefix("▌ nas "))
        _ = Self.click(2, &picker)
        #expect(picker.takeCalls().map(\.purpose) == [.send(device: "nas")])
    }

    @Test func `a preview opens and closes in the picker, and reads the file once for each chosen row`()
        throws
    {
        var file = Example.summary(
            "id-of-file", title: "report.md", info: [.string("file"): .string("~/report.md")])
        file.activity.type = "org.baton.file"
        file.activity.changed = Example.now
        let text = (1...40).map { "line \($0)\n" }.joined()
        var read: [String] = []
        var picker = try Self.picker([file, Self.summary("other")]) { summary in
            read.append(summary.identifier)
            return .success(FilePreview(path: "/home/a/report.md", text: text, line: 30))
        }
        picker.prepare()
        #expect(read.isEmpty, "it is closed")
        guard case .stay = picker.press(.preview) else {
            Issue.record("it leaves")
            return
        }
        for _ in 0..<3 { picker.prepare() }
        let below = Self.lines(picker, height: 24)
        #expect(below.contains("/home/a/report.md") && below.contains("▌30  line 30"), "\(below)")
        #expect(below.contains(" 31  line 31") && !below.contains(" 12  line 12"))
        let beside = Self.lines(picker, width: 120, height: 24)
        #expect(beside.contains { $0.hasSuffix(" │ ▌30  line 30") }, "\(beside)")
        #expect(beside[1].hasPrefix("▌ = report.md") && beside[1].hasSuffix(" │ /home/a/report.md"))
        _ = picker.press(.down)
        picker.prepare()
        #expect(Self.lines(picker, height: 24).contains("folder = ~/src"))
        _ = picker.press(.up)
        picker.prepare()
        #expect(read == ["id-of-file"])
        _ = picker.press(.preview)
        #expect(!Self.lines(picker, height: 24).contains("/home/a/report.md"))
    }

    @Test func `a preview shows a page's text, a command's state, or why a file is missing`() throws {
        var page = Example.summary("id-of-page", title: "A page")
        (page.activity.type, page.activity.webpage) = (
            "org.baton.web", "https://example.org/a#top:~:text=be-,the%20first,the%20l%C3%A4st,-after"
        )
        let shown = { (summary: ActivitySummary, file: Result<FilePreview, LocalFailure>?) in
            Preview(summary, file: file, at: Example.present).lines(width: 60, height: 12).map(\.text.text)
        }
        let pageLines = shown(page, nil)
        #expect(pageLines[0] == "“A page”" && pageLines[1] == "https://example.org/a#top", "\(pageLines)")
        #expect(pageLines[3] == "“the first … the läst”" && pageLines[5] == "device: desktop")
        var command = Example.summary(
            "id-of-command", title: "make — src",
            info: [
                .string("command"): .string("make test"), .string("folder"): .string("~/src"),
                .string("since"): .date(Double(Example.now.milliseconds) / 1000 - 120),
                .string("repository"): .dictionary([
                    .string("root"): .string("~/src"), .string("branch"): .string("main"),
                    .string("first"): .string(String(repeating: "ab", count: 20)),
                    .string("changed"): .boolean(true),
                ]),
            ])
        command.activity.type = "org.baton.folder"
        #expect(
            shown(command, nil).prefix(6) == [
                "make test", "folder: ~/src", "branch: main",
                "The repository has changes that are not committed.", "state: running for 2 minutes",
                "device: desktop",
            ])
        command.activity.info[.string("since")] = .date(-.infinity)
        #expect(shown(command, nil).contains("state: running for 10 minutes"), "when the activity began")
        var file = Example.summary("id-of-file", title: "a.txt", info: [.string("file"): .string("~/a.txt")])
        file.activity.type = "org.baton.file"
        let missing = shown(file, .failure(LocalFailure(.notFound, "It is not here.\nClone it.")))
        #expect(missing.prefix(4) == ["“a.txt”", "It is not here.", "Clone it.", "type: org.baton.file"])
    }
}
