import BatonCore
import BatonTerminal
import ClientSupport
import Support
import Testing

@testable import BatonCommand

/// The picker, key by key and answer by answer.
@Suite struct `The picker` {
    static func summary(
        _ title: String, _ device: DeviceReference = Example.desktop, instance: String = "console",
        folder: String = "~/src"
    ) -> ActivitySummary {
        var summary = Example.summary(
            "id-of-" + title, device: device, title: title, info: [.string("folder"): .string(folder)])
        summary.instance = instance
        return summary
    }

    /// A picker to which the node has sent these activities.
    static func picker(
        _ summaries: [ActivitySummary], among: Set<String>? = nil,
        read: @escaping (ActivitySummary) -> Result<FilePreview, LocalFailure> = { _ in
            .failure(LocalFailure(.notFound, "It is not here.\nClone it."))
        }, continues: @escaping (ActivitySummary) -> Bool = { _ in true }
    ) throws -> Picker {
        var picker = Picker(
            ownInstance: "own", among: among, search: { SearchItems($0, most: 5) },
            handler: { _ in "goes there" }, continues: continues, read: read)
        picker.handleReturn()
        let purposes: [Picker.Purpose] = among == nil ? [.list, .suggest] : [.list]
        #expect(picker.takeCalls().map(\.purpose) == purposes, "the list is asked for first")
        let changes = ActivityChanges(number: 1, isAnew: true, changed: [], gone: [])
        _ = try picker.receiveAnswer(answer(changes), for: .list)
        #expect(picker.takeCalls().map(\.purpose) == [.list])
        _ = try picker.receiveAnswer(answer(ActivitiesReply(summaries, isLast: true)), for: .list)
        #expect(picker.takeCalls().map(\.purpose) == [.list], "it goes on watching")
        return picker
    }

    static func answer(_ reply: some LocalReply) throws -> LocalAnswer {
        try LocalAnswer(reply.frame(number: 1))
    }

    static func lines(_ picker: Picker, width: Int = 80, height: Int = 12) -> [String] {
        picker.screen(width: width, height: height, at: Example.present).lines.map(\.text.text)
    }

    private static func press(_ keys: [Key], _ picker: inout Picker) -> LiveStep<Picker.Choice> {
        keys.map { picker.press($0) }.last ?? .stay
    }

    @Test func `activities of other machines come first, and the activity of this shell is not listed`()
        throws
    {
        let picker = try Self.picker([
            Self.summary("mine", Example.laptop, instance: "own"), Self.summary("here", Example.laptop),
            Self.summary("there"),
        ])
        let lines = Self.lines(picker)
        #expect(lines[0].hasPrefix("> ") && lines[0].hasSuffix("  2 activities"), "\(lines)")
        #expect(lines[1].hasPrefix("▌ * there") && lines[1].hasSuffix("desktop  3m"), "\(lines)")
        #expect(lines[2].hasPrefix("  * here") && lines[2].hasSuffix("here     3m"), "\(lines)")
        #expect(!lines.contains { $0.contains("mine") })
        #expect(lines.contains("~/src: goes there"), "\(lines)")
    }

    @Test func `idle shells in one folder are one row, and idle shells in the home folder are no row`() throws
    {
        func shell(_ title: String, folder: String) -> ActivitySummary {
            var summary = Self.summary(title, instance: "prompt-\(title)", folder: folder)
            summary.activity.type = "org.baton.folder"
            return summary
        }
        let picker = try Self.picker([
            shell("src1", folder: "~/src"), shell("src2", folder: "~/src"), shell("home", folder: "~"),
        ])
        let lines = Self.lines(picker)
        #expect(lines.count { $0.contains("src1") || $0.contains("src2") } == 1, "\(lines)")
        #expect(!lines.contains { $0.contains("home") }, "\(lines)")
    }

