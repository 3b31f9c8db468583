import BatonClient
import BatonCore
import Support
import Testing

@Suite final class `A program that speaks in lines` {
    private var bridge = AppBridge(app: "org.example.notes", instance: "main")
    private var line = 0

    init() {
        bridge.connected()
        _ = bridge.takeOutput()
    }

    /// Returns the calls that a line leads to, and what is printed.
    private func say(
        _ text: String
    ) -> (calls: [(call: any LocalCall, purpose: AppBridge.Purpose)], lines: [String]) {
        line += 1
        bridge.take(.whole(Array(text.utf8)), number: line, at: Example.present)
        let output = bridge.takeOutput()
        return (output.calls, output.lines.map(\.text))
    }

    /// Says a line, and has the node answer so; what is printed then.
    private func say(_ text: String, answer: FakeAnswer) throws -> [String] {
        let asked = say(text)
        try #require(asked.calls.count == 1 && asked.lines.isEmpty, "\(asked)")
        try bridge.take(answer.taken, for: asked.calls[0].purpose)
        return bridge.takeOutput().lines.map(\.text)
    }

    private func node(_ event: AppEvent) throws -> [String] {
        try take(event, for: .event)
        let output = bridge.takeOutput()
        #expect(output.calls.map(\.call).equals(AwaitEvent()))
        return output.lines.map(\.text)
    }

    /// Has the node answer a call of this purpose.
    private func take(_ reply: some LocalReply, for purpose: AppBridge.Purpose) throws {
        try bridge.take(FakeAnswer.reply(reply).taken, for: purpose)
    }

