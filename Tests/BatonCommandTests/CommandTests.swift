import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `Commands with a fake node` {
    @Test func `baton list shows activities without control characters from their titles`() throws {
        let hostile = "\u{1b}]0;pwned\u{7}\u{1b}[2J\nfake  line\u{202e}"
        let node = try FakeNode { _ in
            .reply(ActivitiesReply([Example.summary(title: hostile, info: [:])], isLast: true))
        }
        let typed = Typed(node, "list")
        #expect(typed.status == 0 && typed.errors.isEmpty)
        let lines = typed.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("ID       DEVICE   KIND"))
        #expect(lines[1].contains("\\u{1b}]0;pwned\\u{7}\\u{1b}[2J\\nfake  line\\u{202e}"))
        #expect(!typed.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        let narrow = Typed(node, "list", width: 40).output.split(separator: "\n")
        for line in narrow { #expect(CellWidth.of(line) <= 40) }
    }

    @Test func `baton list shows IDs long enough to tell activities apart, and where they were continued`()
        throws
    {
        var continued = Example.summary("abcdefgh2222", device: Example.laptop)
        continued.continuedOn = "desktop"
        continued.activity.continuation = .init(device: Example.desktop.identifier, time: Example.now)
        let summaries = [Example.summary("abcdefgh1111"), continued]
        let node = try FakeNode { _ in .reply(ActivitiesReply(summaries, isLast: true)) }
        let lines = Typed(node, "list").output.split(separator: "\n")
        #expect(lines[1].hasPrefix("abcdefgh1  desktop") && lines[2].hasPrefix("abcdefgh2  here"))
        #expect(lines[2].hasSuffix("continued on desktop"))
        let json = Typed(node, "list", "--json").output
        #expect(
            json.hasPrefix(#"{"activities":[{"id":"abcdefgh1111","device":{"id":""#)
                && json.hasSuffix("}]}\n"))
        #expect(json.contains(#""continued":null,"finished":null,"#))
        #expect(json.contains(#""name":"desktop"},"at":"2026-11-20T21:04:05.123Z"},"finished":null,"#))
    }

    @Test func `baton list reports that no activity is current`() throws {
        let node = try FakeNode { _ in .reply(ActivitiesReply([], isLast: true)) }
        #expect(Typed(node, "list").output.hasPrefix("Nothing is going on."))
        #expect(Typed(node, "list", "--json").output == "{\"activities\":[]}\n")
    }

    @Test func `baton start starts an activity for the shell, or under a name`() throws {
        let node = try FakeNode { _ in .reply(Example.summary()) }
        let typed = Typed(
            node, "start", "org.example.editing", "--title", "Report", "--info", "file=/a b", "--info",
            "line:=42", "--url",
            "https://example.org/", "--keyword", "b", "--keyword", "a", "--expires", "10m")
        #expect(typed.status == 0 && typed.output == "Started “Report” (k3v9q2m).\n" && typed.errors.isEmpty)
        let start = try #require(node.calls.first as? StartActivity)
        #expect(start.app == "org.baton.shell" && start.type == "org.example.editing")
        #expect(start.instance == start.lifetime.process.map { "shell-\($0.number)-\($0.started)" })
        #expect(start.change.title == "Report" && start.change.keywords == ["a", "b"])
        #expect(start.change.set == [.string("file"): .string("/a b"), .string("line"): .integer(42)])
        #expect(start.change.webpage == "https://example.org/" && start.change.expiration != nil)
        #expect(
            Typed(node, "start", "a.b", "--instance", "editor", "--json").output.hasPrefix(
                #"{"activity":{"id":"#))
        let named = try #require(node.calls.last as? StartActivity)
        #expect(named.instance == "editor" && named.lifetime == .untilFinished)
    }

    @Test func `update and finish change the named activity, or the shell's own`() throws {
        let node = try FakeNode { request in
            request is DemandUnlocked ? .reply(Done()) : .reply(Example.summary())
        }
        #expect(
            Typed(node, "update", "k3v", "--remove-info", "line").output == "Updated “Report” (k3v9q2m).\n")
        #expect(Typed(node, "finish", "--instance", "editor").output == "Finished “Report” (k3v9q2m).\n")
        var change = ActivityChange()
        change.removed = [.string("line")]
        #expect(
            node.calls.equals(
                DemandUnlocked(), UpdateActivity(.identifier("k3v"), change),
                FinishActivity(.instance(app: "org.baton.shell", instance: "editor"))))
        #expect(Typed(node, "update").status == 2)
    }

    @Test func `update and finish fail if the shell has no activity`() throws {
        let node = try FakeNode { request in
            if request is ListActivities { return .reply(ActivitiesReply([], isLast: true)) }
            return .failure(LocalFailure(.notFound, "no such instance"))
        }
        let typed = Typed(node, "finish")
        #expect(typed.status == 11 && typed.errors.hasPrefix("baton: This shell has no activity.\nName one"))
        #expect(Typed(node, "finish", "zzz").errors == "baton: no such instance\n")
    }

    @Test func `baton continue prints the payload of an activity`() throws {
        let info: [PropertyValue: PropertyValue] = [
            .string("line"): .integer(42), .string("file"): .string("/a\u{1b}[m"),
            .string("at"): .uuid(Array(0..<16)),
        ]
        let node = try FakeNode { _ in
            .reply(ContinuedActivity(summary: Example.summary(info: info), source: .node))
        }
        let other = try FakeNode { _ in
            .reply(ContinuedActivity(summary: Example.summary(info: info), source: .replica))
        }
        let fresh = Typed(node, "continue").output.split(separator: "\n")
        #expect(fresh.prefix(2) == ["“Report”", "org.example.editing"])
        #expect(fresh[2].hasPrefix("fresh from “desktop”, ") && fresh[2].hasSuffix(" ms"))
        #expect(fresh[3].hasPrefix(#"at = {"$uuid":""#))
        #expect(fresh.suffix(2) == ["file = /a\\u{1b}[m", "line = 42"])
        #expect(
            Typed(other, "continue", "k3v").output.contains(
                "“desktop” could not be reached: as it was "))
        let json = Typed(node, "continue", "--last", "--json").output
        #expect(json.contains(#""source":"node","taken":false"#) && json.contains(#""info":{"at":"#))
        #expect(Typed(node, "continue", "k3v", "--last").status == 2)
        #expect(
            node.calls.equals(
                ContinueActivity(.last, step: .fetch),
                ContinueActivity(.named("k3v9q2mx7abc"), step: .confirm, type: "org.example.editing"),
                ContinueActivity(.last, step: .fetch),
                ContinueActivity(.named("k3v9q2mx7abc"), step: .confirm, type: "org.example.editing")
            ))
        #expect(other.calls.prefix(1).equals(ContinueActivity(.named("k3v"), step: .fetch)))
    }

    @Test func `an argument with a colon is reported as a missing file, and not read as a type`() throws {
        let node = try FakeNode { _ in .reply(Example.summary()) }
        for text in ["nofile.md:42", "nofile.md:0", "http:x"] {
            let typed = Typed(node, "start", text)
            #expect(typed.status == 11 && typed.errors.contains("There is no file \(text) here"), "\(typed)")
        }
        #expect(node.calls.isEmpty)
    }

    @Test func `a type that looks like a file name is reported as a missing file`() throws {
        let node = try FakeNode { _ in .reply(Example.summary()) }
        #expect(Typed(node, "start", "nofile.md").output.contains("There is no file nofile.md here"))
        for type in ["editing", "org.example.editing"] {
            #expect(!Typed(node, "start", type).output.contains("no file"), "\(type)")
        }
        #expect(!Typed(node, "start", "nofile.md", "--json").output.contains("no file"))
    }

    @Test func `a missing argument is reported with its possible values`() {
        #expect(
            Typed(["browser"]).errors.hasPrefix(
                "baton: Missing argument: ACTION, one of: install, uninstall, host."))
        #expect(
            Typed(["completions"]).errors.hasPrefix(
                "baton: Missing argument: SHELL, one of: bash, zsh, fish."))
    }

    @Test func `an error message has at most two lines`() throws {
        let node = try FakeNode { _ in .failure(LocalFailure(.tooLarge, "one\ntwo\nbaton: three\u{1b}[m")) }
        let typed = Typed(node, "list")
        #expect(typed.status == 15 && typed.output.isEmpty)
        #expect(typed.errors == "baton: one\ntwo\\nbaton: three\\u{1b}[m\n")
    }

    @Test(arguments: [
        ["frobnicate"], ["liist"], ["list", "x"], ["list", "--nope"], ["list", "--json=1"], ["start"],
        ["start", ""], ["start", "two words"], ["start", "x", "y"], ["start", "x", "--title"],
        ["start", "x", "--title", "a", "--title", "b"], ["start", "x", "--info", "novalue"],
        ["start", "x", "--info", "=v"], ["start", "x", "--info", "n:=nan"],
        ["start", "x", "--info", "a=1", "--info", "a=2"], ["start", "x", "--url", "file:///etc/passwd"],
        ["start", "x", "--expires", "soon"], ["start", "x", "--keyword", ""],
        ["start", "x", "--instance", ""],
        ["update"], ["join"], ["settings", "items"], ["settings", "items", "x"], ["backup", "-"],
        ["continue", "x", "--last"], ["status", "--timeout", "3"], ["status", "--wait", "--timeout", "-1"],
        ["status", "--wait", "--timeout", "nan"], ["help", "frobnicate"], ["--nope"],
    ])
    func `invalid arguments are refused before the node is called`(words: [String]) throws {
        let node = try FakeNode { _ in nil }
        let typed = Typed(words + ["--home", node.folder.path])
        #expect(typed.status == 2 && node.calls.isEmpty, "\(typed)")
        #expect(typed.output.isEmpty && typed.errors.contains("baton: "), "\(typed)")
    }

    @Test func `help, version and suggestions are shown, in lines of at most 80 characters`() {
        #expect(Typed(["help"]).output == Typed(["--help"]).output)
        #expect(Typed(["help", "start"]).output == Typed(["start", "--help"]).output)
        #expect(Typed([]).status == 2 && Typed([]).errors.contains("Commands:"))
        #expect(Typed(["--version"]).output == "baton \(Build.version)\n")
        #expect(Typed(["version", "--json"]).output == "{\"version\":\"\(Build.version)\"}\n")
        #expect(Typed(["help", "strat"]).errors.contains("Did you mean `baton start`?"))
        for (typed, meant) in [("stat", "status"), ("fini", "finish"), ("cont", "continue")] {
            #expect(Typed([typed]).errors.contains("Did you mean `baton \(meant)`?"), "\(Typed([typed]))")
        }
        #expect(Typed(["list"]).errors.hasPrefix("baton: HOME is not set."))
        for name in Typed(["help"]).output.split(separator: "\n").compactMap({
            $0.hasPrefix("  ") ? $0.split(separator: " ").first : nil
        })
        where !name.hasPrefix("-") {
            for line in Typed(["help", String(name)]).output.split(separator: "\n") {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    @Test func `a node of another version is refused, with advice`() throws {
        let hello = LocalHello(version: 0, build: "9.9\u{1b}[2J", process: 4711).frame
        let node = try FakeNode(hello: hello) { _ in nil }
        for words in [["list"], ["status"], ["start", "x"]] {
            let typed = Typed(words + ["--home", node.folder.path])
            #expect(typed.status == 12 && typed.errors.contains("4711"), "\(typed)")
            #expect(
                typed.errors.contains("9.9\\u{1b}[2J") && typed.errors.contains("baton node"), "\(typed)")
        }
    }

    @Test(
        arguments: [
            [], [0, 0, 0, 0x42], [0xff, 0xff, 0xff, 0x40], Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
        ] as [[UInt8]])
    func `a reply from a program that is not a node is refused`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try folder.makeIdentity()
        try folder.makeFolder("run")
        let server = try Listening(atUnix: folder.path + "/run/node.sock")
        server.serve { connection in
            _ = connection.read()
            connection.write(bytes)
        }
        let typed = Typed(["list", "--home", folder.path])
        #expect(typed.status == 1 && typed.errors.hasPrefix("baton: "), "\(typed)")
    }
}
