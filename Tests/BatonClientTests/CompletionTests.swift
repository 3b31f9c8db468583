import BatonClient
import BatonCore
import Support
import Testing

@Suite struct `What may follow` {
    private static let commands = [
        CommandSpecification(
            "send", "Send.", operands: [.required("DEVICE"), .choice("HOW", ["now", "later"])],
            options: [
                .value("config", "FILE", "a file"), .flag("yes", "do it"),
                .value("info", "KEY", "a key", repeats: true),
            ]),
        CommandSpecification(
            "index", "Index.", operands: [.required("APP"), .optional("ID")], isOfAccount: false),
        CommandSpecification("run", "Run.", operands: [.required("TYPE"), .repeated("COMMAND")]),
        CommandSpecification("help", "Help.", operands: [.optional("COMMAND")]),
    ]

    private func request(_ words: String...) -> CompletionRequest {
        CompletionRequest(words, among: Self.commands)
    }

    private func words(_ words: String...) -> [String] {
        let request = CompletionRequest(words, among: Self.commands)
        guard case .words(let candidates) = request.place else { return [] }
        return request.fitting(candidates).map(\.word)
    }

    @Test func `is a command, then what that takes`() {
        #expect(words("") == ["send", "index", "run", "help"] && words("in") == ["index"])
        #expect(request("send", "").place == .devices)
        #expect(words("send", "laptop", "") == ["now", "later"] && words("send", "laptop", "l") == ["later"])
        #expect(request("send", "laptop", "now", "").place == .nothing)
        #expect(request("index", "app", "").place == .nothing, "an app's items are its own business")
        #expect(request("run", "").place == .types && request("run", "t", "--", "a", "b").place == .files)
        #expect(words("help", "s") == ["send"] && request("nonsense", "").place == .words(request("").all))
    }

    @Test func `is an option that was not given, or its value`() {
        #expect(words("send", "--y") == ["--yes"] && words("send", "--yes", "--y").isEmpty)
        #expect(words("send", "--info", "x", "--in") == ["--info"], "it may be repeated")
        #expect(request("send", "--config", "").place == .files && request("--home", "/").place == .folders)
        #expect(request("send", "--account", "").place == .accounts)
        #expect(!words("index", "--").contains("--account") && words("send", "--").contains("--account"))
        let attached = request("send", "--config=/et")
        #expect(attached.place == .files && attached.head == "--config=" && attached.beginning == "/et")
        #expect(request("send", "--", "--y").place == .devices)
        #expect(request("send", "--home", "/x", "--account=club", "").home == "/x")
        #expect(request("send", "--home", "/x", "--account=club", "").account == "club")
    }

    @Test func `is asked of the node, and nothing hostile comes to the shell`() throws {
        let hostile = DeviceReference(
            identifier: DeviceIdentifier(high: 1, low: 1), name: "evil\u{1b}[2J\nfake", isHere: false)
        var status = Example.peer()
        status.device = hostile
        let statuses = [status, Example.peer()]
        let node = try FakeNode { request in
            switch request {
            case is ListDevices: .reply(DevicesReply(statuses))
            default: .reply(ActivitiesReply([Example.summary(title: "Re\u{1b}port")], isLast: true))
            }
        }
        let typed = Typed(["complete", "--", "--home", node.folder.path, "revoke", ""])
        #expect(typed.status == 0 && typed.output == "words\ndesktop\tdevice\n")
        let activities = Typed(["complete", "--", "--home", node.folder.path, "continue", ""]).output
        #expect(activities == "words\nk3v9q2m\tRe\\u{1b}port\norg.example.editing\ttype\n")
        // Where no node answers, nobody is told so.
        #expect(
            Typed(["complete", "--", "--home", "/nonexistent", "revoke", ""])
                == Typed(["complete", "--", "--home", "/nonexistent", "remove", ""]))
        #expect(Typed(["complete", "--", "--home", "/nonexistent", "revoke", ""]).output == "words\n")
        #expect(
            Typed(["complete", "--", "--home", "/nonexistent", "start", "org.baton.f"]).output.contains(
                "org.baton.file\t"))
    }

    @Test func `is known for every operand that is a choice`() {
        for name in ["service", "index", "settings", "completions"] {
            #expect(Typed(["complete", "--", name, ""]).output.split(separator: "\n").count > 2, "\(name)")
        }
        #expect(!Typed(["help"]).output.contains("  complete "), "it is for no person")
        #expect(Typed(["completions", "tcsh"]).status == 2)
    }
}

extension CompletionRequest {
    /// What stands in its place, if these are words.
    fileprivate var all: [CompletionPlace.Candidate] { if case .words(let all) = place { all } else { [] } }
}
