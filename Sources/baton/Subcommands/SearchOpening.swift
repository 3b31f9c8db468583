import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// Opens the results of searches.
enum SearchOpening {
    /// Opens a result: an item in its app, an activity as `baton continue` does, and any other result by its address.
    ///
    /// If `mayAsk` is true, the person is asked before an address is opened. The text of the search is recorded with
    /// the opening. It is empty for a query.
    static func open(
        _ result: SearchResult, of search: String, configuration: Configuration?, mayAsk: Bool,
        _ node: consuming NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        var node = node
        var trouble: LocalFailure?
        if let item = result.thing.item {
            let opening = AppOpening.item(item.name)
            let here = try node.ask(GetStatus()).device
            let own = HandlerRegistry(configuration)
            // A handler of the configuration file is preferred to apps, unless it is for all types.
            if let handler = own.handler(for: opening.type), handler.pattern.isNarrow {
                let plan = try own.plan(result.activity(opening, at: here), environment: call.environment)
                if case .run(let words)? = plan?.step {
                    return try run(words, opening: item, of: search, &node, call)
                }
            }
            do throws(LocalFailure) {
                let app = try StartedApp.open(opening, &node, call)
                call.console.print("\(result.name) is open in \(app.label).")
                try note(item, of: search, &node)
                return
            } catch  where error.code == .notFound || error.code == .failed {
                trouble = error
            }
        }
        if let activity = result.thing.activity {
            return try go(
                on: activity.identifier, ofType: activity.type, of: search, configuration, node, call)
        }
        guard let url = result.thing.url else { throw failure(result, trouble) }
        if let trouble, trouble.code == .failed { try call.console.explain(VisibleText(trouble.description)) }
        try open(url, of: result, search, configuration, mayAsk: mayAsk, &node, call)
    }

    /// Opens an app in which the person continues a search.
    static func continueSearch(
        _ words: String, in app: String, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        do throws(LocalFailure) {
            let registration = try StartedApp.open(.search(app: app, words: words), &node, call)
            call.console.print("The search goes on in \(registration.label).")
        } catch  where error.code == .notFound {
            let items = try node.ask(
                QueryItems("*", filter: SearchFilter(app: app), most: Limits.foundItems, at: .here))
            let devices = items.results.flatMap(\.devices)
            throw LocalFailure(.notFound, error.text + elsewhere(devices, "has indexed items of the app"))
        }
    }

    // MARK: Ways

    /// Continues an activity.
    ///
    /// If the activity has ended, this counts as opening it.
    static func go(
        on activity: String, ofType type: String, of search: String, _ configuration: Configuration?,
        _ node: consuming NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        var node = node
        let registry = try call.registry(configuration, &node)
        let watch = Stopwatch()
        let continued = try node.ask(ContinueActivity(.named(activity), step: .fetch, type: type))
        _ = try node.ask(CountActivityOpening(activity))
        try note(nil, of: search, &node)
        var continuing = Continuing(
            call: call, node: node, shell: nil, continued: continued, duration: watch.elapsed)
        try continuing.goOn(registry)
    }

    /// Opens the address of a result in the same way as the web page of an activity.
    private static func open(
        _ url: String, of result: SearchResult, _ search: String, _ configuration: Configuration?,
        mayAsk: Bool, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        let device = try node.ask(GetStatus()).device
        let plan = try HandlerRegistry(configuration).plan(
            result.page(url, at: device), environment: call.environment)
        guard case .run(let words)? = plan?.step else {
            throw LocalFailure(
                .failed, "Nothing here opens addresses: see `baton help handlers` for how to add a handler.")
        }
        if mayAsk {
            guard Question.canBeAsked else {
                throw LocalFailure(
                    .usage,
                    "There is no terminal at which you could agree to open \(url).\nAdd --yes to open it without asking."
                )
            }
            guard try Question.isAgreed(to: "Open \(url) ?", on: call.console) else {
                throw LocalFailure(.failed, "Nothing was opened.")
            }
        }
        try run(words, opening: result.thing.item, of: search, &node, call)
    }

    /// Records that the item is opened, and then replaces this process with a command.
    private static func run(
        _ words: [String], opening item: FoundItem?, of search: String, _ node: inout NodeConnection,
        _ call: Call
    ) throws(LocalFailure) {
        try note(item, of: search, &node)
        try call.console.flush()
        try call.start(words)
    }

    /// Records that the person opened a result.
    ///
    /// Searches rank by this, and earlier searches are suggested by it. Words that have found a protected item are not
    /// remembered, because remembered searches are not sealed.
    private static func note(
        _ item: FoundItem?, of search: String, _ node: inout NodeConnection
    ) throws(LocalFailure) {
        if let item { _ = try node.ask(CountOpening(item.name)) }
        if !search.isEmpty, item?.name.isProtected != true { _ = try node.ask(RememberSearch(search)) }
    }

    // MARK: Failures

    /// Creates the failure for a result that this machine can't open.
    private static func failure(_ result: SearchResult, _ trouble: LocalFailure?) -> LocalFailure {
        guard let trouble else {
            return LocalFailure(.notFound, "\(result.name.text) has no address, and nothing here opens it.")
        }
        guard trouble.code == .notFound else { return trouble }
        return LocalFailure(
            .notFound,
            "\(result.name.text) can't be opened: it has no address, and no running instance of \(VisibleText(result.thing.app).text) here opens its items.\nStart the app first"
                + (elsewhere(result.devices, "has indexed it").isEmpty
                    ? "." : ", or open it where it was indexed:" + names(result.devices) + "."))
    }

    /// A sentence that names the other devices to which `what` applies, or an empty text if there are none.
    private static func elsewhere(_ devices: [DeviceReference], _ what: String) -> String {
        let names = names(devices)
        return names.isEmpty ? "" : " Another device \(what):\(names)."
    }

    /// The names of the other devices, with a space before them.
    ///
    /// Each device is named once.
    private static func names(_ devices: [DeviceReference]) -> String {
        var seen: Set<DeviceIdentifier> = []
        let names = devices.filter { !$0.isHere && seen.insert($0.identifier).inserted }.map {
            "“\($0.name)”"
        }
        return names.isEmpty ? "" : " " + names.joined(separator: ", ")
    }
}

extension SearchResult {
    /// The name of the result in quotation marks.
    fileprivate var name: VisibleText {
        "“\(thing.name)”"
    }

    /// The activity that the item's app would get if it opened the item.
    fileprivate func activity(_ opening: AppOpening, at device: DeviceReference) -> ActivitySummary {
        summary(type: opening.type, info: opening.info, at: devices.first ?? device)
    }

    /// An activity with the address as its web page.
    ///
    /// So the same rules apply as to other web pages.
    fileprivate func page(_ url: String, at device: DeviceReference) -> ActivitySummary {
        summary(type: WellKnownType.web.rawValue, info: [.string("url"): .string(url)], at: device)
    }

    private func summary(
        type: String, info: [PropertyValue: PropertyValue], at device: DeviceReference
    ) -> ActivitySummary {
        var activity = Activity(type: type, started: .init(milliseconds: 0))
        (activity.title, activity.info) = (thing.title, info)
        return ActivitySummary(
            identifier: "", device: device, app: thing.app, instance: "", activity: activity,
            continuedOn: nil)
    }
}
