import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton index`: lets a script change an app's index, and ask the app to index again.
enum Index {
    static var specification: CommandSpecification {
        CommandSpecification(
            "index", "Add items to the search index, or remove them, as an app does.",
            operands: [.choice("ACTION", actions), .required("APP"), .anyNumber("ID")],
            options: [
                .value("index", "NAME", "the app's index (`default`, if left out; with reindex, all)"),
                .flag("protected", "the app's protected index of that name, whose content is sealed"),
                .value("domain", "DOMAIN", "the domain of the item, or the one to clear; a.b lies within a"),
                .value("title", "TEXT", "its title, which people see"),
                .value("text", "TEXT", "its text"),
                .value("keyword", "WORD", "a word to find it by", repeats: true),
                .value("url", "URL", "its address"),
                .value("expires", "WHEN", "when it expires: 90s, 10m, 2h, 3d, or a date"),
                .flag("pending", "with reindex: request nothing, and start the app for earlier requests"),
            ],
            notes: [
                "APP is named in reverse DNS, such as org.example.notes. ACTION is one of",
                "  add      add the item ID to the index, or replace it",
                "  update   change what the options name in the item ID, and nothing else",
                "  delete   remove the item ID",
                "  clear    remove a domain and all below it, or everything",
                "  opened   record that you opened the item ID",
                "  reindex  have the app index the items ID again, or everything; if it does not",
                "           run, the program that its manifest names for it is started, or it",
                "           is asked when it runs the next time",
                "  state    show the state that the app's last batch stored, to go on from there;",
                "           there is none while the app is to index everything again, until it",
                "           has, or until a batch expects null and stores another one",
                "  batch    apply lines of JSON from the standard input, all or nothing:",
                "    {\"item\": \"n1\", \"title\": \"Draft\", \"text\": \"…\", \"domain\": \"work\"}",
                "    {\"update\": \"n1\", \"title\": \"Report\"}",
                "    {\"delete\": \"n2\"}",
                "    {\"clear\": \"work.old\"} or, for everything, {\"clear\": true}",
                "    {\"state\": \"up to 250 bytes\"} or {\"state\": null}, as the last line; with",
                "    \"expected\": TEXT or null, only if that is the state stored before",
                "  Without such a last line nothing is indexed, so a cut input does no harm.",
                "Exit status: 16 if another state is stored; 17 if the app may have no more",
                "items.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        try demandMeant(arguments)
        let bareName = arguments.value("index") ?? AppIndex.usual
        let index = ClientStateName(
            app: arguments[1] ?? "",
            index: arguments.has("protected") ? IndexProtection.complete.name(of: bareName) : bareName)
        var node = try call.connect()
        switch arguments[0] {
        case "add":
            let change = IndexChange.item(try identifier(arguments), try item(arguments))
            _ = try node.ask(ChangeIndex(index, [change]))
            call.say("The item is in the index.")
        case "update":
            let update = try update(arguments)
            let change = IndexChange.update(try identifier(arguments), domain: update.domain, update.fields)
            guard try node.ask(ChangeIndex(index, [change])).passedOver == 0 else {
                throw notThere(arguments)
            }
            call.say("The item is updated.")
        case "delete":
            _ = try node.ask(ChangeIndex(index, [.deletion(try identifier(arguments))]))
            call.say("The item is not in the index any more.")
        case "clear":
            let domain = arguments.value("domain")
            _ = try node.ask(ChangeIndex(index, [.clear(domain: domain)]))
            call.say(
                domain.map { "“\($0)”, with all below it, is not in the index any more." }
                    ?? "The index is empty.")
        case "opened":
            let name = ItemName(app: index.app, index: index.index, identifier: try identifier(arguments))
            guard try node.ask(CountOpening(name)).passedOver == 0 else { throw notThere(arguments) }
            call.say("The item is recorded as opened.")
        case "reindex":
            let isNew = !arguments.has("pending")
            if isNew {
                for (name, extent) in try reindexed(index, arguments, &node) {
                    _ = try node.ask(
                        RequestReindexing(ClientStateName(app: index.app, index: name), extent))
                }
            }
            switch try StartedApp.reindex(index.app, &node, call) {
            // A running app may have finished indexing before this command asks.
            case .nothing where isNew: call.say("The app was asked to index this again, and has done so.")
            case .nothing: call.say("The app has no requests to index again.")
            case .asked: call.say("The app is asked to index this again.")
            case .started: call.say("The app was started to index this again.")
            case .later: call.say("The app will be asked to index this again when it runs the next time.")
            }
        case "state": show(try node.ask(GetClientState(index)).state, call)
        case "batch": try IndexBatch.run(call, index, &node)
        default: preconditionFailure("what is none of the actions was refused")
        }
    }

    private static let actions = ["add", "update", "delete", "clear", "opened", "reindex", "state", "batch"]
    /// The actions that are about one item, and the actions that need the contents of an item.
    private static let (ofItem, ofContents) = (["add", "update", "delete", "opened"], ["add", "update"])

    /// Throws if the action would ignore an argument.
    ///
    /// In such a case, the person probably means another action. For example, `clear` takes no item.
    private static func demandMeant(_ arguments: Arguments) throws(LocalFailure) {
        let action = arguments[0] ?? ""
        guard actions.contains(action) else {
            if let second = arguments[1], actions.contains(second) {
                throw LocalFailure(
                    .usage, "The action comes before the app.\nType `baton index \(second) \(action)`.")
            }
            throw LocalFailure(
                .usage, "Unknown action: \(action). The actions are: \(actions.joined(separator: ", ")).")
        }
        if ofItem.contains(action), let identifier = arguments[3] {
            throw LocalFailure(
                .usage,
                "baton index \(action) takes one ID, but \(identifier) was given, too. Nothing has changed.")
        }
        if let identifier = arguments[2], !ofItem.contains(action), action != "reindex" {
            throw LocalFailure(
                .usage,
                "baton index \(action) takes no ID, but \(identifier) was given. Nothing has changed.\n"
                    + "`baton index delete` removes one item; --domain names a domain to clear.")
        }
        if arguments.has("pending"), arguments[2] != nil || namesIndex(arguments) {
            throw LocalFailure(.usage, "--pending takes neither an ID nor --index nor --protected.")
        }
        let taken: [String]?
        switch action {
        case _ where ofContents.contains(action):
            taken = specification.options.map(\.name).filter { $0 != "pending" }
        case "clear": taken = ["index", "protected", "domain"]
        case "reindex": taken = ["index", "protected", "pending"]
        default: taken = ["index", "protected"]
        }
        let passedOver = specification.options.first { option in
            arguments.has(option.name) && taken?.contains(option.name) == false
        }
        if let passedOver {
            throw LocalFailure(.usage, "baton index \(action) does not take --\(passedOver.name).")
        }
    }

    /// Returns the items to index again in each index: in the named index, or else in every index of the app.
    ///
    /// An item is requested from the indexes that have it. If no index has it, it is requested from the default index.
    /// If the app has only one index, it is requested from that one.
    private static func reindexed(
        _ index: ClientStateName, _ arguments: Arguments, _ node: inout NodeConnection
    ) throws(LocalFailure) -> [(index: String, extent: ReindexRequest.Extent)] {
        let identifiers = arguments.operands.dropFirst(2)
        if namesIndex(arguments) {
            return [(index.index, identifiers.isEmpty ? .all : .items(Set(identifiers)))]
        }
        let known = try node.ask(ExamineApp(index.app)).indexes
            .filter { $0.hasItems || $0.isHeard || $0.reindexing != nil }.map(\.name)
        guard !identifiers.isEmpty else { return (known.isEmpty ? [index.index] : known).map { ($0, .all) } }
        var wanted: [String: Set<String>] = [:]
        for identifier in identifiers {
            let found = try node.ask(ExplainItem(app: index.app, identifier)).explanations
                .filter { $0.outcome != .unknown && $0.outcome != .deleted }.compactMap(\.index)
            let others = known.count == 1 ? known : [index.index]
            for name in found.isEmpty ? others : found { wanted[name, default: []].insert(identifier) }
        }
        return wanted.sorted { $0.key < $1.key }.map { ($0.key, .items($0.value)) }
    }

    /// Whether the arguments name an index, instead of leaving it to the command.
    private static func namesIndex(_ arguments: Arguments) -> Bool {
        arguments.has("index") || arguments.has("protected")
    }

    private static func identifier(_ arguments: Arguments) throws(LocalFailure) -> String {
        guard let identifier = arguments[2], !identifier.isEmpty else {
            throw LocalFailure(.usage, "Name the item, by the ID that the app gave it.")
        }
        return identifier
    }

    private static func item(_ arguments: Arguments) throws(LocalFailure) -> Item {
        Item(
            domain: arguments.value("domain"), expiration: try expiration(arguments),
            attributes: attributes(arguments))
    }

    private static func update(_ arguments: Arguments) throws(LocalFailure) -> Item.Update {
        var update = Item.Update()
        (update.domain, update.attributes) = (arguments.value("domain"), attributes(arguments))
        update.expiration = try expiration(arguments)
        return update
    }

    private static func expiration(_ arguments: Arguments) throws(LocalFailure) -> WallTime? {
        guard let text = arguments.value("expires") else { return nil }
        return try PresentTime.here.expiry(text)
    }

    private static func attributes(_ arguments: Arguments) -> AttributeSet {
        var attributes = AttributeSet()
        attributes[.title] = arguments.value("title").map { .plain(.string($0)) }
        attributes[.contentDescription] = arguments.value("text").map { .plain(.string($0)) }
        attributes[.contentURL] = arguments.value("url").map { .plain(.url($0)) }
        let keywords = arguments.values("keyword")
        if !keywords.isEmpty { attributes[.keywords] = .plain(.array(keywords.map { .string($0) })) }
        return attributes
    }

    private static func notThere(_ arguments: Arguments) -> LocalFailure {
        LocalFailure(.notFound, "There is no item \(arguments[2] ?? "") in this index.")
    }

    private static func show(_ state: [UInt8]?, _ call: Call) {
        if call.isJSON {
            return call.console.print(
                .object([.init("state", state.map { JSON(state: $0) } ?? .null)]))
        }
        guard let state else {
            return call.console.print(
                "The app has stored no state, or some changes that it covers have not arrived yet.")
        }
        call.console.print(exactly: VisibleText(String(decoding: state, as: UTF8.self)))
    }
}

extension Call {
    /// Prints a message.
    ///
    /// With `--json`, nothing is printed.
    func say(_ text: VisibleText) { if !isJSON { console.print(text) } }
}
