import BatonClient
import BatonCore

/// `baton search`: searches what apps have indexed on all devices.
enum Search {
    static var specification: CommandSpecification {
        CommandSpecification(
            "search", "Search what your apps have indexed, on all your machines.",
            operands: [.anyNumber("WORD")],
            options: [
                .value("query", "QUERY", "find the items that meet a query, such as 'pageCount > 3'"),
                .value("app", "APP", "with --query: only items of this app"),
                .value("limit", "NUMBER", "show at most this many items (20)"),
                .flag("explain", "show why each item has its place"),
                .flag("open", "offer to open the address of the first item that has one"),
                .flag("yes", "with --open: don't ask first"),
                .flag("suggest", "suggest searches for what you have typed, instead of searching"),
                .flag("forget", "forget your earlier searches; with words, only that search"),
                HandlerOptions.file,
            ],
            notes: [
                "Finds the items that have all the words, without regard to case and accents; the",
                "last may be the beginning of a word. Items with the words in their title come",
                "first, and those that you opened often and lately. If no item has a word, it is",
                "taken for the most similar one, and the output says so. The handler for",
                "org.baton.web opens an address: see `baton handlers`.", "",
                "--explain shows the rank of each item: the score of its texts, times a",
                "factor for how it was opened, for what its app says, and for how new it is.", "",
                "A query is in the language of Core Spotlight, instead of words: for example",
                "baton search --query 'title == \"par*\"cd && dueDate < $time.today(7)'",
                "Items that were indexed last come first.", "",
                "--suggest shows earlier searches that led to something, titles, and words that",
                "complete the last one. Earlier searches are remembered on this machine only.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard try !SearchSuggesting.run(call) else { return }
        let most = try limit(call.arguments)
        let opens = call.arguments.has("open")
        try check(call, opens: opens)
        // An error in the file must be reported first.
        let configuration = opens ? try call.configuration() : nil
        var node = try call.connect()
        let query = call.arguments.value("query")
        let found =
            if let query {
                try node.ask(QueryItems(query, app: call.arguments.value("app"), most: most, at: .here))
            } else {
                try node.ask(SearchItems(call.arguments.operands.joined(separator: " "), most: most))
            }
        if call.isJSON {
            return call.console.print(
                .object([
                    .init("results", .array(found.results.map { JSON($0) })),
                    .init("complete", .boolean(found.isWhole)),
                    .init("corrected", JSON(found.corrected)),
                ]))
        }
        if let corrected = found.corrected {
            call.console.print("Nothing has what you typed. These are for “\(corrected)”:")
        }
        if found.results.isEmpty {
            call.console.print("Nothing found.")
        } else {
            let list = FoundList(found.results, explains: call.arguments.has("explain"))
            call.console.print(list.table(at: .here))
        }
        if !found.isWhole {
            call.console.print(
                query == nil
                    ? "The node is still indexing; there may be more results later."
                    : "Not all items were searched: the node is still indexing, or the query takes too long. `--app` narrows it."
            )
        }
        if opens { try open(found.results.map(\.thing), by: HandlerRegistry(configuration), &node, call) }
    }

    // MARK: Opening

    /// Throws for combinations of options that make no sense, or with which nobody would be asked.
    private static func check(_ call: Call, opens: Bool) throws(LocalFailure) {
        let hasQuery = call.arguments.has("query")
        guard hasQuery || !call.arguments.operands.isEmpty else {
            throw LocalFailure(.usage, "Missing argument: WORD, or --query.\nUsage: \(specification.usage)")
        }
        guard !hasQuery || call.arguments.operands.isEmpty else {
            throw LocalFailure(
                .usage, "--query can't be combined with words. Add `&& ** == \"word\"cdt` to it.")
        }
        guard hasQuery || !call.arguments.has("app") else {
            throw LocalFailure(.usage, "--app works with --query only.")
        }
        guard !hasQuery || !call.arguments.has("explain") else {
            throw LocalFailure(
                .usage, "--explain works with words only; --query shows what was indexed last first.")
        }
        guard opens || !call.arguments.has("yes") else {
            throw LocalFailure(.usage, "--yes works with --open only.")
        }
        guard opens else { return }
        guard !call.isJSON else {
            throw LocalFailure(
                .usage, "--open can't be combined with --json, which prints each item's `url`.")
        }
        guard call.arguments.has("yes") || Question.canBeAsked else {
            throw LocalFailure(
                .usage, "There is no terminal to ask at. Add --yes to open without asking.")
        }
    }

    /// Opens the address of the first item that has one, like a web page of an activity, once the person agrees.
    private static func open(
        _ things: [FoundThing], by registry: HandlerRegistry, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        guard let thing = things.first(where: { $0.url != nil }), let url = thing.url else {
            throw LocalFailure(.notFound, "Nothing that was found has an address to open.")
        }
        let device = try node.ask(GetStatus()).device
        let plan = try registry.plan(thing.page(url, at: device), environment: call.environment)
        guard case .run(let words)? = plan?.step else {
            throw LocalFailure(
                .failed, "Nothing here opens addresses: see `baton help handlers` for how to add a handler.")
        }
        if !call.arguments.has("yes") {
            guard try Question.isAgreed(to: "Open \(url) ?", on: call.console) else {
                throw LocalFailure(.failed, "Nothing was opened.")
            }
        }
        // This is recorded first, because the program replaces this one.
        if let item = thing.item { _ = try node.ask(CountOpening(item.name)) }
        let typed = call.arguments.operands.joined(separator: " ")
        if !typed.isEmpty { _ = try node.ask(RememberSearch(typed)) }
        try call.console.flush()
        try call.start(words)
    }

    private static func limit(_ arguments: Arguments) throws(LocalFailure) -> Int {
        guard let text = arguments.value("limit") else { return 20 }
        guard let number = Int(text), (1...Limits.foundItems).contains(number) else {
            throw LocalFailure(.usage, "--limit takes a number from 1 to \(Limits.foundItems).")
        }
        return number
    }
}

extension FoundThing {
    /// The thing as an activity about a web page, for which the same rules hold.
    fileprivate func page(_ url: String, at device: DeviceReference) -> ActivitySummary {
        var activity = Activity(type: WellKnownType.web.rawValue, started: .init(milliseconds: 0))
        activity.title = title
        activity.info = [.string("url"): .string(url)]
        return ActivitySummary(
            identifier: "", device: device, app: app, instance: "",
            activity: activity,
            continuedOn: nil)
    }
}
