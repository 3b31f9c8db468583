import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
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

    @Test
    func `list --watch --json prints a line for each change, and continues after a restart of the node`()
        throws
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
        `list --watch without a terminal prints a line for each change, and reports a lost node as an error`()
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

    @Test func `list --watch redraws within the terminal's height and width`() throws {
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
