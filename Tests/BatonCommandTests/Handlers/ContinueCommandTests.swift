import BatonCommand
import BatonCore
import ClientSupport
import Support
import Synchronization
import Testing
import baton

@Suite struct `baton continue with handlers` {
    /// A node that continues one activity.
    private func node(
        _ type: String, _ info: [PropertyValue: PropertyValue], title: String = "Report"
    ) throws -> FakeNode {
        var summary = Example.summary(title: title, info: info)
        summary.activity.type = type
        let answer = summary
        return try FakeNode { request in
            if request is ListActivities { return .reply(ActivitiesReply([answer], isLast: true)) }
            if request is ForgetActivity { return .reply(answer) }
            return .reply(ContinuedActivity(summary: answer, source: .replica))
        }
    }

    @Test func `continue starts the handler's command, and reports on standard error`() throws {
        let node = try node("org.baton.manual", [.string("page"): .string("ls")])
        let typed = Typed(node, "continue")
        #expect(typed.started == [["man", "--", "ls"]] && typed.status == 0 && typed.output.isEmpty)
        #expect(
            typed.errors.hasPrefix("“Report”, “desktop” could not be reached: as it was "))
    }

    @Test func `continue with --print, --json or --no-handler starts nothing`() throws {
        let node = try node("org.baton.manual", [.string("page"): .string("it's")])
        let printed = Typed(node, "continue", "--print")
        #expect(printed.output == "man -- 'it'\\''s'\n" && printed.started.isEmpty && printed.status == 0)
        let json = Typed(node, "continue", "--json")
        #expect(json.started.isEmpty)
        #expect(
            json.output.hasSuffix(
                #""handler":{"type":"org.baton.manual","from":"built in","run":["man","--","it's"],"cd":null,"#
                    + #""app":null,"trouble":null}}"# + "\n"))
        let bare = Typed(node, "continue", "--no-handler")
        #expect(bare.started.isEmpty && bare.errors.isEmpty && bare.output.hasSuffix("\npage = it's\n"))
        #expect(Typed(node, "continue", "--no-handler", "--print").status == 2)
    }

    @Test func `continue --print prints only the folder`() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("a 'b")
        let path = folder.path + "/a 'b"
        let node = try node("org.baton.folder", [.string("folder"): .string(path)])
        #expect(Typed(node, "continue", "--print").output == path + "\n")
        let typed = Typed(node, "continue")
        #expect(typed.output.hasSuffix("\nGo there: cd '\(folder.path)/a '\\''b'\n") && typed.started.isEmpty)
    }

    @Test func `continue --print refuses invisible characters`() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("a\u{200b}b")
        let path = folder.path + "/a\u{200b}b"
        let node = try node("org.baton.folder", [.string("folder"): .string(path)])
        let typed = Typed(node, "continue", "--print")
        #expect(typed.status == 1 && typed.output.isEmpty && typed.errors.contains("a\\u{200b}b"))
    }

    @Test func `continue describes an activity that can't be continued, and says why`() throws {
        let node = try node("org.baton.folder", [.string("folder"): .string("/no/such")])
        let typed = Typed(node, "continue")
        #expect(typed.status == 11 && typed.output.hasPrefix("“Report”\norg.baton.folder\n"))
        #expect(typed.errors.contains("the folder “/no/such”, which is not on this machine."))
        let printed = Typed(node, "continue", "--print")
        #expect(printed.status == 11 && printed.output.isEmpty)
        #expect(Typed(node, "continue", "--json").output.contains(#""trouble":"“Report” points to"#))
    }

    @Test func `continue says how to add a handler if there is none`() throws {
        let node = try node("org.example.x", [:])
        let typed = Typed(node, "continue")
        #expect(typed.status == 0 && typed.errors.contains("`baton help handlers`"))
        #expect(Typed(node, "continue", "--json").output.hasSuffix("\"handler\":null}\n"))
    }

    @Test func `continue, show and handlers fail if the configuration file has an error`() throws {
        let node = try node("org.example.x", [:])
        let path = node.folder.path + "/c.json5"
        try File.write("{\n  handlers: { x }\n}", to: path)
        let typed = Typed(node, "continue", "--config", path)
        #expect(typed.status == 2 && node.calls.isEmpty)
        #expect(typed.errors.hasPrefix("baton: \(path):2:17: expected a colon after `x`"))
        #expect(Typed(node, "continue", "--config", path, "--no-handler").status == 0)
        #expect(Typed(["handlers", "--config", path]).status == 2)
        #expect(Typed(node, "show", "x", "--config", path).status == 2)
    }

    @Test func `baton handlers lists each handler and its source`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c.json5"
        try File.write(
            "{ handlers: { x: { run: ['v', \"it's {file}\"] }, 'org.baton.web': false } }", to: path)
        let lines = Typed(["handlers", "--config", path]).output.split(separator: "\n")
        #expect(lines.count == 10, "\(lines)")
        #expect(
            lines.contains { $0.hasPrefix("x ") && $0.contains(#"v 'it'\''s {file}'"#) && $0.hasSuffix(":1") }
        )
        #expect(lines.contains { $0.hasPrefix("org.baton.web ") && $0.contains("switched off") })
        #expect(lines.contains { $0.hasPrefix("org.baton.file ") && $0.hasSuffix("built in") })
        let json = Typed(["handlers", "--json"]).output
        #expect(
            json.contains(
                #"{"type":"org.baton.web","run":null,"as":"org.baton.web","app":null,"from":"built in"}"#))
        for line in Typed(["handlers", "--config", path], width: 40).output.split(separator: "\n").prefix(6) {
            #expect(CellWidth.of(line) <= 40)
        }
    }

    @Test func `baton show prints everything about an activity`() throws {
        let hostile = "a\u{1b}[2J\nbaton: x\u{202e}"
        let node = try node("org.baton.manual", [.string("page"): .string(hostile)], title: hostile)
        let typed = Typed(node, "show", "k3v")
        #expect(typed.status == 0 && typed.errors.isEmpty)
        #expect(!typed.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202e}" })
        let lines = typed.output.split(separator: "\n")
        #expect(lines.contains("type: org.baton.manual") && lines.contains("id: k3v9q2mx7abc"))
        #expect(lines.last?.hasPrefix("continue: not possible: ") == true)
        #expect(node.calls.equals(ListActivities(.withForgotten)))
        #expect(
            Typed(node, "show", "org.baton.manual", "--json").output.hasPrefix(#"{"activity":{"id":"k3v"#))
        #expect(Typed(node, "show", "zzz").status == 11)
    }
}
