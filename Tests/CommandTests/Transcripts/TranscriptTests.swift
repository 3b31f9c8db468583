import BatonCore
import Foundation
import Support
import Testing

/// Two shells in terminals: one starts an activity, and the other continues it, whatever happened to the first.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `A transcript of two shells` {
    private let account: Account
    private let laptop: TerminalShell
    private let desktop: TerminalShell

    init() throws {
        account = try Account("laptop", "desktop")
        laptop = try TerminalShell(on: account[0])
        desktop = try TerminalShell(on: account[1])
    }

    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Starts an activity in the laptop's shell, and waits until the desktop lists it.
    private func start() throws {
        let started = try laptop.run("baton start org.example.editing --title Draft --info line:=42")
        #expect(started.count == 1 && started[0].hasPrefix("Started “Draft” ("), "\(started)")
        try account[1].waitForActivity(titled: "Draft")
        let list = try desktop.run("baton list")
        #expect(list.count == 2 && list[0].hasPrefix("ID       DEVICE  KIND"), "\(list)")
        #expect(list[1].contains("  laptop  app   Draft  "), "\(list)")
    }

    /// Continues in the desktop's shell; returns the output, and how long it took.
    private func goOn(_ words: String = "") throws -> (lines: [String], time: Duration) {
        let started = ContinuousClock.now
        let lines = try desktop.run("baton continue org.example.editing --no-handler \(words)")
        return (lines, ContinuousClock.now - started)
    }

    @Test func `an activity is continued and taken over from a running machine`() throws {
        try start()
        let (lines, _) = try goOn()
        #expect(lines[0...1] == ["“Draft”", "org.example.editing"] && lines.last == "line = 42", "\(lines)")
        #expect(lines[2].firstMatch(of: /^fresh from “laptop”, [0-9.]+ ms$/) != nil, "\(lines)")
        try eventually("a laptop that was told") {
            try laptop.run("baton list").last?.hasSuffix("continued on desktop") == true
        }
        let (taken, _) = try goOn("--take")
        #expect(taken[2].hasSuffix(" ms; it has ended there"), "\(taken)")
        #expect(taken.last == "It is now the activity of this shell.", "\(taken)")
        let time = ContinuousClock.now
        try eventually("the offer is the desktop's alone") {
            let list = try account[0].list()
            return list.count == 1 && list[0]["device"]["name"] == .string("desktop")
        }
        // The promise is one second; the rest is for a machine that is busy with other tests.
        #expect(ContinuousClock.now - time < .seconds(5))
        #expect(try laptop.run("baton list").last?.contains("  desktop  app   Draft") == true)
        #expect(try desktop.run("baton finish").last?.hasPrefix("Finished “Draft”") == true)
        try account[0].waitForEnd(ofActivityTitled: "Draft")
        #expect(try laptop.run("baton list --finished").last?.contains("  Draft") == true)
    }

    @Test func `an activity is continued while its app is stopped`() throws {
        try laptop.type("sleep 600 | python3 \(root)/Examples/notes.py shopping.txt &")
        try account[1].waitForActivity(titled: "shopping.txt")
        let fresh = try desktop.run("baton continue org.example.notes.edit --no-handler")
        #expect(fresh[2].hasPrefix("fresh from its app on “laptop”, "), "\(fresh)")
        try laptop.run("kill -STOP %1; echo stopped")
        let lines = try desktop.run("baton continue org.example.notes.edit --no-handler")
        #expect(
            lines[2].hasPrefix("from the node of “laptop”, since its app did not answer: as it was "),
            "\(lines)")
        #expect(lines.contains("file = shopping.txt"))
    }

    @Test func `an activity is continued while its node is stopped`() throws {
        try start()
        account[0].signalNode(SIGSTOP)
        defer { account[0].signalNode(SIGCONT) }
        let (lines, time) = try goOn()
        #expect(lines[2].hasPrefix("“laptop” could not be reached: as it was "), "\(lines)")
        #expect(time >= Limits().continuingTime && time < .seconds(10), "\(time)")
    }

    @Test func `an activity is taken over while its node is dead, and its device learns of it later`() throws
    {
        try start()
        account[0].killNode()
        let (lines, _) = try goOn("--take")
        #expect(lines[2].hasPrefix("“laptop” could not be reached: as it was "), "\(lines)")
        #expect(
            lines[2].hasSuffix("; it will end there")
                && lines.last == "It is now the activity of this shell.", "\(lines)")
        try account[0].startNode()
        try eventually("a laptop that was told; \(account[0].log)") {
            let list = try account[0].list()
            return list.count == 1 && list[0]["device"]["name"] == .string("desktop")
        }
    }

    @Test func `an activity whose folder is missing is continued once the folder is there`() throws {
        let place = account[1].file("later")
        try laptop.run("baton start org.baton.folder --title Place --info folder=\(place)")
        try account[1].waitForActivity(titled: "Place")
        for option in ["", " --print"] {
            let lines = try desktop.run("baton continue\(option); echo status $?")
            let text = lines.sentence
            #expect(text.contains("baton: “Place” points to the folder “"), "\(lines)")
            #expect(text.contains("Try again once it is; or type `baton forget "), "\(lines)")
            #expect(lines.last == "status 11", "\(lines)")
            #expect(try desktop.run("baton list").last?.contains("  Place") == true)
        }
        // Meanwhile, the person's file synchronisation has brought the folder.
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let there = try desktop.run("cd \"$(baton continue --print 2>/dev/null)\" && pwd -P | tail -c 7")
        #expect(there.last == ".later", "\(there)")
    }

    @Test func `list --watch redraws the list on a terminal`() throws {
        try desktop.type("clear; baton list --watch")
        try eventually("a list: \(desktop.screen)") {
            desktop.screen.last?.hasPrefix("Nothing is going on.") == true
        }
        try laptop.run("baton start org.example.editing --title 报告草稿")
        try eventually("the activity: \(desktop.screen)") {
            desktop.screen.last?.contains("app   报告草稿") == true
        }
        try laptop.run("baton finish")
        try eventually("its end: \(desktop.screen)") {
            desktop.screen.last?.hasPrefix("Nothing is going on.") == true
        }
        #expect(desktop.screen.count <= 2, "\(desktop.screen)")
    }
}
