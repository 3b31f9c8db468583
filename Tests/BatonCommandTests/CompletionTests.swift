import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `Completions` {
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

    @Test func `a command is completed, and then its operands`() {
        #expect(words("") == ["send", "index", "run", "help"] && words("in") == ["index"])
        #expect(request("send", "").place == .devices)
        #expect(words("send", "laptop", "") == ["now", "later"] && words("send", "laptop", "l") == ["later"])
        #expect(request("send", "laptop", "now", "").place == .nothing)
        #expect(request("index", "app", "").place == .nothing, "an app's items are its own business")
        #expect(request("run", "").place == .types && request("run", "t", "--", "a", "b").place == .files)
        #expect(words("help", "s") == ["send"] && request("nonsense", "").place == .words(request("").all))
    }

    @Test func `remaining options and their values are completed`() {
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

    @Test func `names from the node are completed, unless they are dangerous to a shell`() throws {
        let hostile = DeviceReference(
            identifier: DeviceIdentifier(high: 1, low: 1), name: "evil\u{1b}[2J\nfake", isHere: false)
        var status = Example.peer()
        status.device = hostile
        let statuses = [status, Example.peer()]
        let node = try FakeNode { request in
            switch request {
            case is ListDevices: .reply(DevicesReply(statuses))
            default:
                .reply(
                    ActivitiesReply(
                        [Example.summary(title: "Re\u{1b}port"), Example.summary(title: "Budget 2026")],
                        isLast: true))
            }
        }
        let typed = Typed(["complete", "--", "--home", node.folder.path, "revoke", ""])
        #expect(typed.status == 0 && typed.output == "words\ndesktop\tdevice\n")
        let activities = Typed(["complete", "--", "--home", node.folder.path, "continue", ""]).output
        #expect(
            activities == """
                words
                Budget 2026\tapp on desktop
                k3v9q2m\tRe\\u{1b}port
                org.example.editing\ttype

                """)
        let sent = Typed(["complete", "--", "--home", node.folder.path, "finish", ""]).output
        #expect(!sent.contains("Budget 2026\t"), "it takes no titles")
        // Without a node there is no error.
        #expect(
            Typed(["complete", "--", "--home", "/nonexistent", "revoke", ""])
                == Typed(["complete", "--", "--home", "/nonexistent", "remove", ""]))
        #expect(Typed(["complete", "--", "--home", "/nonexistent", "revoke", ""]).output == "words\n")
        #expect(
            Typed(["complete", "--", "--home", "/nonexistent", "start", "org.baton.f"]).output.contains(
                "org.baton.file\t"))
    }

    @Test func `every operand with fixed words is completed`() {
        for name in ["service", "index", "settings", "completions"] {
            #expect(Typed(["complete", "--", name, ""]).output.split(separator: "\n").count > 2, "\(name)")
        }
        #expect(!Typed(["help"]).output.contains("  complete "), "it is for no person")
        #expect(Typed(["completions", "tcsh"]).status == 2)
    }
}

extension CompletionRequest {
    /// The words that are suggested, if it is a place for words.
    fileprivate var all: [CompletionPlace.Candidate] { if case .words(let all) = place { all } else { [] } }
}