    @Test func `given activities are the only rows, without search results and suggestions`()
        throws
    {
        let summaries = ["a", "b", "ab"].map { Self.summary($0) }
        var picker = try Self.picker(summaries, among: ["id-of-a", "id-of-ab"])
        let lines = Self.lines(picker)
        #expect(lines.count { $0.contains("desktop") && $0.hasSuffix("3m") } == 2, "\(lines)")
        #expect(!lines.contains { $0.contains("* b ") }, "\(lines)")
        _ = picker.press(.text("b"))
        #expect(picker.takeCalls().isEmpty)
        #expect(Self.lines(picker)[1].hasPrefix("▌ * ab"), "\(Self.lines(picker))")
        picker.handleReturn()
        #expect(picker.takeCalls().map(\.purpose) == [.list])
    }

    @Test func `a narrow window still shows ages, and right-to-left titles stay in their column`() throws {
        var office = Example.desktop
        office.name = "bureau au troisième étage"
        let picker = try Self.picker([Self.summary("A title of many words", office), Self.summary("דוח")])
        let narrow = Self.lines(picker, width: 40)
        #expect(narrow[1].hasSuffix("bureau…  3m"), "\(narrow)")
        let wide = Self.lines(picker)
        let mark = "\u{200e}"
        #expect(wide[2].hasPrefix("  * \(mark)דוח\(mark)  ") && wide[2].hasSuffix("  3m"))
        #expect(!wide[1].contains(mark) && CellWidth.of(wide[2]) == CellWidth.of(wide[1]), "\(wide)")
    }

    private static func suggestion(
        _ summary: ActivitySummary, _ score: Double, times: Int = 7
    ) -> SuggestedActivity {
        SuggestedActivity(summary, score: score, reasons: [.follows(times: times, of: 9)])
    }

    private static func suggest(_ suggestions: [SuggestedActivity], _ picker: inout Picker) throws {
        let reply = SuggestedActivitiesReply(suggestions, after: "mail")
        _ = try picker.receiveAnswer(answer(reply), for: .suggest)
    }

    @Test func `a likely suggestion is the first row until the person types, and its preview says why`()
        throws
    {
        var picker = try Self.picker(["a", "b"].map { Self.summary($0) })
        try Self.suggest(
            [Self.suggestion(Self.summary("b"), 0), Self.suggestion(Self.summary("a"), -2)], &picker)
        let lines = Self.lines(picker)
        #expect(lines[1].hasPrefix("▌ * b") && lines[1].hasSuffix("desktop  suggested"), "\(lines)")
        #expect(lines[2].hasPrefix("  * a") && lines[3].isEmpty, "once only: \(lines)")
        #expect(lines.contains("Usually follows “mail” (7 of 9 times)."), "\(lines)")
        #expect(Self.lines(picker, width: 40)[1].hasSuffix("  suggested"))
        guard case .choose(.go(let summary)) = picker.press(.enter) else {
            Issue.record("it is not chosen")
            return
        }
        #expect(summary.identifier == "id-of-b")
        _ = picker.press(.text("a"))
        #expect(Self.lines(picker)[1].hasPrefix("▌ * a") && !Self.lines(picker)[1].contains("suggested"))
        _ = picker.press(.deleteToStart)
        #expect(Self.lines(picker)[1].contains("suggested"), "it is there again without words")
        // Once it has ended, nothing of it is left.
        let gone = ActivityChanges(number: 2, isAnew: false, changed: [], gone: ["id-of-b"])
        _ = try picker.receiveAnswer(Self.answer(gone), for: .list)
        #expect(!Self.lines(picker).contains { $0.contains("suggested") })
    }

    @Test func `an activity is suggested only if it can continue here and is not current here`() throws {
        let own = Self.summary("own", Example.laptop)
        var picker = try Self.picker([own, Self.summary("strange")], continues: { $0.title != "strange" })
        try Self.suggest([Self.suggestion(own, 2), Self.suggestion(Self.summary("strange"), 1)], &picker)
        #expect(!Self.lines(picker).contains { $0.contains("suggested") }, "\(Self.lines(picker))")
        var ended = Self.summary("ended", Example.laptop)
        ended.activity.finished = Example.now
        let all = [own, Self.summary("strange"), ended].map { Self.suggestion($0, 1) }
        try Self.suggest(all, &picker)
        let line = Self.lines(picker)[1]
        #expect(line.hasPrefix("▌ * ended") && line.hasSuffix("suggested"), "the others don't count: \(line)")
    }

