import BatonClient
import BatonCore

/// `baton index`: what an app does to its index, from a shell.
enum Index {
    static var specification: CommandSpecification {
        CommandSpecification(
            "index", "Add to what can be searched, or take away from it, as an app does.",
            operands: [.choice("ACTION", actions), .required("APP"), .optional("ID")],
            options: [
                .value("index", "NAME", "the index of the app (default)"),
                .value("domain", "DOMAIN", "where the item belongs, or what is cleared: a.b lies within a"),
                .value("title", "TEXT", "what a person sees of it"),
                .value("text", "TEXT", "what it says"),
                .value("keyword", "WORD", "a word by which it is found", repeats: true),
                .value("url", "URL", "where it is"),
                .value("expires", "WHEN", "until when it is found: 90s, 10m, 2h, 3d, or a date"),
            ],
            notes: [
                "APP is named in reverse DNS, such as org.example.notes. ACTION is one of",
                "  add      put the item ID into the index, in the place of what it was",
                "  update   change what the options say of the item ID, and nothing else",
                "  delete   take the item ID out",
                "  clear    take out a domain and all below it, or everything",
                "  opened   say that you opened the item ID",
                "  state    show what the app's last batch stored, to know where to go on",
                "  batch    do what lines of JSON on the standard input say, all or nothing:",
                "    {\"item\": \"n1\", \"title\": \"Draft\", \"text\": \"…\", \"domain\": \"work\"}",
                "    {\"update\": \"n1\", \"title\": \"Report\"}",
                "    {\"delete\": \"n2\"}",
                "    {\"clear\": \"work.old\"} or, for everything, {\"clear\": true}",
                "    {\"state\": \"up to 250 bytes\"} or {\"state\": null}, which ends it; with",
                "    \"expected\": TEXT or null only if that is what was stored before",
                "  Without such a last line nothing is kept, so half an input does no harm.",
                "Exit status: 16 if something else was stored; 17 if there would be too much.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        try demandMeant(arguments)
        let index = ClientStateName(
            app: arguments[1] ?? "", index: arguments.value("index") ?? AppIndex.usual)
        var node = try call.connect()
        switch arguments[0] {
        case "add":
            let item = try item(arguments)
            let change = IndexChange.item(try identifier(arguments), domain: item.domain, item.fields)
            _ = try node.ask(ChangeIndex(index, [change]))
            call.say("It is in the index.")
        case "update":
            let update = try update(arguments)
            let change = IndexChange.update(try identifier(arguments), domain: update.domain, update.fields)
            guard try node.ask(ChangeIndex(index, [change])).passedOver == 0 else {
                throw notThere(arguments)
            }
            call.say("It is changed.")
        case "delete":
            _ = try node.ask(ChangeIndex(index, [.deletion(try identifier(arguments))]))
            call.say("It is not in the index any more.")
        case "clear":
            let domain = arguments.value("domain")
            _ = try node.ask(ChangeIndex(index, [.clear(domain: domain)]))
            call.say(
                domain.map { "Nothing of “\($0)”, or below it, is in the index any more." }
                    ?? "The index is empty.")
        case "opened":
            let name = ItemName(app: index.app, index: index.index, identifier: try identifier(arguments))
            guard try node.ask(CountOpening(name)).passedOver == 0 else { throw notThere(arguments) }
            call.say("It counts as opened once more.")
        case "state": show(try node.ask(GetClientState(index)).state, call)
        case "batch": try IndexBatch.run(call, index, &node)
        default: preconditionFailure("what is none of the actions was refused")
        }
    }

    private static let actions = ["add", "update", "delete", "clear", "opened", "state", "batch"]
    /// Those that are about one item, and those that are told what it is.
    private static let (ofItem, ofContents) = (["add", "update", "delete", "opened"], ["add", "update"])

    /// Refuses what the action would pass over: who clears an index and names an item means something else.
    private static func demandMeant(_ arguments: Arguments) throws(LocalFailure) {
        let action = arguments[0] ?? ""
        guard actions.contains(action) else {
            throw LocalFailure(
                .usage, "\(action) is none of the actions: \(actions.joined(separator: ", ")).")
        }
        if let identifier = arguments[2], !ofItem.contains(action) {
            throw LocalFailure(
                .usage,
                "baton index \(action) takes no ID, and \(identifier) is one. Nothing has changed.\n"
                    + "`baton index delete` takes one item out; --domain names what is cleared.")
        }
        let taken = ofContents.contains(action) ? nil : action == "clear" ? ["index", "domain"] : ["index"]
        let passedOver = specification.options.first { option in
            arguments.has(option.name) && taken?.contains(option.name) == false
        }
        if let passedOver {
            throw LocalFailure(.usage, "baton index \(action) has no use for --\(passedOver.name).")
        }
    }

    private static func identifier(_ arguments: Arguments) throws(LocalFailure) -> String {
        guard let identifier = arguments[2], !identifier.isEmpty else {
            throw LocalFailure(.usage, "Say which item, by what the app calls it.")
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
            return call.console.print("The app has stored nothing, or not all of that is here.")
        }
        call.console.print(VisibleText(String(decoding: state, as: UTF8.self)))
    }
}

extension Call {
    /// Says what was done, to a person.
    func say(_ text: VisibleText) { if !isJSON { console.print(text) } }
}
