import BatonClient
import BatonCore

/// `baton search`: finds what apps have indexed, on all devices.
enum Search {
    static var specification: CommandSpecification {
        CommandSpecification(
            "search", "Search what your apps have indexed, on all your machines.",
            operands: [.repeated("WORD")],
            options: [
                .value("limit", "NUMBER", "how many items to show at the most (20)"),
                .flag("open", "ask whether to open the address of the first item that has one"),
                .flag("yes", "with --open: do it without asking"), HandlerOptions.file,
            ],
            notes: [
                "Finds what has all the words, whatever their case and accents; the last may be",
                "the beginning of one. What has them in its title comes first.",
                "What opens an address is what `baton handlers` shows for org.baton.web.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let most = try limit(call.arguments)
        let opens = call.arguments.has("open")
        try check(call, opens: opens)
        // A mistake in the file is told before anything else.
        let configuration = opens ? try call.configuration() : nil
        var node = try call.connect()
        let found = try node.ask(SearchItems(call.arguments.operands.joined(separator: " "), most: most))
        if call.isJSON {
            return call.console.print(
                .object([
                    .init("items", .array(found.items.map { JSON($0) })),
                    .init("complete", .boolean(found.isWhole)),
                ]))
        }
        if found.items.isEmpty {
            call.console.print("Nothing was found.")
        } else {
            call.console.print(FoundList(found.items).table(at: .here))
        }
        if !found.isWhole {
            call.console.print("The node still gathers the words of all items; later there may be more.")
        }
        if opens { try open(found.items, by: HandlerRegistry(configuration), &node, call) }
    }

    // MARK: Opening

    /// Refuses combinations of options in which nobody's word would be asked.
    private static func check(_ call: Call, opens: Bool) throws(LocalFailure) {
        guard opens || !call.arguments.has("yes") else {
            throw LocalFailure(.usage, "--yes goes with --open alone.")
        }
        guard opens else { return }
        guard !call.isJSON else {
            throw LocalFailure(.usage, "With --json nothing is opened; each item has its `url`.")
        }
        guard call.arguments.has("yes") || Question.canBeAsked else {
            throw LocalFailure(
                .usage, "There is no terminal to ask at. Say --yes to open without a question.")
        }
    }

    /// Opens the address of the first item that has one, as a web page of an activity would be, once the person agrees.
    private static func open(
        _ items: [FoundItem], by registry: HandlerRegistry, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        guard let item = items.first(where: { $0.url != nil }), let url = item.url else {
            throw LocalFailure(.notFound, "Nothing that was found has an address to open.")
        }
        let device = try node.ask(GetStatus()).device
        let plan = try registry.plan(item.page(url, at: device), environment: call.environment)
        guard case .run(let words)? = plan?.step else {
            throw LocalFailure(
                .failed, "Nothing here opens addresses; `baton help handlers` tells how to say what does.")
        }
        if !call.arguments.has("yes") {
            guard try Question.isAgreed(to: "Open \(url) ?", on: call.console) else {
                throw LocalFailure(.failed, "Nothing was opened.")
            }
        }
        // Counted before, as the program takes the place of this one.
        let name = ItemName(app: item.app, index: item.index, identifier: item.identifier)
        _ = try node.ask(CountOpening(name))
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

extension FoundItem {
    /// The item as a web page that someone reads, under the rules for those.
    fileprivate func page(_ url: String, at device: DeviceReference) -> ActivitySummary {
        var activity = Activity(type: WellKnownType.web.rawValue, started: .init(milliseconds: 0))
        activity.title = title
        activity.info = [.string("url"): .string(url)]
        return ActivitySummary(
            identifier: identifier, device: device, app: app, instance: "", activity: activity,
            continuedOn: nil)
    }
}
