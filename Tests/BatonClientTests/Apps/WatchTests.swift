import BatonClient
import BatonCore
import Synchronization
import Testing

@Suite struct `baton list --watch` {
    /// A node whose list changes once for each request, and that then closes the connection.
    private func node() throws -> FakeNode {
        let second = Example.summary("zzzzzzzzzzzz", title: "Second")
        return try FakeNode { request in
            switch request {
            case let call as WatchActivities where call.after == nil: .reply(ActivityChanges(number: 1))
            case is ListActivities: .reply(ActivitiesReply([Example.summary()], isLast: true))
            case let call as WatchActivities where call.after == 1:
                .reply(ActivityChanges(number: 2, changed: [second]))
            case let call as WatchActivities where call.after == 2:
                .reply(ActivityChanges(number: 3, gone: ["k3v9q2mx7abc"]))
            default: nil
            }
        }
    }

    @Test func `list --watch --json prints a line for each change, and goes on when the node is back`() throws
    {
        let typed = Typed(try node(), "list", "--watch", "--json", until: "\"lost\"}\n{\"event\":\"anew\"}")
        let lines = typed.output.split(separator: "\n").map { $0.prefix(44) }
        #expect(
            lines.prefix(6) == [
                #"{"event":"anew"}"#, #"{"event":"changed","activity":{"id":"k3v9q2m"#,
                #"{"event":"changed","activity":{"id":"zzzzzzz"#, #"{"event":"gone","id":"k3v9q2mx7abc"}"#,
                #"{"event":"lost"}"#, #"{"event":"anew"}"#,
            ])
    }

    @Test
    func
        `list --watch without a terminal prints a line for each change, and reports a lost node on the standard error`()
        throws
    {
        let typed = Typed(try node(), "list", "--watch", until: "ended\n“Report”")
        #expect(
            typed.output.split(separator: "\n").prefix(4) == [
                "“Report” (k3v9q2m) on desktop: org.example.editing",
                "“Second” (zzzzzzz) on desktop: org.example.editing", "“Report” (k3v9q2m) on desktop: ended",
                "“Report” (k3v9q2m) on desktop: org.example.editing",
            ])
        #expect(
            typed.errors.hasPrefix(
                "The node has stopped. Waiting until it is started again.\nThe whole list again:\n"))
    }

    @Test func `list --watch redraws on a terminal, within its height and width`() throws {
        let typed = Typed(try node(), "list", "--watch", width: 40, height: 3, until: "\u{1b}[2A\r\u{1b}[J")
        let screens = typed.output.split(separator: "\u{1b}[2A\r\u{1b}[J").map { $0.split(separator: "\n") }
        #expect(screens[0].count == 2 && screens[0][1].contains("Report"))
        #expect(screens[1].count == 2 && screens[1][1] == "… and 2 more")
        for line in screens.joined() { #expect(CellWidth.of(line) <= 40) }
        #expect(typed.errors == "baton: stopped\n")
    }

    @Test func `list --watch fails without an account, and with --finished`() throws {
        #expect(Typed(["list", "--watch", "--home", "/nonexistent"]).status == 4)
        #expect(Typed(try node(), "list", "--watch", "--finished").status == 2)
    }
}

@Suite struct `An app's connection` {
    @Test func `several requests can be unanswered at once`() throws {
        let node = try FakeNode { request in
            (request as? SearchItems).map { .failure(LocalFailure(.failed, $0.text)) }
        }
        var connection = try AppConnection(try node.home)
        #expect(try connection.receive().isEmpty)
        var asked: [UInt64: String] = [:]
        for number in 0..<AppConnection.most {
            asked[try connection.send(SearchItems("\(number)", most: 1))] = "\(number)"
        }
        #expect(connection.unanswered == AppConnection.most)
        while connection.unanswered > 0 {
            #expect(
                Waiting.forOne(of: [(connection.descriptor, connection.events)], within: .seconds(30)) == [
                    true
                ])
            for answer in try connection.receive() {
                let text = asked.removeValue(forKey: answer.number) ?? "nothing"
                #expect(try answer.result(of: SearchItems.self) == .failure(LocalFailure(.failed, text)))
            }
        }
        #expect(asked.isEmpty)
        // The end of the connection is thrown after all answers before it.
        try connection.send(SearchItems("last", most: 1))
        try connection.send(GetStatus())
        var (answers, failure): (Int, LocalFailure?) = (0, nil)
        while failure == nil {
            _ = Waiting.forOne(of: [(connection.descriptor, connection.events)], within: .seconds(30))
            do throws(LocalFailure) { answers += try connection.receive().count } catch { failure = error }
        }
        #expect(answers == 1 && failure?.text.contains("before it answered") == true)
    }

    @Test func `connecting fails at once if the node has another version, or there is none`() throws {
        let hello = LocalHello(version: 99, build: "9.9", process: 1).frame
        let node = try FakeNode(hello: hello) { _ in nil }
        var connection = try AppConnection(try node.home)
        var code: LocalFailure.Code?
        while code == nil {
            _ = Waiting.forOne(of: [(connection.descriptor, connection.events)], within: .seconds(30))
            do throws(LocalFailure) { _ = try connection.receive() } catch { code = error.code }
        }
        #expect(code == .versionMismatch)
    }
}
