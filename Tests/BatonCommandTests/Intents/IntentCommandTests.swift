import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Foundation
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

    // MARK: Listing

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

    @Test func `baton intents forgets what the account knows about a removed app`() throws {
        let node = try Self.node { call in
            switch call {
            case is ListEntityTypes: .reply(EntityTypesReply([Example.note]))
            case is ForgetEntityTypes: .reply(Done())
            default: nil
            }
        }
        // The app has no manifest here, and its title is known from the account.
        let forgotten = Self.typed(node, "intents", "--forget", "notes")
        #expect(forgotten.status == 0 && forgotten.errors.isEmpty, "\(forgotten)")
        #expect(node.calls.last as? ForgetEntityTypes == ForgetEntityTypes(of: "org.example.notes"))
        let other = Self.typed(node, "intents", "--forget", "org.example.cafe")
        #expect(other.status == 0 && node.calls.last is ListEntityTypes, "\(other)")
    }

    @Test func `baton intents says that other machines still know an app that was forgotten without a node`()
        throws
    {
        let node = try Self.node()
        node.stop()
        let forgotten = Self.typed(node, "intents", "--forget", "cafe")
        #expect(forgotten.status == 0 && forgotten.output.hasPrefix("Forgot the intents"), "\(forgotten)")
        #expect(forgotten.errors.contains("Your other machines may still know its types"), "\(forgotten)")
    }

    // MARK: Declaring

    /// Types `baton intents --declare` with a file of this text.
    private static func declared(_ text: String, on node: FakeNode, _ words: [String]) throws -> Typed {
        let file = node.folder.path + "/declaration.json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return Typed(["intents", "--home", node.folder.path, "--declare", file] + words)
    }

    @Test func `baton intents declares what a program can do, and a node is not needed`() throws {
        let node = try Self.node()
        let text = """
            {"title": "Shop", "program": ["/bin/true"],
             "intents": [{"name": "Order", "title": "Order"}]}
            """
        let typed = try Self.declared(text, on: node, ["org.example.shop"])
        #expect(typed.status == 0, "\(typed)")
        #expect(typed.output.hasPrefix("Declared 1 intent for org.example.shop."))
        #expect(Self.typed(node, "intents", "shop").output == "Shop (org.example.shop)\n\nOrder: Order\n")
        #expect(
            try Self.declared(text, on: node, ["org.example.shop", "--json"]).output.contains("\"Order\""))
        #expect(node.calls.isEmpty)
    }

    @Test(arguments: [
        (
            "{\"program\": [\"/bin/true\"],\n \"intents\": [,]}", ["org.example.shop"],
            "declaration.json:2:14: "
        ),
        (#"{"program": ["true"]}"#, ["org.example.shop"], "must begin with the whole path of a program"),
        (#"{"program": ["/nonexistent/shop"]}"#, ["org.example.shop"], "/nonexistent/shop can't be started"),
        (#"{"program": ["/bin/true"]}"#, ["org.example.cafe"], "by the library AppIntents"),
        (#"{"program": ["/bin/true"]}"#, ["org.example/shop"], "No file can have the name of the app"),
        (#"{"program": ["/bin/true"]}"#, [], "--declare needs the APP"),
        (#"{"program": ["/bin/true"]}"#, ["org.example.shop", "--forget"], "contradict each other"),
    ])
    func `a declaration that is wrong says where`(text: String, words: [String], error: String) throws {
        let node = try Self.node()
        let typed = try Self.declared(text, on: node, words)
        #expect(typed.status != 0 && typed.errors.contains(error), "\(typed)")
        #expect(try IntentManifestFile.read("org.example.shop", in: node.home) == nil)
    }

    @Test func `a file that is not there can't be declared`() throws {
        let typed = Self.typed(
            try Self.node(), "intents", "--declare", "/nonexistent/x.json", "org.example.shop")
        #expect(typed.status == 1 && typed.errors.contains("/nonexistent/x.json can't be opened"), "\(typed)")
    }

    // MARK: Running

    @Test func `baton run replaces itself with the app, and passes all words on`() throws {
        let node = try Self.node()
        let run = Self.typed(
            node, "run", "cafe", "OrderDrink", "--drink=1", "--size", "large", "--json", "--", "-x")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(
            run.started == [
                [
                    "/bin/true", "intents", "run", "OrderDrink", "--drink=1", "--size", "large",
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

    // MARK: Entities

    @Test func `baton find asks the index by the attributes of properties`() throws {
        let node = try Self.node { call in
            guard call is QueryItems else { return nil }
            let results = [Example.drink("2", title: "Latte"), Example.drink("1", title: "Mocha")]
            return .reply(SearchReply(results, isWhole: true))
        }
        let found = Self.typed(
            node, "find", "Drink", "--where", #"rating > 3 && isHot == true"#, "--sort", "-added", "--sort",
            "name",
            "--limit", "5")
        #expect(found.status == 0, "\(found)")
        #expect(found.output.split(separator: "\n").dropFirst().map { $0.prefix(1) } == ["2", "1"])
        let call = try #require(node.calls.first as? QueryItems)
        #expect(call.most == 5 && call.filter == SearchFilter(app: "org.example.cafe", kind: .item))
        #expect(
            call.sorting == [
                QuerySort("contentCreationDate", isDescending: true), QuerySort("title"),
            ])
        #expect(call.query.contains("rating > 3") && call.query.contains("cafe_hot == 1"))
        let json = Self.typed(node, "find", "--json", "Drink").output
        #expect(
            json.hasPrefix(#"{"entities":[{"type":"Drink","id":"2","app":"org.example.cafe","title":"Latte""#)
        )
    }

    @Test(arguments: [
        (["find", "Drnk"], 11, "Did you mean Drink?"),
        (["find", "Drink", "--sort", "-ratng"], 2, "Did you mean rating?"),
        (["find", "Drink", "--sort", "note"], 2, "is not in the index"),
        (["find", "Drink", "--where", "rating >"], 2, "^"),
        (["find", "Drink", "--limit", "0"], 2, "--limit takes a number"),
    ])
    func `mistakes in baton find are explained before anything is asked`(
        words: [String], status: Int32, text: String
    ) throws {
        let node = try Self.node { $0 is ListEntityTypes ? .reply(EntityTypesReply([])) : nil }
        let typed = Typed(words + ["--home", node.folder.path])
        #expect(typed.status == status && typed.errors.contains(text), "\(typed)")
        #expect(node.calls.allSatisfy { $0 is ListEntityTypes })
    }

    @Test func `baton find asks by the attributes that the account knows, if the app never ran here`() throws
    {
        let node = try Self.node { call in
            switch call {
            case is ListEntityTypes: .reply(EntityTypesReply([Example.note]))
            case is QueryItems: .reply(SearchReply([], isWhole: true))
            default: nil
            }
        }
        for name in ["Note", "memo"] {
            let found = Self.typed(
                node, "find", name, "--where", #"tags == "march" && modified > "2026-01-01""#, "--sort",
                "-modified")
            #expect(found.status == 0 && found.output == "Nothing found.\n", "\(found)")
            let call = try #require(node.calls.last as? QueryItems)
            #expect(call.filter.app == "org.example.notes")
            #expect(call.sorting == [QuerySort("contentModificationDate", isDescending: true)])
            #expect(call.query.contains(#"keywords == "march" && contentModificationDate > $time.iso("#))
        }
        let hidden = Self.typed(node, "find", "Note", "--sort", "draft")
        #expect(hidden.status == 2 && hidden.errors.contains("is not in the index"), "\(hidden)")
        let chosen = Self.typed(node, "find", "Note", "--app", "notes", "--where", "tags == nil")
        #expect(chosen.status == 0, "\(chosen)")
    }

    @Test func `baton find asks the account for nothing that a manifest of this machine knows`() throws {
        let node = try Self.node { $0 is QueryItems ? .reply(SearchReply([], isWhole: true)) : nil }
        #expect(Self.typed(node, "find", "Drink", "--sort", "rating").status == 0)
        #expect(node.calls.count == 1)
    }

    @Test func `baton find takes only missing attributes from the account, and only those of the same kind`()
        throws
    {
        var cafe = Example.cafe()
        for place in cafe.entities[0].properties.indices {
            cafe.entities[0].properties[place].attribute = nil
            cafe.entities[0].properties[place].isKnownByTypeOnly = true
        }
        let drink = EntityTypeDescription(
            EntityTypeName(app: cafe.app, type: "Drink"), title: "Beverage",
            properties: [
                EntityTypeDescription.Property("rating", kind: "integer", attribute: "rating"),
                EntityTypeDescription.Property("name", kind: "date", attribute: "contentCreationDate"),
            ])
        let node = try Self.node([cafe]) { call in
            switch call {
            case is ListEntityTypes: .reply(EntityTypesReply([drink]))
            case is QueryItems: .reply(SearchReply([], isWhole: true))
            default: nil
            }
        }
        #expect(Self.typed(node, "find", "Drink", "--where", "rating > 3").status == 0)
        #expect((node.calls.last as? QueryItems)?.query.contains("rating > 3") == true)
        let other = Self.typed(node, "find", "Drink", "--where", "name == 3")
        #expect(other.status == 2 && other.errors.contains("is not in the index"), "\(other)")
    }

    @Test func `texts and attributes of a hostile description do no harm`() throws {
        var evil = Example.note
        evil.title = "No\u{1b}[2Jte"
        evil.properties[0].attribute = "title == 1 || *"
        evil.properties[1].kind = "a kind of a newer version"
        let unseen = EntityTypeDescription(EntityTypeName(app: "a\nb", type: "X"), title: "X")
        let types = [evil, unseen]
        let intents = InstalledIntents([]).joined(with: types)
        #expect(intents.apps.map(\.app) == ["org.example.notes"] && intents.apps[0].entities.count == 1)
        let note = try intents.entityType(named: "Note").entity
        #expect(!note.title.contains("\u{1b}"))
        #expect(note.properties.map(\.attribute) == [nil, "contentModificationDate", nil])
        #expect(note.property(named: "modified")?.type.kind == .text)
    }

    @Test func `a type that two apps have must be chosen`() throws {
        let node = try Self.node([Example.cafe(), Example.cafe("org.example.tea", title: "Tea")])
        let typed = Self.typed(node, "find", "Drink")
        #expect(typed.status == 2 && typed.errors.contains("org.example.cafe, org.example.tea"))
    }

    @Test func `baton open runs the intent for opening of an app that does not run`() throws {
        let node = try Self.node { call in
            switch call {
            case is QueryItems: .reply(SearchReply([Example.drink("2", title: "Latte")], isWhole: true))
            case is CountOpening: .reply(IndexReply(passedOver: 0))
            default: nil
            }
        }
        let opened = Self.typed(node, "open", "Drink", "2")
        #expect(opened.started.first?.suffix(2) == ["OpenDrink", "--target=2"], "\(opened)")
    }

    @Test func `baton open --on starts an activity of the app, and sends it`() throws {
        let node = try Self.node { call in
            switch call {
            case is QueryItems: .reply(SearchReply([Example.drink("2", title: "Latte")], isWhole: true))
            case is StartActivity, is SendActivity: .reply(Example.summary(title: "Latte"))
            default: nil
            }
        }
        let offered = Self.typed(node, "open", "Drink", "2", "--on", "desktop")
        #expect(offered.output == "“Latte” (k3v9q2m) is offered on desktop.\n" && offered.started.isEmpty)
        let start = try #require(node.calls.compactMap { $0 as? StartActivity }.first)
        #expect(start.app == "org.example.cafe" && start.type == AppOpening.itemType)
        #expect(start.change.set.values.first == .string("AppEntity-Drink/2"))
        #expect(start.change.expiration != nil && start.change.eligibility == .handoff)
    }

    @Test func `an offer to an unknown device leaves nothing behind`() throws {
        let node = try Self.node { call in
            switch call {
            case is QueryItems: .reply(SearchReply([Example.drink("2", title: "Latte")], isWhole: true))
            case is StartActivity, is FinishActivity: .reply(Example.summary())
            case is SendActivity: .failure(LocalFailure(.notFound, "no such device"))
            default: nil
            }
        }
        let offered = Self.typed(node, "open", "Drink", "2", "--on", "nowhere")
        #expect(offered.status == 11 && offered.errors == "baton: no such device\n")
        #expect(node.calls.last is FinishActivity)
    }

    @Test func `baton show --entity shows what is on the screens, also of activities with attributes`() throws
    {
        var first = Example.summary(title: "Latte")
        first.activity.entity = Activity.Entity(type: "Drink", identifier: "2")
        var second = Example.summary("b222222222", device: Example.laptop, title: "Mocha")
        for (name, value) in [("org_baton_entity_type", "Drink"), ("org_baton_entity_identifier", "3")] {
            let attribute = try #require(CustomAttribute(name: name))
            second.activity.attributes[attribute.field] = .plain(.string(value))
        }
        let summaries = [first, second, Example.summary("c333333333")]
        let node = try Self.node { _ in .reply(ActivitiesReply(summaries, isLast: true)) }
        let lines = Self.typed(node, "show", "--entity").output.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("desktop") && lines[2].contains("here"))
        #expect(
            Self.typed(node, "show", "--entity", "Book").output
                == "No Book is on a screen of your machines.\n")
        let json = Self.typed(node, "show", "--entity", "--json").output
        #expect(json.hasPrefix(#"{"entities":[{"type":"Drink","id":"2","activity":{"#))
        #expect(Self.typed(node, "show").status == 2)
    }

    // MARK: Donations

    @Test func `a donated intent is suggested as a command, and run by it`() throws {
        var summary = Example.summary(
            title: "Order: latte", info: DonatedIntent("OrderDrink", ["drink": ["2"]]).info)
        (summary.app, summary.donation) = ("org.example.cafe", Donation("1", at: Example.now))
        let plan = try HandlerRegistry().plan(summary, environment: { _ in nil })
        guard case .run(let words)? = plan?.step else {
            Issue.record("no command")
            return
        }
        #expect(words.dropFirst() == ["run", "org.example.cafe", "OrderDrink", "--drink=2"])
        #expect(plan?.handler.text == "baton run org.example.cafe OrderDrink --drink=2")
        // A payload from another device is no donation, and runs nothing.
        summary.donation = nil
        #expect(try HandlerRegistry().plan(summary, environment: { _ in nil }) == nil)
    }
}
