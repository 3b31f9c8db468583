import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `baton focus` {
    private static let filter = FocusFilter(
        app: "org.example.cafe", intent: "ShowMenu", values: ["menus": ["Lunch"], "size": ["large"]])

    private static func settings(on name: String?) -> FocusSettings {
        FocusSettings(
            [Focus("work", created: Example.now, filters: [filter]), Focus("home", created: Example.now)],
            last: PresentFocus(name, changed: Example.now))
    }

    private static func node(
        _ answer: @escaping @Sendable (any LocalCall) -> FakeAnswer? = { call in
            let name = (call as? SwitchFocus).map(\.name) ?? "work"
            return .reply(FocusesReply(settings(on: name)))
        }
    ) throws -> FakeNode {
        let node = try FakeNode(answer: answer)
        try IntentManifestFile.write(Example.cafe(), in: try node.home)
        return node
    }

    private static func typed(_ node: FakeNode, _ words: String...) -> Typed {
        Typed(["focus", "--home", node.folder.path] + words)
    }

    @Test func `says which focus is on, and switches it`() throws {
        let node = try Self.node()
        #expect(Self.typed(node).output.hasPrefix("“work” is on, since "))
        #expect(Self.typed(node, "home").output.hasPrefix("“home” is on"))
        #expect(Self.typed(node, "off").output == "No focus is on.\n")
        #expect(node.calls.equals(ListFocuses(), SwitchFocus("home"), SwitchFocus(nil)))
    }

    @Test func `lists focuses, and shows one as the commands that make it`() throws {
        let node = try Self.node()
        let list = Self.typed(node, "list").output.split(separator: "\n")
        #expect(list.count == 3 && list[2].hasPrefix("work") && list[2].contains("on"))
        let command = "baton focus set work org.example.cafe ShowMenu --menus=Lunch --size=large\n"
        #expect(Self.typed(node, "show", "work").output == command)
        #expect(Self.typed(node, "show", "home").output == "The focus “home” has no settings.\n")
        let json = Self.typed(node, "list", "--json").output
        #expect(json.hasPrefix(#"{"on":"work","changed":"2026-"#))
        #expect(json.contains(#""values":{"menus":["Lunch"],"size":["large"]}"#))
    }

    @Test func `sets values that the app knows, several for a list`() throws {
        let node = try Self.node()
        let set = Self.typed(
            node, "set", "work", "cafe", "ShowMenu", "--menus", "Lunch", "--menus=Tea", "--size=big")
        #expect(set.status == 0, "\(set)")
        let expected = FocusFilter(
            app: "org.example.cafe", intent: "ShowMenu",
            values: ["menus": ["Lunch", "Tea"], "size": ["large"]])
        #expect(node.calls.equals(ChangeFocus("work", .set(expected))))
    }

    @Test func `a value is left empty by --no, and the command that makes the setting shows it`() throws {
        let node = try Self.node()
        #expect(Self.typed(node, "set", "work", "cafe", "ShowMenu", "--no-menus", "--size=big").status == 0)
        let filter = FocusFilter(
            app: "org.example.cafe", intent: "ShowMenu", values: ["menus": [], "size": ["large"]])
        #expect(node.calls.equals(ChangeFocus("work", .set(filter))))
        let lines = FocusList.lines(of: Focus("work", created: Example.now, filters: [filter]))
        #expect(
            lines.map(\.text) == ["baton focus set work org.example.cafe ShowMenu --no-menus --size=large"])
    }

    @Test(arguments: [
        (["set", "work", "cafe", "OrderDrink"], "OrderDrink is not for a focus. Use one of: ShowMenu."),
        (["set", "work", "cafe", "ShowMenu", "--size", "huge"], "Use one of: small, large."),
        (["set", "work", "cafe", "ShowMenu", "--sze", "small"], "Did you mean --size?"),
        (["set", "work", "cafe", "ShowMenu", "--size", "small", "--size", "large"], "given twice"),
        (["set", "work", "cafe", "ShowMenu", "--size"], "--size needs a value"),
        (["set", "work", "cafe"], "Missing arguments."),
        (["add"], "Missing argument: NAME."),
        (["work", "home"], "Unexpected argument: home."),
    ])
    func `explains mistakes before the node is asked`(words: [String], text: String) throws {
        let node = try Self.node()
        let typed = Typed(["focus", "--home", node.folder.path] + words)
        #expect(typed.status == 2 && typed.errors.contains(text), "\(typed)")
        #expect(node.calls.isEmpty)
    }

    @Test func `names the nearest focus for a misspelt one`() throws {
        let node = try Self.node { call in
            call is ListFocuses
                ? .reply(FocusesReply(Self.settings(on: nil))) : .failure(LocalFailure(.notFound, "unknown"))
        }
        let typed = Self.typed(node, "wrok")
        #expect(typed.status == 11 && typed.errors.contains("Did you mean `baton focus work`?"), "\(typed)")
    }

    @Test func `removes settings also of an app that is not here`() throws {
        let node = try Self.node()
        #expect(Self.typed(node, "unset", "work", "org.example.gone").status == 0)
        #expect(Self.typed(node, "unset", "work", "cafe", "ShowMenu").status == 0)
        #expect(
            node.calls.equals(
                ChangeFocus("work", .unset(app: "org.example.gone", intent: nil)),
                ChangeFocus("work", .unset(app: "org.example.cafe", intent: "ShowMenu"))))
    }

    @Test func `a value may begin with an accent, which is one character with the sign before it`() throws {
        let app = Example.cafe()
        let intent = try #require(app.intent(named: "ShowMenu"))
        let arguments = try IntentArguments(["--menus=\u{301}x"], of: intent, in: app)
        #expect(arguments.values == ["menus": ["\u{301}x"]])
    }
}
