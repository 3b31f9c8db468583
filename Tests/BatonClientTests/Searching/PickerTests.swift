import BatonCore
import Support
import Testing

@testable import BatonClient

/// The picker, key by key and answer by answer.
@Suite struct `The picker` {
    private static func summary(
        _ title: String, _ device: DeviceReference = Example.desktop, instance: String = "console",
        folder: String = "~/src"
    ) -> ActivitySummary {
        var summary = Example.summary(
            "id-of-" + title, device: device, title: title, info: [.string("folder"): .string(folder)])
        summary.instance = instance
        return summary
    }

    /// A picker to which the node has sent these activities.
    private static func picker(_ summaries: [ActivitySummary]) throws -> Picker {
        var picker = Picker(
            ownInstance: "own", search: { SearchItems($0, most: 5) }, handler: { _ in "goes there" })
        picker.handleReturn()
        #expect(picker.takeCalls().map(\.purpose) == [.list])
        let changes = ActivityChanges(number: 1, isAnew: true, changed: [], gone: [])
        _ = try picker.take(answer(changes), for: .list)
        #expect(picker.takeCalls().map(\.purpose) == [.list])
        _ = try picker.take(answer(ActivitiesReply(summaries, isLast: true)), for: .list)
        #expect(picker.takeCalls().map(\.purpose) == [.list], "it goes on watching")
        return picker
    }

    private static func answer(_ reply: some LocalReply) throws -> LocalAnswer {
        try LocalAnswer(reply.frame(number: 1))
    }

    private static func lines(_ picker: Picker, width: Int = 80, height: Int = 12) -> [String] {
        picker.screen(width: width, height: height, at: Example.present).lines.map(\.text.text)
    }

    private static func press(_ keys: [Key], _ picker: inout Picker) -> LiveStep<Picker.Choice> {
        keys.map { picker.press($0) }.last ?? .stay
    }

    @Test func `activities of other machines come first, and that of this shell not at all`() throws {
        let picker = try Self.picker([
            Self.summary("mine", Example.laptop, instance: "own"), Self.summary("here", Example.laptop),
            Self.summary("there"),
        ])
        let lines = Self.lines(picker)
        #expect(lines[1].hasPrefix("> there") && lines[1].contains("desktop, 3 minutes ago"), "\(lines)")
        #expect(lines[2].hasPrefix("  here"), "\(lines)")
        #expect(!lines.contains { $0.contains("mine") })
        #expect(lines.contains("~/src: goes there"), "\(lines)")
    }

    @Test func `in a narrow window the time stays, and titles from right to left keep their place`() throws {
        var office = Example.desktop
        office.name = "bureau au troisième étage"
        let picker = try Self.picker([Self.summary("A title of many words", office), Self.summary("דוח")])
        let narrow = Self.lines(picker, width: 40)
        #expect(narrow[1].contains("…, 3 minutes ago") && narrow[1].contains("bur"), "\(narrow)")
        let wide = Self.lines(picker)
        let mark = "\u{200e}"
        #expect(wide[2].hasPrefix("  \(mark)דוח\(mark)  ") && wide[2].hasSuffix("desktop, 3 minutes ago"))
        #expect(!wide[1].contains(mark) && CellWidth.of(wide[2]) == CellWidth.of(wide[1]), "\(wide)")
    }

    @Test func `every word counts, wherever it is and in whichever order`() throws {
        var picker = try Self.picker([
            Self.summary("report of the year"), Self.summary("baton (main)", folder: "~/code/baton"),
            Self.summary("other", Example.laptop),
        ])
        for (typed, first) in [
            ("year rep", "report of the year"), ("BATON desk", "baton (main)"), ("code", "baton (main)"),
            ("bmn", "baton (main)"), ("laptop", "other"),
        ] {
            _ = Self.press([.deleteToStart, .text(typed)], &picker)
            guard case .choose(.go(let summary)) = picker.press(.enter) else {
                Issue.record("\(typed) finds nothing")
                continue
            }
            #expect(summary.activity.title == first, "\(typed)")
        }
        _ = Self.press([.deleteToStart, .text("year zebra")], &picker)
        #expect(Self.lines(picker).last == "Nothing fits. Esc leaves.")
        if case .choose = picker.press(.enter) { Issue.record("nothing is chosen") }
    }

