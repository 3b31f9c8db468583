import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton search`: searches items that apps have indexed and activities that have ended, on all machines.
enum Search {
    static var specification: CommandSpecification {
        CommandSpecification(
            "search", "Search what your apps have indexed, on all your machines.",
            operands: [.anyNumber("WORD")],
            options: [
                .value("query", "QUERY", "find what meets a query, such as 'pageCount > 3'"),
                .value("app", "APP", "only what this app has"),
                .value("kind", "KIND", "only this kind: item, activity, or a content type"),
                .value("since", "WHEN", "only what was used or changed since: 2h, 3d, or a date"),
                .value("limit", "NUMBER", "show at most this many results (20)"),
                .flag("explain", "show why each result has its place"),
                .flag("watch", "keep running, and show each change of the results"),
                .flag("open", "open the first result"),
                .value("nth", "NUMBER", "with --open: open this result instead of the first"),
                .value("in", "APP", "continue the search in this app, which is started if need be"),
                .flag("yes", "with --open: open an address without asking"),
                .flag("suggest", "suggest searches for what you have typed, instead of searching"),
                .flag("forget", "forget your earlier searches; with words, only that search"),
                HandlerOptions.file,
            ],
            notes: [
                "Without words at a terminal, the results follow what you type. The arrows or",
                "the mouse choose, Enter opens, Ctrl-O opens and closes a preview, and Esc",
                "leaves the terminal as it was.", "",
                "Finds what has all the words, without regard to case and accents; the last may",
                "be the beginning of a word. Items with the words in their title come first, and",
                "those that you opened often and lately. If nothing has a word, it is taken for",
                "the most similar one, and the output says so.", "",
                "--open continues an activity as `baton continue` does. It opens an item in the",
                "app that indexed it, if that app is running here or has a manifest; otherwise",
                "the handler for org.baton.web opens its address: see `baton handlers`.", "",
                "--kind takes a content type such as public.image: that of the item, or one to",
                "which its app says the type belongs. --since looks at when a thing was last used",
                "or changed, as its app says, or else at when it was indexed or ended.", "",
                "--explain shows the rank of each result: the score of its texts, times a",
                "factor for how it was opened, for what its app says, and for how new it is.", "",
                "On a terminal, --watch redraws the results; elsewhere it prints a line for each",
                "change, or with --json a value. It goes on when the node restarts.", "",
                "A query is in the language of Core Spotlight, instead of words: for example",
                "baton search --query 'title == \"par*\"cd && dueDate < $time.today(7)'",
                "Results that were indexed or ended last come first. Beyond --limit 10000 they",
                "come as they are found, up to 100000. With --json and more than 100, each part",
                "of the results is printed once it is there.", "",
                "--suggest shows earlier searches that led to something, titles, and words that",
                "complete the last one. Earlier searches are remembered on this machine only.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) -> Int32 {
        guard try !SearchSuggesting.run(call) else { return 0 }
        let arguments = call.arguments
        try check(call)
        let (most, filter) = (try limit(arguments), try filter(arguments))
        let words = arguments.operands.joined(separator: " ")
        let nth = try nth(arguments)
        // If the configuration file has an error, it must be reported before the search begins.
        let configuration = try arguments.has("in") ? nil : call.configuration()
        if let app = arguments.value("in") {
            var node = try call.connect()
            try SearchOpening.continueSearch(words, in: app, &node, call)
            return 0
        }
        if arguments.has("watch") {
            let watch = SearchWatch(SearchItems(words, most: most, filter: filter))
            var watching = Watching(watch, call, try call.home())
            try watching.run()
            return 0
        }
        let query = arguments.value("query")
        if query == nil, arguments.operands.isEmpty {
            return try SearchTyping(call: call, configuration: configuration, most: most, filter: filter)
                .run()
        }
        var node = try call.connect()
        let (asked, sought) = (
            query.map { QueryItems($0, filter: filter, most: max(most, nth), at: .here) },
            SearchItems(words, most: max(most, nth), filter: filter)
        )
        if most > Limits.foundItems, !arguments.has("open") {
            try SearchPaging.run(asked == nil ? sought : nil, asked, &node, call)
            return 0
        }
        let found = if let asked { try node.ask(asked) } else { try node.ask(sought) }
        guard arguments.has("open") else {
            show(found, of: words, call)
            return 0
        }
        if let corrected = found.corrected { call.console.print(note(corrected)) }
        guard nth <= found.results.count else {
            throw LocalFailure(
                .notFound,
                found.results.isEmpty
                    ? "Nothing found."
                    : "There \(HumanTime.present(found.results.count, "result")), so none has the number \(nth)."
            )
        }
        try SearchOpening.open(
            found.results[nth - 1], of: found.corrected ?? words, configuration: configuration,
            mayAsk: !arguments.has("yes"),
            node, call)
        return 0
    }

    static func show(_ found: SearchReply, of words: String, _ call: Call) {
        if call.isJSON {
            return call.console.print(
                .object(
                    [
                        .init("results", .array(found.results.map { JSON($0) })),
                        .init("complete", .boolean(found.isWhole)),
                        .init("corrected", JSON(found.corrected)),
                    ] + locked(found.isLocked)))
        }
        if let corrected = found.corrected { call.console.print(note(corrected)) }
        if found.results.isEmpty {
            call.console.print("Nothing found.")
        } else {
            let list = FoundList(
                found.results, of: found.corrected ?? words, explains: call.arguments.has("explain"))
            call.console.print(list.table(at: .here))
        }
        if found.isLocked {
            call.console.print("Protected items are locked, and were not searched. Type `baton unlock`.")
        } else if !found.isWhole {
            call.console.print(
                call.arguments.has("query")
                    ? "Not all items were searched: the node is still indexing, or the query takes too long. `--app` narrows it."
                    : "There may be more results: the node is still indexing, or too many things match."
            )
        }
    }

    /// The member of the answer that says that protected items are locked.
    static func locked(_ isLocked: Bool) -> [JSON.Member] {
        isLocked ? [.init("locked", .boolean(true))] : []
    }

    static func note(_ corrected: String) -> VisibleText {
        "Nothing matches what you typed. Showing results for “\(corrected)”:"
    }

    // MARK: Arguments

    /// Throws if the options can't be combined.
    private static func check(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        let (hasQuery, hasWords) = (arguments.has("query"), !arguments.operands.isEmpty)
        let opens = arguments.has("open")
        let refuse = { (text: String) throws(LocalFailure) in throw LocalFailure(.usage, text) }
        if hasQuery, hasWords {
            try refuse("--query can't be combined with words. Add `&& ** == \"word\"cdt` to it.")
        }
        if hasQuery, arguments.has("explain") {
            try refuse("--explain works with words only; --query shows what was indexed last first.")
        }
        if arguments.has("in") {
            let others = [
                "query", "app", "kind", "since", "limit", "explain", "watch", "open", "nth", "yes", "json",
            ]
            if let other = others.first(where: arguments.has) {
                try refuse("--in can't be combined with --\(other): the app shows the results.")
            }
        }
        if arguments.has("watch") {
            for other in ["query", "explain", "open"] where arguments.has(other) {
                try refuse("--watch can't be combined with --\(other).")
            }
        }
        for option in ["yes", "nth"] where arguments.has(option) && !opens {
            try refuse("--\(option) works with --open only.")
        }
        if opens, call.isJSON {
            try refuse("--open can't be combined with --json, which prints each result's `url`.")
        }
        guard !hasQuery, !hasWords else { return }
        let needsWords = ["watch", "in", "open", "explain", "json"].contains(where: arguments.has)
        guard !needsWords, LiveSession<SearchScreen>.isPossible(call.environment) else {
            throw LocalFailure(
                .usage,
                "Missing argument: WORD, or --query. At a terminal, `baton search` alone searches while you type.\nUsage: \(specification.usage)"
            )
        }
    }

    private static func limit(_ arguments: Arguments) throws(LocalFailure) -> Int {
        guard let text = arguments.value("limit") else { return 20 }
        let most =
            arguments.has("open") || arguments.has("watch")
                || arguments.operands.isEmpty
                    && !arguments.has("query")
            ? Limits.foundItems : arguments.has("query") ? Limits.streamedResults : Limits.listedResults
        return try number(text, "limit", upTo: most)
    }

    private static func nth(_ arguments: Arguments) throws(LocalFailure) -> Int {
        guard let text = arguments.value("nth") else { return 1 }
        return try number(text, "nth", upTo: Limits.foundItems)
    }

    private static func number(
        _ text: String, _ option: String, upTo most: Int
    ) throws(LocalFailure) -> Int {
        guard let number = Int(text), (1...most).contains(number) else {
            throw LocalFailure(.usage, "--\(option) takes a number from 1 to \(most) here.")
        }
        return number
    }

    private static func filter(_ arguments: Arguments) throws(LocalFailure) -> SearchFilter {
        var filter = SearchFilter(app: arguments.value("app"))
        if let kind = arguments.value("kind") {
            filter.kind = SearchFilter.Kind(kind)
            if case .contentType = filter.kind, !kind.contains(".") {
                throw LocalFailure(
                    .usage, "--kind takes item, activity, or a content type such as public.image.")
            }
        }
        if let since = arguments.value("since") {
            filter.since = try PresentTime.here.past(since)
        }
        return filter
    }
}