    @Test func `a late suggestion, or one hardly likelier than others, moves no row`() throws {
        var picker = try Self.picker(["a", "b"].map { Self.summary($0) })
        let before = Self.lines(picker)
        let close = [0, -0.1, -0.2].map { Self.suggestion(Self.summary("b"), $0) }
        try Self.suggest(close, &picker)
        #expect(Self.lines(picker) == before, "the chance is about a third")
        try Self.suggest([], &picker)
        _ = try picker.receiveAnswer(
            LocalAnswer(LocalAnswer.frame(LocalFailure(.storage, "broken"), number: 1)), for: .suggest)
        #expect(Self.lines(picker) == before)
        _ = picker.press(.down)
        let chosen = Self.lines(picker)
        try Self.suggest([Self.suggestion(Self.summary("b"), 0)], &picker)
        #expect(Self.lines(picker) == chosen, "a key was pressed before")
        // After the node was away, nothing is suggested to a person who is choosing.
        picker.handleReturn()
        #expect(picker.takeCalls().map(\.purpose) == [.list])
    }

    @Test func `a suggested activity that has ended is added as a row, can't be sent, and can be hidden`()
        throws
    {
        var picker = try Self.picker([Self.summary("a")])
        var ended = Self.summary("\u{1b}[2Jb\n", Example.laptop)
        ended.activity.finished = Example.now
        try Self.suggest([Self.suggestion(ended, 0)], &picker)
        let lines = Self.lines(picker)
        #expect(lines[1].contains("here     suggested") && lines[2].hasPrefix("  * a"), "\(lines)")
        #expect(!lines.joined().utf8.contains(0x1b))
        _ = picker.takeCalls()
        _ = picker.press(.send)
        #expect(
            picker.takeCalls().isEmpty
                && Self.lines(picker).last == "Only activities of this machine can be sent.")
        _ = picker.press(.forget)
        #expect(picker.takeCalls().map(\.purpose) == [.forget])
        #expect(Self.lines(picker)[1].hasPrefix("▌ * a"))
    }

    @Test func `every typed word must match, anywhere and in any order`() throws {
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
        #expect(Self.lines(picker).last == "Nothing matches. Esc leaves.")
        if case .choose = picker.press(.enter) { Issue.record("nothing is chosen") }
    }

    @Test func `search results are listed below the activities, and results for an earlier text are ignored`()
        throws
    {
        var picker = try Self.picker([Self.summary("report")])
        _ = picker.press(.text("re"))
        let first = try #require(picker.takeCalls().last)
        _ = picker.press(.text("p"))
        let second = try #require(picker.takeCalls().last)
        let item = FoundItem(
            app: "org.example.notes", index: "main", identifier: "1", title: "Found report",
            url: nil, indexed: Example.now)
        let reply = SearchReply([SearchResult(.item(item), devices: [], snippet: nil)], isWhole: true)
        _ = try picker.receiveAnswer(Self.answer(reply), for: first.purpose)
        #expect(!Self.lines(picker).contains { $0.contains("Found") }, "an answer for an earlier text")
        _ = try picker.receiveAnswer(Self.answer(reply), for: second.purpose)
        #expect(Self.lines(picker)[2].hasPrefix("  * Found report"), "\(Self.lines(picker))")
        guard case .choose(.open(let result, of: let words)) = Self.press([.down, .enter], &picker) else {
            Issue.record("the result is not opened")
            return
        }
        #expect(result.thing.item?.identifier == "1" && words == "rep")
    }

    @Test func `results for a corrected text name it, and opening a result remembers the corrected text`()
        throws
    {
        var picker = try Self.picker([Self.summary("other")])
        _ = picker.press(.text("anual"))
        let search = try #require(picker.takeCalls().last)
        let item = FoundItem(
            app: "org.example.notes", index: "main", identifier: "1", title: "Annual report", url: nil,
            indexed: Example.now)
        let result = SearchResult(.item(item), devices: [], snippet: nil)
        _ = try picker.receiveAnswer(
            Self.answer(SearchReply([result], isWhole: true, corrected: "annual")), for: search.purpose)
        #expect(Self.lines(picker).contains { $0.contains("the results are for “annual”") })
        guard case .choose(.open(result, of: "annual")) = picker.press(.enter) else {
            Issue.record("the result is not opened")
            return
        }
        _ = picker.press(.text("x"))
        #expect(!Self.lines(picker).contains { $0.contains("annual”") })
    }

    @Test func `a chosen row stays chosen when other activities appear or disappear`() throws {
        var picker = try Self.picker(["a", "b", "c"].map { Self.summary($0) })
        _ = picker.press(.down)
        guard case .choose(.go(let chosen)) = picker.press(.enter) else {
            Issue.record("nothing is chosen")
            return
        }
        var new = Self.summary("new")
        new.activity.changed = Example.now
        let changes = ActivityChanges(number: 2, isAnew: false, changed: [new], gone: [])
        _ = try picker.receiveAnswer(Self.answer(changes), for: .list)
        guard case .choose(.go(let again)) = picker.press(.enter) else {
            Issue.record("nothing is chosen")
            return
        }
        #expect(again.identifier == chosen.identifier)
    }

    @Test func `an activity of this machine is sent to the chosen machine`() throws {
        var picker = try Self.picker([Self.summary("mine", Example.laptop), Self.summary("there")])
        _ = picker.takeCalls()
        _ = picker.press(.send)
        #expect(picker.takeCalls().isEmpty, "what goes on elsewhere can't be sent")
        _ = Self.press([.down, .send], &picker)
        #expect(picker.takeCalls().map(\.purpose) == [.devices])
        _ = try picker.receiveAnswer(Self.answer(DevicesReply([Example.peer()])), for: .devices)
        #expect(Self.lines(picker)[1].hasPrefix("▌ desktop "))
        _ = picker.press(.enter)
        let call = try #require(picker.takeCalls().first)
        #expect(call.purpose == .send(device: "desktop"))
        #expect((call.call as? SendActivity)?.target == .identifier("id-of-mine"))
        _ = try picker.receiveAnswer(Self.answer(Self.summary("mine", Example.laptop)), for: call.purpose)
        #expect(Self.lines(picker).last == "Sent to “desktop”.")
    }

    @Test func `keys hide an activity and leave the picker, and a lost node is reported until it is back`()
        throws
    {
        var picker = try Self.picker([Self.summary("a")])
        _ = picker.press(.forget)
        #expect(picker.takeCalls().map(\.purpose) == [.forget])
        for key in [Key.escape, .interrupt, .end] {
            guard case .leave = picker.press(key) else {
                Issue.record("\(key) does not leave")
                continue
            }
        }
        picker.handleLoss()
        #expect(Self.lines(picker).last?.hasPrefix("The node has stopped.") == true)
        _ = picker.press(.text("x"))
        #expect(Self.lines(picker).last?.hasPrefix("The node has stopped.") == true, "it is still gone")
        picker.handleReturn()
        #expect(picker.takeCalls().first?.purpose == .list)
    }

    @Test(arguments: [80, 40, 10, 1])
    func `no text makes a line wider than the screen, also on narrow screens`(width: Int) throws {
        let hostile = [
            "\u{1b}[31mred", "a\nb", "שלום עולם", "漢字かな交じり文の長い題名がここにある", "👩‍👩‍👧 family", "\u{202e}evil",
            String(repeating: "x", count: 500), "",
        ]
        var picker = try Self.picker(hostile.map { Self.summary($0, folder: "~/" + $0) })
        try Self.suggest([Self.suggestion(Self.summary(hostile[5]), 0)], &picker)
        var generator = SeededGenerator(seed: 27)
        let keys: [Key] = [
            .up, .down, .pageDown, .text("a"), .text("漢"), .backspace, .send, .escape, .forget, .left, .toEnd,
            .preview, .wheelUp, .wheelDown,
        ]
        for _ in 0..<300 {
            _ = picker.press(generator.pick(keys))
            _ = picker.click(
                line: generator.number(0...30), cell: generator.number(0...90), width: width, height: 24,
                at: Example.present)
            picker.prepare()
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
}