    @Test func `results stand below the activities, and only those of the present text`() throws {
        var picker = try Self.picker([Self.summary("report")])
        _ = picker.press(.text("re"))
        let first = try #require(picker.takeCalls().last)
        _ = picker.press(.text("p"))
        let second = try #require(picker.takeCalls().last)
        let item = FoundItem(
            app: "org.example.notes", index: "main", identifier: "1", title: "Found report",
            url: nil, indexed: Example.now)
        let reply = SearchReply([SearchResult(.item(item), devices: [], snippet: nil)], isWhole: true)
        _ = try picker.take(Self.answer(reply), for: first.purpose)
        #expect(!Self.lines(picker).contains { $0.contains("Found") }, "an answer for an earlier text")
        _ = try picker.take(Self.answer(reply), for: second.purpose)
        #expect(Self.lines(picker)[2].hasPrefix("  Found report"), "\(Self.lines(picker))")
        guard case .choose(.open(let result, of: let words)) = Self.press([.down, .enter], &picker) else {
            Issue.record("the result is not opened")
            return
        }
        #expect(result.thing.item?.identifier == "1" && words == "rep")
    }

    @Test func `a chosen row stays chosen when others come and go`() throws {
        var picker = try Self.picker(["a", "b", "c"].map { Self.summary($0) })
        _ = picker.press(.down)
        guard case .choose(.go(let chosen)) = picker.press(.enter) else {
            Issue.record("nothing is chosen")
            return
        }
        var new = Self.summary("new")
        new.activity.changed = Example.now
        let changes = ActivityChanges(number: 2, isAnew: false, changed: [new], gone: [])
        _ = try picker.take(Self.answer(changes), for: .list)
        guard case .choose(.go(let again)) = picker.press(.enter) else {
            Issue.record("nothing is chosen")
            return
        }
        #expect(again.identifier == chosen.identifier)
    }

    @Test func `an activity of this machine is sent to the machine that is chosen`() throws {
        var picker = try Self.picker([Self.summary("mine", Example.laptop), Self.summary("there")])
        _ = picker.takeCalls()
        _ = picker.press(.send)
        #expect(picker.takeCalls().isEmpty, "what goes on elsewhere can't be sent")
        _ = Self.press([.down, .send], &picker)
        #expect(picker.takeCalls().map(\.purpose) == [.devices])
        _ = try picker.take(Self.answer(DevicesReply([Example.peer()])), for: .devices)
        #expect(Self.lines(picker)[1] == "> desktop")
        _ = picker.press(.enter)
        let call = try #require(picker.takeCalls().first)
        #expect(call.purpose == .send(device: "desktop"))
        #expect((call.call as? SendActivity)?.target == .identifier("id-of-mine"))
        _ = try picker.take(Self.answer(Self.summary("mine", Example.laptop)), for: call.purpose)
        #expect(Self.lines(picker).last == "Sent to “desktop”.")
    }

    @Test func `keys hide, show and leave`() throws {
        var picker = try Self.picker([Self.summary("a")])
        _ = picker.press(.forget)
        #expect(picker.takeCalls().map(\.purpose) == [.forget])
        guard case .choose(.show) = picker.press(.show) else {
            Issue.record("it is not shown")
            return
        }
        for key in [Key.escape, .interrupt, .end] {
            guard case .leave = picker.press(key) else {
                Issue.record("\(key) does not leave")
                continue
            }
        }
        picker.handleLoss()
        #expect(Self.lines(picker).last?.hasPrefix("The node has stopped.") == true)
        picker.handleReturn()
        #expect(picker.takeCalls().first?.purpose == .list)
    }

    @Test(arguments: [80, 40, 10, 1])
    func `no text breaks the screen, however narrow`(width: Int) throws {
        let hostile = [
            "\u{1b}[31mred", "a\nb", "שלום עולם", "漢字かな交じり文の長い題名がここにある", "👩‍👩‍👧 family", "\u{202e}evil",
            String(repeating: "x", count: 500), "",
        ]
        var picker = try Self.picker(hostile.map { Self.summary($0, folder: "~/" + $0) })
        var generator = SeededGenerator(seed: 27)
        let keys: [Key] = [
            .up, .down, .pageDown, .text("a"), .text("漢"), .backspace, .send, .escape, .forget, .left, .toEnd,
        ]
        for _ in 0..<300 {
            _ = picker.press(generator.pick(keys))
            for height in [24, 8, 3, 1] {
                let (lines, cursor) = picker.screen(width: width, height: height, at: Example.present)
                #expect(lines.count == height && cursor >= 0 && cursor < max(width, 1))
                for line in lines {
                    #expect(line.width <= max(width - 1, 1), "\(line.text.text)")
                    #expect(!line.text.text.unicodeScalars.contains { $0.value < 0x20 })
                }
            }
        }
    }

    @Test func `a score prefers beginnings, and letters that only follow each other come last`() {
        let score = { (typed: String, text: String) in FuzzyWords(typed).score([text]) ?? 0 }
        #expect(score("bat", "baton") > score("bat", "my baton"))
        #expect(score("bat", "my baton") > score("bat", "acrobat"))
        #expect(score("bat", "acrobat") > score("bat", "b a t"))
        #expect(score("bat", "tab") == 0)
    }
}
