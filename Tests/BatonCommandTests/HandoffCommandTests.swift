import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Synchronization
import Testing

@Suite struct `Commands that hand activities over` {
    @Test func `baton forget hides an activity here, or deletes it everywhere`() throws {
        let node = try FakeNode { _ in .reply(Example.summary()) }
        let forgotten = Typed(node, "forget", "k3v")
        #expect(forgotten.output.hasPrefix("“Report” (k3v9q2m) is hidden on this machine."))
        #expect(forgotten.output.contains("To undo: baton forget --undo k3v9q2m --home "))
        #expect(
            Typed(node, "forget", "k3v", "--everywhere").output
                == "“Report” (k3v9q2m) is deleted on all your machines.\n")
        #expect(
            Typed(node, "forget", "k3v", "--json").output.hasSuffix("}],\"everywhere\":false}\n")
        )
        #expect(
            node.calls.equals(
                ForgetActivity("k3v", everywhere: false), ForgetActivity("k3v", everywhere: true),
                ForgetActivity("k3v", everywhere: false)))
        #expect(Typed(node, "forget").status == 2 && Typed(node, "forget", "").status == 2)
    }

    @Test func `baton forget accepts several IDs, skips unknown IDs, and is undone by --undo`() throws {
        let node = try FakeNode { request in
            let name =
                (request as? ForgetActivity)?.identifier ?? (request as? UnforgetActivity)?.identifier ?? ""
            return name == "no"
                ? .failure(LocalFailure(.notFound, "No activity no."))
                : .reply(Example.summary(name + "2345"))
        }
        let typed = Typed(node, "forget", "aaaaaa", "no", "bbbbbb")
        #expect(typed.status == 11 && typed.errors == "baton: No activity no.\n")
        #expect(typed.output.split(separator: "\n").count == 2)
        let undone = Typed(node, "forget", "--undo", "aaaaaa", "bbbbbb")
        #expect(undone.status == 0)
        #expect(undone.output.hasPrefix("“Report” (aaaaaa2) is shown on this machine again.\n"))
        #expect(node.calls.suffix(2).equals(UnforgetActivity("aaaaaa"), UnforgetActivity("bbbbbb")))
        #expect(Typed(node, "forget", "--undo", "--everywhere", "aaaaaa").status == 2)
    }

    @Test func `baton send sends a named activity or the shell's own`() throws {
        let node = try FakeNode { _ in .reply(Example.summary()) }
        #expect(Typed(node, "send", "desktop", "k3v").output == "“Report” (k3v9q2m) is offered on desktop.\n")
        #expect(Typed(node, "send", "desktop", "--instance", "notes").status == 0)
        #expect(
            node.calls.equals(
                SendActivity(.identifier("k3v"), to: "desktop"),
                SendActivity(.instance(app: "org.baton.shell", instance: "notes"), to: "desktop")))
        let lonely = try FakeNode { request in
            if request is ListActivities { return .reply(ActivitiesReply([], isLast: true)) }
            return .failure(LocalFailure(.notFound, "none"))
        }
        #expect(Typed(lonely, "send", "desktop").errors.hasPrefix("baton: This shell has no activity.\n"))
    }

    @Test func `baton list shows remarks such as “sent to you” and “private”`() throws {
        var sent = Example.summary("aaaaaaaa")
        sent.isSentHere = true
        var taken = Example.summary("bbbbbbbb", device: Example.laptop)
        (taken.continuedOn, taken.activity.isTaken) = ("desktop", true)
        taken.activity.finished = Example.now
        var hidden = Example.summary("cccccccc")
        (hidden.isPrivate, hidden.isForgotten) = (true, true)
        let answer = [sent, taken, hidden]
        let node = try FakeNode { _ in .reply(ActivitiesReply(answer, isLast: true)) }
        let lines = Typed(node, "list", "--all").output.split(separator: "\n")
        #expect(lines[1].hasSuffix("  sent to you") && lines[2].hasSuffix("  taken over by desktop"))
        #expect(lines[3].hasSuffix("  forgotten, private"))
        #expect(Typed(node, "list", "--finished").output.hasPrefix("ID       DEVICE   KIND"))
        #expect(
            node.calls.equals(ListActivities(.withForgotten), ListActivities(.finished)))
        #expect(Typed(node, "list", "--all", "--finished").status == 2)
        let empty = try FakeNode { _ in .reply(ActivitiesReply([], isLast: true)) }
        #expect(Typed(empty, "list", "--finished").output == "No finished activities are stored.\n")
    }

    /// Continues an activity whose state comes from that source.
    private func continued(
        _ source: ContinuedActivity.Source, app: String = "org.example.editor", isTaken: Bool = false,
        finished: WallTime? = nil
    ) throws -> String {
        var summary = Example.summary()
        (summary.app, summary.activity.finished) = (app, finished)
        summary.activity.changed = LocalClock.now.advanced(by: .seconds(-125))
        let answer = ContinuedActivity(summary: summary, source: source, isTaken: isTaken)
        let node = try FakeNode { _ in .reply(answer) }
        let typed = Typed(node, "continue", "--no-handler")
        #expect(typed.status == 0, "\(typed)")
        return String(typed.output.split(separator: "\n")[2])
    }

    @Test func `baton continue reports the source and the age of the state`() throws {
        #expect(try continued(.app).firstMatch(of: /^fresh from its app on “desktop”, [0-9.]+ ms$/) != nil)
        #expect(
            try continued(.node)
                == "from the node of “desktop”, since its app did not answer: as it was 2 minutes ago")
        #expect(
            try continued(.node, app: "org.baton.shell").firstMatch(of: /^fresh from “desktop”, [0-9.]+ ms$/)
                != nil)
        #expect(try continued(.replica) == "“desktop” could not be reached: as it was 2 minutes ago")
        #expect(
            try continued(.replica, isTaken: true)
                == "“desktop” could not be reached: as it was 2 minutes ago; it will end there")
        #expect(
            try continued(.finished, finished: LocalClock.now.advanced(by: .seconds(-1830)))
                == "finished on “desktop” 30 minutes ago")
    }

    @Test func `baton continue --print without a handler prints nothing and takes over nothing`() throws {
        var stream = Example.summary()
        let answer = stream
        stream.activity.supportsStreams = true
        let offered = stream
        let node = try FakeNode { _ in
            .reply(ContinuedActivity(summary: answer, source: .app, isTaken: false))
        }
        let typed = Typed(node, "continue", "--print", "--take")
        #expect(
            typed.status == 1 && typed.output.isEmpty
                && node.calls.equals(ContinueActivity(.last, step: .fetch)))
        #expect(typed.errors.contains("Nothing here continues \(answer.activity.type): see"), "\(typed)")
        let other = try FakeNode { _ in
            .reply(ContinuedActivity(summary: offered, source: .app, isTaken: false))
        }
        #expect(Typed(other, "continue").errors.contains("--stream` to connect to it."))
    }

    @Test
    func `baton continue --take takes over an activity that can continue here, and starts it in the shell`()
        throws
    {
        var summary = Example.summary(info: [.string("page"): .string("ls")])
        summary.activity.type = "org.baton.manual"
        summary.activity.keywords = ["a"]
        let answer = summary
        let node = try FakeNode { request in
            switch request {
            case let call as ContinueActivity:
                .reply(ContinuedActivity(summary: answer, source: .app, isTaken: call.takes))
            default: .reply(answer)
            }
        }
        let typed = Typed(node, "continue", "--take")
        #expect(typed.status == 0 && typed.started == [["man", "--", "ls"]], "\(typed)")
        #expect(typed.errors.hasSuffix("ms; it has ended there\nIt is now the activity of this shell.\n"))
        let calls = node.calls
        try #require(calls.count == 3)
        #expect(
            calls.prefix(2).equals(
                ContinueActivity(.last, step: .fetch),
                ContinueActivity(
                    .named("k3v9q2mx7abc"), takes: true, step: .confirm, type: "org.baton.manual")))
        let start = try #require(calls[2] as? StartActivity)
        #expect(start.app == "org.baton.shell" && start.lifetime.process != nil)
        #expect(start.type == "org.baton.manual" && start.change.keywords == ["a"] && start.change.replaces)
        #expect(start.change.set == answer.activity.info && start.change.title == "Report")
    }

    @Test func `an activity in a repository without a clone here is refused in two lines, with advice`()
        throws
    {
        let identity = RepositoryIdentity(remotes: ["example.org/x"], firstCommit: nil)
        var summary = Example.summary(info: [
            .string("folder"): .string("/no/such"),
            .string("repository"): Repository(root: "/no/such", identity: identity).value(root: "/no/such"),
        ])
        summary.activity.type = "org.baton.folder"
        let answer = summary
        let node = try FakeNode { _ in .reply(ContinuedActivity(summary: answer, source: .app)) }
        let typed = Typed(node, "continue")
        #expect(typed.status == 11)
        #expect(
            typed.errors
                == "baton: “Report” is in /no/such, which is not on this machine.\n"
                + "No shell of this machine has visited a clone of example.org/x. Go to your clone once, or clone it. "
                + "Then try again; or type `baton forget k3v9q2m` to hide the activity on this machine.\n")
    }

    @Test func `an activity whose folder is missing here is not taken over, and stays current on its device`()
        throws
    {
        var summary = Example.summary(info: [.string("folder"): .string("/no/such")])
        summary.activity.type = "org.baton.folder"
        let answer = summary
        let node = try FakeNode { request in
            if request is ContinueActivity {
                return .reply(ContinuedActivity(summary: answer, source: .app))
            }
            return .reply(answer)
        }
        let typed = Typed(node, "continue", "--take")
        #expect(typed.status == 11 && typed.started.isEmpty)
        #expect(
            typed.errors
                == "baton: “Report” points to the folder “/no/such”, which is not on this machine.\n"
                + "Try again once it is; or type `baton forget k3v9q2m` to hide the activity on this machine.\n"
        )
        #expect(Typed(node, "continue", "--print").status == 11)
        #expect(Typed(node, "continue", "--json").status == 0)
        #expect(
            node.calls.equals(
                ContinueActivity(.last, step: .fetch), ContinueActivity(.last, step: .fetch),
                ContinueActivity(.last, step: .fetch)))
    }

    @Test func `baton continue --type continues only an activity of that type`() throws {
        let text = "The app has begun another activity in place of this one.\nSee `baton list`."
        let node = try FakeNode { _ in .failure(LocalFailure(.notFound, text)) }
        let typed = Typed(node, "continue", "k3v", "--type", "org.example.page")
        #expect(typed.status == 11 && typed.errors == "baton: \(text)\n")
        #expect(
            node.calls.equals(ContinueActivity(.named("k3v"), step: .fetch, type: "org.example.page")))
        #expect(Typed(node, "continue", "k3v", "--type", "org.example.page", "--stream").status == 2)
    }

    @Test func `baton continue reports an activity that another machine has taken over`() throws {
        let text = "“Draft” was continued on “laptop” 3 minutes ago.\nSee `baton list`."
        let node = try FakeNode { _ in .failure(LocalFailure(.takenOver, text)) }
        let typed = Typed(node, "continue", "k3v")
        #expect(typed.status == 19 && typed.errors == "baton: \(text)\n")
    }

    @Test func `baton continue hands an activity to a running app that registered for it`() throws {
        let editor = AppRegistration(
            AppName(app: "org.example.editor", instance: "1"), types: ["org.example.*"], title: "Editor")
        let node = try FakeNode(apps: [editor]) { _ in
            .reply(ContinuedActivity(summary: Example.summary(), source: .app))
        }
        let typed = Typed(node, "continue")
        #expect(
            typed.status == 0 && typed.output.hasSuffix("ms\n“Report” continues in Editor.\n"), "\(typed)")
        #expect(
            node.calls.equals(
                ContinueActivity(.last, step: .fetch),
                ContinueActivity(
                    .named("k3v9q2mx7abc"), handler: editor.name, type: "org.example.editing")))
        #expect(Typed(node, "continue", "--print").errors.contains("Editor continues it"))
        #expect(
            Typed(node, "continue", "--json").output.contains(
                #""app":{"id":"org.example.editor","instance":"1","title":"Editor"},"trouble":null}"#))
        let lines = Typed(node, "handlers").output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("org.example.* ") && $0.hasSuffix("  registered") })
    }

    @Test func `run-with without a command or with a malformed name is refused`() throws {
        #expect(Typed(["run-with", "x"]).errors.hasPrefix("baton: Missing argument: COMMAND."))
        #expect(Typed(["run-with", "x y", "--", "true"]).status == 2)
    }
}

@Suite struct `The order of handlers` {
    private let app = AppRegistration(
        AppName(app: "org.example.app", instance: ""), types: ["a.b", "org.baton.web"])

    private func source(_ file: String, _ type: String) throws -> Handler.Source? {
        let configuration = try Configuration(Array("{handlers: {\(file)}}".utf8), from: "c")
        return HandlerRegistry(configuration, apps: [app]).handler(for: type)?.source
    }

    @Test func `configured handlers take precedence over apps, and apps over built-in handlers`() throws {
        #expect(try source("", "a.b") == .app)
        #expect(try source("", "org.baton.web") == .app)
        #expect(try source("", "org.baton.file") == .builtIn)
        #expect(try source("'a.b': false", "a.b") == .file("c", line: 1))
        #expect(try source("'a.*': false", "a.b") == .file("c", line: 1))
        // A handler for `*` is only for types without another handler.
        #expect(try source("'*': false", "a.b") == .app)
        #expect(try source("'*': false", "x") == .file("c", line: 1))
        #expect(try source("'*': false", "org.baton.file") == .builtIn)
        #expect(try source("'a.*': false", "org.baton.web") == .app)
    }
}