    @Test func `becomes current, updates and finishes`() throws {
        let asked = say(
            #"{"become": {"type": "a.b", "title": "T", "info": {"line": 1}, "eligible": ["handoff", "search"]}, "id": [1]}"#
        )
        var change = ActivityChange()
        change.title = "T"
        change.set = [.string("line"): .integer(1)]
        change.eligibility = [.handoff, .search]
        let start = StartActivity(
            app: "org.example.notes", instance: "main", lifetime: .connection, type: "a.b", change: change)
        #expect(asked.calls.map(\.call).equals(start))
        try take(Example.summary(), for: try #require(asked.calls.first?.purpose))
        #expect(bridge.takeOutput().lines.first?.text.hasPrefix(#"{"id":[1],"activity":{"id":"k3v9"#) == true)

        let target = ActivityTarget.instance(app: "org.example.notes", instance: "w 2")
        var update = ActivityChange()
        update.removed = [.string("line")]
        #expect(
            say(#"{"update": {"remove": ["line"]}, "instance": "w 2"}"#).calls.map(\.call).equals(
                UpdateActivity(target, update)))
        #expect(say(#"{"resign": true, "instance": "w 2"}"#).calls.map(\.call).equals(ResignActivity(target)))
        let finished = try say(#"{"finish": true}"#, answer: .reply(Example.summary()))
        #expect(finished.first?.hasPrefix(#"{"activity":{"id":"k3v9"#) == true)
    }

    @Test func `is told to save, and says that it has`() throws {
        #expect(
            try node(.save(7, instance: "main")) == [#"{"event":"save","number":7,"instance":"main"}"#])
        var change = ActivityChange()
        change.set = [.string("line"): .integer(2)]
        #expect(
            say(#"{"saved": 7, "update": {"info": {"line": 2}}}"#).calls.map(\.call).equals(
                ReportSaved(7, change)))
        #expect(say(#"{"saved": 8}"#).calls.map(\.call).equals(ReportSaved(8, nil)))
        #expect(
            try node(.wasContinued(instance: "main", on: Example.desktop, isTaken: true))[0]
                .hasSuffix(#""name":"desktop","here":false},"taken":true}"#))
        #expect(try node(.ended(instance: "main")) == [#"{"event":"ended","instance":"main"}"#])
        let continued = ContinuedActivity(summary: Example.summary(), source: .app)
        #expect(
            try node(.continues(continued))[0].hasPrefix(#"{"event":"continue","continued":{"activity":{"#))
    }

    @Test func `is told anew to a node that was started again`() throws {
        _ = try say(
            #"{"become": {"type": "a", "info": {"x": 1, "y": 2}}}"#, answer: .reply(Example.summary()))
        _ = try say(
            #"{"update": {"info": {"x": 3}, "remove": ["y"], "title": "T"}}"#,
            answer: .reply(Example.summary()))
        _ = try say(#"{"become": {"type": "b"}, "instance": "other"}"#, answer: .reply(Example.summary()))
        _ = try say(#"{"finish": true, "instance": "other"}"#, answer: .reply(Example.summary()))
        #expect(
            try say(#"{"handle": ["a.*"], "title": "Notes"}"#, answer: .reply(Done())) == [#"{"done":true}"#])
        _ = try node(.save(1, instance: "main"))
        _ = try say(#"{"saved": 1, "update": {"url": "https://example.org/"}}"#, answer: .reply(Done()))
        let waiting = say(#"{"search": "x", "id": "s"}"#)
        bridge.lost(waiting.calls.map(\.purpose) + [.event], LocalFailure(.failed, "gone"))
        #expect(
            bridge.takeOutput().lines.map(\.text) == [
                #"{"event":"lost"}"#, #"{"id":"s","error":"gone","code":1,"line":7}"#,
            ])
        bridge.back()
        let output = bridge.takeOutput()
        var change = ActivityChange()
        change.set = [.string("x"): .integer(3)]
        change.removed = [.string("y")]
        (change.title, change.webpage) = ("T", "https://example.org/")
        let start = StartActivity(
            app: "org.example.notes", instance: "main", lifetime: .connection, type: "a", change: change)
        let registration = AppRegistration(
            AppName(app: "org.example.notes", instance: "main"), types: ["a.*"], title: "Notes")
        #expect(output.calls.map(\.call).equals(AwaitEvent(), RegisterApp(registration), start))
        #expect(output.lines.map(\.text) == [#"{"event":"back"}"#])
        // What the node does not take again is no more.
        for (call, purpose) in output.calls where call is StartActivity {
            bridge.take(LocalFailure(.usage, "no"), for: purpose)
        }
        #expect(bridge.takeOutput().lines.first?.text == #"{"event":"ended","instance":"main"}"#)
    }

    @Test func `follows the list, and goes on doing so`() throws {
        let asked = say(#"{"watch": true}"#)
        #expect(
            asked.calls.map(\.call).equals(WatchActivities(after: nil)) && asked.lines == [#"{"done":true}"#])
        try take(ActivityChanges(number: 4), for: .watch)
        #expect(bridge.takeOutput().calls.map(\.call).equals(ListActivities()))
        try take(ActivitiesReply([Example.summary()], isLast: true), for: .watch)
        let first = bridge.takeOutput()
        #expect(first.calls.map(\.call).equals(WatchActivities(after: 4)) && first.lines.count == 2)
        #expect(first.lines[0].text == #"{"event":"anew"}"#)
        try take(ActivityChanges(number: 5, gone: ["k3v9q2mx7abc", "unknown"]), for: .watch)
        let second = bridge.takeOutput()
        #expect(second.calls.map(\.call).equals(WatchActivities(after: 5)))
        #expect(second.lines.map(\.text) == [#"{"event":"gone","id":"k3v9q2mx7abc"}"#])
        bridge.lost([.watch, .event], LocalFailure(.failed, "gone"))
        bridge.back()
        #expect(bridge.takeOutput().calls.map(\.call).equals(AwaitEvent(), WatchActivities(after: nil)))
        // Once it is off, the last answer ends it.
        #expect(say(#"{"watch": false}"#).calls.isEmpty)
        try take(ActivityChanges(number: 6, isAnew: true), for: .watch)
        let last = bridge.takeOutput()
        #expect(last.calls.isEmpty && last.lines.isEmpty)
    }

    @Test func `indexes, searches and asks for lists`() throws {
        let index = ClientStateName(app: "org.example.notes", index: "default")
        let other = ClientStateName(app: "org.example.notes", index: "other")
        #expect(
            say(#"{"index": [{"delete": "a"}, {"clear": "d"}, {"clear": true}], "in": "other", "batch": 3}"#)
                .calls.map(\.call).equals(
                    ChangeIndex(
                        other, batch: 3, [.deletion("a"), .clear(domain: "d"), .clear(domain: nil)])))
        #expect(
            say(#"{"batch": 3, "state": "page 7", "expected": null}"#).calls.map(\.call).equals(
                EndBatch(index, batch: 3, state: Array("page 7".utf8), isConditional: true)))
        #expect(
            say(#"{"batch": 3, "discard": true}"#).calls.map(\.call).equals(DiscardBatch(index, 3)))
        #expect(say(#"{"state": true}"#).calls.map(\.call).equals(GetClientState(index)))
        #expect(
            try say(#"{"state": true}"#, answer: .reply(ClientStateReply(Array("page 7".utf8)))) == [
                #"{"state":"page 7"}"#
            ])
        #expect(
            try say(#"{"state": true}"#, answer: .reply(ClientStateReply([0xff]))) == [
                #"{"state":{"$data":"/w=="}}"#
            ])
        #expect(
            try say(#"{"search": "x"}"#, answer: .reply(SearchReply([], isWhole: true))) == [
                #"{"items":[],"complete":true}"#
            ])
        #expect(
            say(#"{"delete-saved": true}"#).calls.map(\.call).equals(
                DeleteSavedActivities(app: "org.example.notes", identifiers: nil)))
        let asked = say(#"{"list": "finished", "id": 1}"#)
        #expect(asked.calls.map(\.call).equals(ListActivities(.finished)))
        try take(
            ActivitiesReply([Example.summary()], isLast: false),
            for: try #require(asked.calls.first?.purpose))
        let more = bridge.takeOutput()
        #expect(more.lines.isEmpty)
        #expect(
            more.calls.map(\.call).equals(ListActivities(.finished, after: Example.summary().place)))
        try take(ActivitiesReply([], isLast: true), for: try #require(more.calls.first?.purpose))
        #expect(bridge.takeOutput().lines[0].text.hasPrefix(#"{"id":1,"activities":[{"id":"k3v9"#))
    }

    @Test func `says items with all their attributes`() throws {
        let asked = say(
            #"{"index": {"item": "n", "domain": "d", "title": "T", "keywords": ["k"], "attributes": {"#
                + #""contentCreationDate": "2026-11-20", "pageCount": 3, "mine": "x"}}}"#)
        guard let request = asked.calls.first?.call as? ChangeIndex,
            case .item("n", domain: "d", let fields)? = request.changes.first
        else { return #expect(Bool(false), "\(asked)") }
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("T"))
        attributes[.keywords] = .plain(.array([.string("k")]))
        attributes[.contentCreationDate] = .plain(.date(1_795_132_800))
        attributes[.pageCount] = .plain(.integer(3))
        attributes[try #require(CustomAttribute(name: "mine"))] = .plain(.string("x"))
        #expect(fields == Item(domain: "d", attributes: attributes).fields)
    }

    @Test(arguments: [
        ("x", "begins no value (byte 1)"), ("[]", "a command is an object"), ("{}", "no command is named"),
        (#"{"becom": {}}"#, "no command is named"), (#"{"become": {"title": "x"}}"#, "`type` is one word"),
        (#"{"become": {"type": "a", "tittle": "x"}}"#, "did you mean `title`?"),
        (#"{"finish": false}"#, "`finish` is true"), (#"{"update": 1}"#, "is an object"),
        (#"{"update": {"info": []}}"#, "`info` is an object"), (#"{"handle": []}"#, "`handle` is a list"),
        (#"{"handle": ["a*b"]}"#, "is no type"), (#"{"saved": -1}"#, "`saved` is"),
        (#"{"index": {"item": ""}}"#, "names nothing"), (#"{"index": {"x": 1}}"#, "one of: item"),
        (#"{"index": {"item": "a", "attributes": {"pageCount": "x"}}}"#, "can't have such a value"),
        (#"{"search": "x", "most": 0}"#, "from 1 to"), (#"{"watch": 1}"#, "true or false"),
        (#"{"update": {"expires": "never"}}"#, "never is no time"),
    ]) func `is told what is wrong, and goes on`(text: String, reason: String) throws {
        let said = say(text)
        #expect(said.calls.isEmpty && said.lines.count == 1, "\(said)")
        let error = try JSON(reading: Array(said.lines[0].utf8))
        #expect(error["error"]?.string?.contains(reason) == true, "\(said.lines[0])")
        #expect(error["line"] == .integer(1) && error["code"] == .integer(2))
        #expect(say(#"{"finish": true}"#).calls.count == 1)
    }

    @Test func `hears of failures with the number of the line, and its own word for it`() throws {
        let line = try say(
            #"{"finish": true, "id": "f"}"#, answer: .failure(LocalFailure(.notFound, "nothing")))
        #expect(line == [#"{"id":"f","error":"nothing","code":11,"line":1}"#])
        #expect(say("   ").lines.isEmpty)
    }
}
