import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

/// The commands about intents and entities, with a node that is acted.
@Suite struct `Intents on the command line` {
    /// A node on whose home apps have declared their intents.
    private static func node(
        _ apps: [IntentManifest] = [Example.cafe()],
        _ answer: @escaping @Sendable (any LocalCall) -> FakeAnswer? = { _ in nil }
    ) throws -> FakeNode {
        let node = try FakeNode(answer: answer)
        for app in apps { try IntentManifestFile.write(app, in: try node.home) }
        return node
    }

    /// Runs a command whose options come before its operands, as those of `baton run` must.
    private static func typed(_ node: FakeNode, _ name: String, _ words: String...) -> Typed {
        Typed([name, "--home", node.folder.path] + words)
    }

    // MARK: Listing and running

    @Test func `baton intents lists what apps can do, without deprecated intents`() throws {
        let node = try Self.node()
        let list = Self.typed(node, "intents")
        #expect(list.status == 0 && list.errors.isEmpty)
        #expect(list.output.contains("Café  OrderDrink") && list.output.contains("--drink [--size]"))
        #expect(
            !list.output.contains("OldOrder")
                && Self.typed(node, "intents", "--all").output.contains("OldOrder"))
        let one = Self.typed(node, "intents", "cafe").output
        #expect(one.hasPrefix("Café (org.example.cafe)\n") && one.contains("[--size] small|large"))
        #expect(one.contains("Drink (entity): name, rating") && one.contains("order a latte"))
        let json = Self.typed(node, "intents", "--json").output
        #expect(json.hasPrefix(#"{"apps":[{"version":1,"app":"org.example.cafe""#))
        #expect(node.calls.isEmpty, "the node is asked for nothing")
    }

    @Test func `baton intents forgets a removed app`() throws {
        let node = try Self.node()
        #expect(Self.typed(node, "intents", "--forget", "org.example.cafe").status == 0)
        #expect(Self.typed(node, "intents").output.hasPrefix("No app of this machine has intents."))
        #expect(Self.typed(node, "intents", "--forget", "org.example.cafe").status == 11)
    }

    @Test func `baton run replaces itself with the app, and passes all words on`() throws {
        let node = try Self.node()
        let run = Self.typed(
            node, "run", "cafe", "OrderDrink", "--drink=1", "--size", "large", "--json", "--", "-x")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(
            run.started == [
                [
                    "/bin/true", "--cafe", "intents", "run", "OrderDrink", "--drink=1", "--size", "large",
                    "--json",
                    "--", "-x",
                ]
            ])
        let json = Self.typed(node, "run", "--json", "cafe", "order a drink", "--drink=1")
        #expect(json.started.first?.suffix(4) == ["run", "--json", "OrderDrink", "--drink=1"])
    }

    @Test func `baton run offers what is on a screen first, if a parameter needs it`() throws {
        let node = try Self.node { call in
            guard call is ListActivities else { return nil }
            var summary = Example.summary()
            summary.app = "org.example.cafe"
            summary.activity.entity = Activity.Entity(type: "Drink", identifier: "7")
            return .reply(ActivitiesReply([summary], isLast: true))
        }
        let asked = Self.typed(node, "run", "cafe", "OrderDrink")
        #expect(asked.started.first?.contains(["--on-screen", "Drink/7"]) == true, "\(asked)")
        let given = Self.typed(node, "run", "cafe", "OrderDrink", "--drink=1")
        #expect(given.started.first?.contains("--on-screen") == false)
    }

    @Test func `unknown apps and intents are errors that name the nearest`() throws {
        let node = try Self.node()
        let app = Self.typed(node, "run", "org.example.caffe", "OrderDrink")
        #expect(
            app.status == 11 && app.errors.contains("Did you mean org.example.cafe?") && app.started.isEmpty)
        let intent = Self.typed(node, "run", "cafe", "OrderDrnk")
        #expect(intent.status == 11 && intent.errors.contains("Did you mean OrderDrink?"))
    }

    @Test func `a deprecated intent names its replacement`() throws {
        let run = Self.typed(try Self.node(), "run", "cafe", "OldOrder")
        #expect(run.errors.contains("OldOrder is deprecated: it knows no sizes. Use OrderDrink instead."))
        #expect(run.started.count == 1)
    }

    @Test func `an app that was removed is an error that says what to do`() throws {
        var gone = Example.cafe()
        gone.program = ["/nonexistent/cafe"]
        let run = Self.typed(try Self.node([gone]), "run", "cafe", "OrderDrink")
        #expect(run.status == 1 && run.started.isEmpty)
        #expect(run.errors.contains("baton intents --forget org.example.cafe"))
    }

    @Test func `baton do runs the shortcut of a phrase as a guess`() throws {
        let node = try Self.node()
        let run = Self.typed(node, "do", "order", "a", "large", "latte")
        #expect(run.started.first?.suffix(4) == ["--guessed", "OrderDrink", "--drink=latte", "--size=large"])
        let print = Self.typed(node, "do", "--print", "order a latte")
        #expect(
            print.started.isEmpty && print.output == "baton run org.example.cafe OrderDrink --drink=latte\n")
    }
}
