import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite final class `The bridge of baton app` {
    private var bridge = AppBridge(app: "org.example.notes", instance: "main")
    private var line = 0

    init() {
        bridge.connected()
        _ = bridge.takeOutput()
    }

    /// The calls and purposes, and the printed lines, after one line of the program.
    private func say(
        _ text: String
    ) -> (calls: [(call: any LocalCall, purpose: AppBridge.Purpose)], lines: [String]) {
        line += 1
        bridge.receiveLine(.whole(Array(text.utf8)), number: line, at: Example.present)
        let output = bridge.takeOutput()
        return (output.calls, output.lines.map(\.text))
    }

    /// Sends a line and the node's answer; returns what is printed then.
    private func say(_ text: String, answer: FakeAnswer) throws -> [String] {
        let asked = say(text)
        try #require(asked.calls.count == 1 && asked.lines.isEmpty, "\(asked)")
        try bridge.receiveAnswer(answer.taken, for: asked.calls[0].purpose)
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
        try bridge.receiveAnswer(FakeAnswer.reply(reply).taken, for: purpose)
    }

    @Test func `a program is sent a reindexing request until it has acknowledged the request`() throws {
        let index = ClientStateName(app: "org.example.notes", index: "default")
        let asked = say(#"{"reindex": true, "id": 1}"#)
        #expect(asked.calls.map(\.call).equals(AwaitReindexing([index])))
        #expect(asked.lines == [#"{"id":1,"done":true}"#])
        #expect(say(#"{"reindex": true}"#).calls.isEmpty, "it is told already")
        try take(ReindexingReply(index, .items(["b", "a"])), for: .reindexing)
        #expect(
            bridge.takeOutput().lines.map(\.text)
                == [#"{"event":"reindex","in":"default","ids":["a","b"]}"#])
        let done = say(#"{"reindexed": ["a", "b"]}"#)
        #expect(done.calls.map(\.call).equals(AcknowledgeReindexing(index, .items(["a", "b"]))))
        try take(IndexReply(passedOver: 0), for: try #require(done.calls.first?.purpose))
        let next = bridge.takeOutput()
        #expect(next.calls.map(\.call).equals(AwaitReindexing([index])))
        try take(ReindexingReply(index, .all), for: .reindexing)
        #expect(
            bridge.takeOutput().lines.map(\.text) == [#"{"event":"reindex","in":"default","all":true}"#])
        bridge.lost([], LocalFailure(.failed, "The node stopped."))
        bridge.back()
        #expect(
            bridge.takeOutput().calls.map(\.call).equals(AwaitEvent()), "it was told and has not answered")
        let all = say(#"{"reindexed": true, "in": "default"}"#)
        #expect(all.calls.map(\.call).equals(AcknowledgeReindexing(index, .all)))
    }

    @Test func `a program that watches many indexes has one open call for all of them`() throws {
        let names = (0..<20).map { ClientStateName(app: "org.example.notes", index: "i\(100 + $0)") }
        for (place, name) in names.enumerated() {
            let asked = say(#"{"reindex": true, "in": "\#(name.index)"}"#)
            #expect(asked.calls.map(\.call).equals(AwaitReindexing(Array(names[...place]))))
            if place > 0 { try take(ReindexingReply.replaced, for: .reindexing) }
            #expect(bridge.takeOutput().lines.isEmpty, "what is replaced is not told")
        }
        try take(ReindexingReply(names[7], .items(["a"])), for: .reindexing)
        let told = bridge.takeOutput()
        #expect(told.lines.map(\.text) == [#"{"event":"reindex","in":"i107","ids":["a"]}"#])
        let others = names.filter { $0 != names[7] }
        #expect(told.calls.map(\.call).equals(AwaitReindexing(others)))
        let done = say(#"{"reindexed": ["a"], "in": "i107"}"#)
        try take(IndexReply(passedOver: 0), for: try #require(done.calls.first?.purpose))
        #expect(bridge.takeOutput().calls.map(\.call).equals(AwaitReindexing(names)))
        bridge.lost([], LocalFailure(.failed, "The node stopped."))
        bridge.back()
        #expect(bridge.takeOutput().calls.map(\.call).equals(AwaitEvent(), AwaitReindexing(names)))
    }

    @Test func `a program starts, updates and finishes an activity`() throws {
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

    @Test func `a request to save is sent to the program, and its answer to the node`() throws {
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
            try node(.continues(5, continued))[0].hasPrefix(
                #"{"event":"continue","number":5,"continued":{"activity":{"#))
    }

    @Test func `activities and registrations are sent again after a restart of the node`() throws {
        _ = try say(
            #"{"become": {"type": "a", "info": {"x": 1, "y": 2}}}"#, answer: .reply(Example.summary()))
        _ = try say(
            #"{"update": {"info": {"x": 3}, "remove": ["y"], "title": "T"}}"#,
            answer: .reply(Example.summary()))
        _ = try say(#"{"become": {"type": "b"}, "instance": "other"}"#, answer: .reply(Example.summary()))
        _ = try say(#"{"finish": true, "instance": "other"}"#, answer: .reply(Example.summary()))
        #expect(
            try say(#"{"handle": ["a.*"], "title": "Notes", "folder": "/src"}"#, answer: .reply(Done()))
                == [#"{"done":true}"#])
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
            AppName(app: "org.example.notes", instance: "main"), types: ["a.*"], title: "Notes",
            folder: "/src")
        #expect(output.calls.map(\.call).equals(AwaitEvent(), RegisterApp(registration), start))
        #expect(output.lines.map(\.text) == [#"{"event":"back"}"#])
        // An activity that the node refuses the second time has ended.
        for (call, purpose) in output.calls where call is StartActivity {
            bridge.receiveFailure(LocalFailure(.usage, "no"), for: purpose)
        }
        #expect(bridge.takeOutput().lines.first?.text == #"{"event":"ended","instance":"main"}"#)
    }

    @Test
    func `an activity with “lasting” needs an instance, and is not sent again when the node has restarted`()
        throws
    {
        let asked = say(#"{"become": {"type": "a"}, "instance": "sent", "lasting": true}"#)
        let start = StartActivity(
            app: "org.example.notes", instance: "sent", lifetime: .untilFinished, type: "a",
            change: ActivityChange())
        #expect(asked.calls.map(\.call).equals(start))
        try take(Example.summary(), for: try #require(asked.calls.first?.purpose))
        _ = bridge.takeOutput()
        bridge.lost([.event], LocalFailure(.failed, "gone"))
        bridge.back()
        #expect(bridge.takeOutput().calls.map(\.call).equals(AwaitEvent()))
        #expect(
            say(#"{"become": {"type": "a"}, "lasting": true}"#).lines == [
                #"{"error":"an activity with `lasting` needs an `instance`","code":2,"line":2}"#
            ])
    }

    @Test func `a program can ask whether the machine is private`() throws {
        var settings = Settings()
        #expect(
            try say(#"{"private": true, "id": 1}"#, answer: .reply(settings)) == [
                #"{"id":1,"private":false}"#
            ])
        settings.set(.private, to: 1)
        #expect(try say(#"{"private": true}"#, answer: .reply(settings)) == [#"{"private":true}"#])
    }

    @Test func `a program gets the machines of the account, except those that have left`() throws {
        var gone = Example.peer()
        gone.hasLeft = true
        let lines = try say(
            #"{"devices": true, "id": 1}"#, answer: .reply(DevicesReply([Example.peer(), gone])))
        #expect(
            lines == [
                JSON.object([.init("id", .integer(1)), .init("devices", .array([JSON(Example.peer())]))]).text
            ])
        #expect(say(#"{"devices": 1}"#).lines.count == 1)
    }

    @Test func `a program can start and stop watching the list`() throws {
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
        // After it is switched off, the last answer ends it.
        #expect(say(#"{"watch": false}"#).calls.isEmpty)
        try take(ActivityChanges(number: 6, isAnew: true), for: .watch)
        let last = bridge.takeOutput()
        #expect(last.calls.isEmpty && last.lines.isEmpty)
    }

    @Test func `a program can index, search and list items`() throws {
        let index = ClientStateName(app: "org.example.notes", index: "default")
        let other = ClientStateName(app: "org.example.notes", index: "other")
        #expect(
            say(
                #"{"index": [{"delete": "a"}, {"clear": "d"}, {"clear": true}], "in": "other", "batch": 3, "offset": 7}"#
            )
            .calls.map(\.call).equals(
                ChangeIndex(
                    other, at: BatchPlace(3, offset: 7),
                    [.deletion("a"), .clear(domain: "d"), .clear(domain: nil)])))
        #expect(
            say(#"{"batch": 3, "count": 10, "state": "page 7", "expected": null}"#).calls.map(\.call).equals(
                EndBatch(index, batch: 3, count: 10, state: Array("page 7".utf8), isConditional: true)))
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
                #"{"results":[],"complete":true,"corrected":null}"#
            ])
        let queried = say(#"{"query": "pageCount > 3", "app": "org.example.a", "most": 5, "id": 1}"#)
        #expect(
            queried.calls.map(\.call).equals(
                QueryItems(
                    "pageCount > 3", filter: SearchFilter(app: "org.example.a"), most: 5, at: Example.present)
            ))
        let failure = LocalFailure(.usage, "Expected a digit.\n1.\n  ^")
        try bridge.receiveAnswer(
            FakeAnswer.failure(failure).taken, for: try #require(queried.calls.first?.purpose))
        #expect(
            bridge.takeOutput().lines[0].text.hasPrefix(
                #"{"id":1,"error":"Expected a digit.\n1.\n  ^","code":2,"line":"#))
        #expect(
            try say(#"{"query": "*"}"#, answer: .reply(SearchReply([], isWhole: false))) == [
                #"{"results":[],"complete":false,"corrected":null}"#
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

    @Test
    func `a program learns which open batches were lost with the node, and nothing about ended batches`()
        throws
    {
        let done = FakeAnswer.reply(IndexReply(passedOver: 0))
        for batch in 1...3 {
            let line = #"{"index": {"delete": "a"}, "batch": \#(batch), "offset": 0}"#
            _ = try say(line, answer: done)
        }
        _ = try say(#"{"index": {"delete": "b"}, "batch": 2, "offset": 1, "in": "default"}"#, answer: done)
        _ = try say(#"{"batch": 1, "count": 1}"#, answer: done)
        _ = try say(#"{"batch": 3, "discard": true}"#, answer: done)
        let lost = {
            self.bridge.lost([.event], LocalFailure(.failed, "gone"))
            return try self.bridge.takeOutput().lines.map { try JSON(reading: Array($0.text.utf8)) }
        }
        let lines = try lost()
        #expect(lines.map { $0["event"]?.string } == ["lost", "batch-lost"])
        #expect(lines.last?["batch"] == .integer(2) && lines.last?["in"] == .string("default"))
        #expect(lines.last?["text"]?.string?.contains("Begin it again") == true)
        bridge.back()
        _ = bridge.takeOutput()
        let refused = try say(
            #"{"index": {"delete": "c"}, "batch": 2, "offset": 2, "id": 7}"#,
            answer: .failure(.notBegun(2, of: ClientStateName(app: "org.example.notes", index: "default"))))
        #expect(refused.first?.contains(#""code":22"#) == true, "\(refused)")
        #expect(try lost().count == 1, "the batch was told of already")
    }

    @Test func `an item can be indexed with every attribute`() throws {
        let asked = say(
            #"{"index": {"item": "n", "domain": "d", "title": "T", "keywords": ["k"], "attributes": {"#
                + #""contentCreationDate": "2026-11-20", "pageCount": 3, "mine": "x"}}}"#)
        guard let request = asked.calls.first?.call as? ChangeIndex,
            case .item("n", let item)? = request.changes.first
        else { return #expect(Bool(false), "\(asked)") }
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("T"))
        attributes[.keywords] = .plain(.array([.string("k")]))
        attributes[.contentCreationDate] = .plain(.date(1_795_132_800))
        attributes[.pageCount] = .plain(.integer(3))
        attributes[try #require(CustomAttribute(name: "mine")).field] = .plain(.string("x"))
        #expect(item == Item(domain: "d", attributes: attributes))
    }

    @Test(arguments: [
        ("x", "needs quotation marks (column 1)"), ("[]", "a command must be an object"),
        ("{}", "no command is named"),
        (#"{"becom": {}}"#, "`becom` is not a command; did you mean `become`?"),
        (#"{"id": 1, "finnish": true}"#, "did you mean `finish`?"),
        (#"{"title": "x"}"#, "no command is named"),
        (#"{"become": {"title": "x"}}"#, "`type` must be one word"),
        (#"{"become": {"type": "a", "tittle": "x"}}"#, "did you mean `title`?"),
        (#"{"finish": false}"#, "`finish` must be true"), (#"{"update": 1}"#, "must be an object"),
        (#"{"update": {"info": []}}"#, "`info` must be an object"),
        (#"{"handle": []}"#, "`handle` must be a list"),
        (#"{"handle": ["a*b"]}"#, "is neither a type"), (#"{"saved": -1}"#, "`saved` must be"),
        (#"{"index": {"item": ""}}"#, "must not be empty"), (#"{"index": {"x": 1}}"#, "one of the keys item"),
        (#"{"index": {"item": "a", "attributes": {"pageCount": "x"}}}"#, "can't have this value"),
        (#"{"index": {"delete": "a"}, "batch": 1}"#, "0 begins the batch"),
        (#"{"index": {"delete": "a"}, "offset": 0}"#, "`batch` must be the number"),
        (#"{"batch": 1, "state": "x"}"#, "`count` must be the number of changes"),
        (#"{"batch": 1, "count": 99999999}"#, "the most changes of a batch"),
        (#"{"search": "x", "most": 0}"#, "from 1 to"), (#"{"watch": 1}"#, "true or false"),
        (#"{"update": {"expires": "never"}}"#, "never is not a time"),
    ]) func `a malformed command is answered with an error, and later commands are performed`(
        text: String, reason: String
    ) throws {
        let said = say(text)
        #expect(said.calls.isEmpty && said.lines.count == 1, "\(said)")
        let error = try JSON(reading: Array(said.lines[0].utf8))
        #expect(error["error"]?.string?.contains(reason) == true, "\(said.lines[0])")
        #expect(error["line"] == .integer(1) && error["code"] == .integer(2))
        #expect(say(#"{"finish": true}"#).calls.count == 1)
    }

    @Test func `an error contains the line number and the id that the program gave`() throws {
        let line = try say(
            #"{"finish": true, "id": "f"}"#, answer: .failure(LocalFailure(.notFound, "nothing")))
        #expect(line == [#"{"id":"f","error":"nothing","code":11,"line":1}"#])
        #expect(say("   ").lines.isEmpty)
    }

    @Test func `a program that wants advice gets the advice as events before the answer`() {
        let line = Array(#"{"become":{"type":"edit","title":"t"},"id":1}"#.utf8)
        for isAdvised in [true, false] {
            var bridge = AppBridge(app: "org.example.notes", instance: "main", isAdvised: isAdvised)
            bridge.receiveLine(.whole(line), number: 1, at: Example.present)
            let output = bridge.takeOutput()
            #expect(output.calls.count == 1)
            #expect(output.lines.count == (isAdvised ? 1 : 0))
            #expect(output.lines.allSatisfy { $0.text.hasPrefix(#"{"event":"advice","text":"The type"#) })
        }
    }
}
