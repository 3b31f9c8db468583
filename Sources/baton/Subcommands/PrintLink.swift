import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton link`: prints a permanent link to an activity or an item.
enum PrintLink {
    static var specification: CommandSpecification {
        CommandSpecification(
            "link", "Print a link that opens an activity or an item on any of your machines.",
            operands: [.required("ID|TYPE|TITLE"), .optional("ITEM")],
            options: [
                .flag("item", "an item: the operands are its app, and the app's identifier of it"),
                .value("index", "NAME", "with --item: the app's index, if more than one has it"),
            ],
            notes: [
                "`baton open LINK` opens the link, on this machine or another of yours. It stays",
                "good: an activity is found again after it has ended and begun anew, as long as",
                "its app gives it the same persistent identifier, target content identifier or",
                "web page. An activity that has none of them has no link.",
                "  baton link --item org.example.notes note-7",
                "A link contains what it names, in readable form: pass it on to nobody who",
                "should not know that. It opens nothing on the machines of others.",
                "Exit status: 11 if there is no such activity or item.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        guard let name = arguments[0], !name.isEmpty else {
            throw LocalFailure(.usage, "The name of the activity is empty.")
        }
        guard arguments.has("item") == (arguments[1] != nil) else {
            throw LocalFailure(
                .usage, "Name an activity, or with --item an app and the identifier of an item.")
        }
        guard arguments.has("item") || arguments.value("index") == nil else {
            throw LocalFailure(.usage, "--index goes with --item.")
        }
        var node = try call.connect()
        let link =
            if let item = arguments[1] {
                try Self.item(item, of: name, in: arguments.value("index"), &node)
            } else {
                try activity(try call.activity(name, at: &node))
            }
        let text = try link.text()
        if call.isJSON { return call.console.print(.object([.init("link", .string(text))])) }
        call.console.print(exactly: VisibleText(text))
    }

    private static func activity(_ summary: ActivitySummary) throws(LocalFailure) -> ContentLink {
        guard let property = LinkedProperty(summary.activity) else {
            throw LocalFailure(
                .failed,
                """
                \(summary.label.text) has no link, because nothing identifies it once it has ended.
                Its app must set persistentIdentifier, targetContentIdentifier or webpageURL (`persistent`, `target` or `url` in `baton app`; --url of `baton start`).
                """)
        }
        return .activity(app: summary.app, type: summary.activity.type, property: property)
    }

    private static func item(
        _ identifier: String, of app: String, in index: String?, _ node: inout NodeConnection
    ) throws(LocalFailure) -> ContentLink {
        let indexes: [String]
        if let index {
            indexes = [index]
        } else {
            let explanations = try node.ask(ExplainItem(app: app, identifier)).explanations
            indexes = explanations.compactMap(\.index)
        }
        var names: [ItemName] = []
        for index in indexes {
            let name = ItemName(app: app, index: index, identifier: identifier)
            if try !node.ask(FindItem(name)).results.isEmpty { names.append(name) }
        }
        guard let name = names.first else {
            throw LocalFailure(
                .notFound,
                "\(VisibleText(app).text) has no item “\(VisibleText(identifier).text)” in its index on this machine.\n`baton doctor --item` says why."
            )
        }
        guard names.count == 1 else {
            let list = names.map { VisibleText(IndexProtection.shownName(of: $0.index)).text }.joined(
                separator: ", ")
            throw LocalFailure(
                .usage, "Several indexes of the app have such an item: \(list).\nName one with --index.")
        }
        return .item(name)
    }
}
