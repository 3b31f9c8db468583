import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton suggest`: suggests the activities that the person is most likely to want on this machine now.
enum Suggest {
    static var specification: CommandSpecification {
        CommandSpecification(
            "suggest", "Suggest what you are likely to want now on this machine.",
            options: [
                .flag("why", "say for each suggestion why it is made"),
                .value("limit", "NUMBER", "make at most this many suggestions (usually 5)"),
                .value("nth", "NUMBER", "continue this suggestion, as `baton continue` does"),
                HandlerOptions.file,
            ],
            notes: [
                "Suggestions are activities that you used here before, or that go on on another",
                "machine, and that can be continued: folders of your shells, what you began with",
                "`baton start`, and what apps allow. Others are actions that apps of this machine",
                "have donated, which only the app itself can do again. This machine learns from",
                "how often, how recently and when you use things, what usually follows what, and",
                "where it is; nothing is sent.",
                "`baton settings app APP suggestions off` leaves an app out, and deletes what it",
                "donated. While `baton private` is on, it neither learns nor takes donations.",
            ])
    }

    /// The number of suggestions if the person names no other number.
    private static let usual = 5

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        let nth = try number("nth", arguments)
        guard nth == nil || !arguments.has("why") && !arguments.has("limit") else {
            throw LocalFailure(.usage, "Use --nth alone, or with --json.")
        }
        let most = try number("limit", arguments) ?? max(usual, nth ?? 0)
        let configuration = try call.configuration()
        var node = try call.connect()
        let registry = try call.registry(configuration, &node)
        let reply = try node.ask(SuggestActivities(most: most))
        if let nth {
            guard nth <= reply.suggestions.count else {
                throw LocalFailure(
                    .notFound,
                    reply.suggestions.isEmpty
                        ? "There are no suggestions yet."
                        : "There \(HumanTime.present(reply.suggestions.count, "suggestion")), so none has the number \(nth)."
                )
            }
            let chosen = reply.suggestions[nth - 1].summary
            return try Continue.go(
                on: .named(chosen.identifier), ofType: chosen.activity.type, call, node, registry)
        }
        let text = SuggestionText(reply) { registry.description(of: $0, call) }
        if call.isJSON { return call.console.print(text.json(at: .here)) }
        guard !reply.suggestions.isEmpty else {
            return call.console.print(
                "No suggestions yet. They come from what you use here, and from your other machines.")
        }
        let lines = text.lines(
            width: call.console.width, isStyled: call.console.hasStyle, withReasons: arguments.has("why"),
            at: .here)
        for line in lines { call.console.print(exactly: line) }
    }

    private static func number(_ option: String, _ arguments: Arguments) throws(LocalFailure) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Int(text), (1...Limits.suggestions).contains(number) else {
            throw LocalFailure(.usage, "--\(option) takes a number from 1 to \(Limits.suggestions).")
        }
        return number
    }
}

extension HandlerRegistry {
    /// A description of the handler that probably continues an activity on this machine, or nil if there is none.
    func description(of summary: ActivitySummary, _ call: Call) -> VisibleText? {
        let likely = likelyHandler(for: summary, environment: call.environment)
        guard let handler = likely else { return nil }
        let goes = handler.action == .known(.folder) && call.shellAnswer != nil
        return goes ? "this shell goes there" : VisibleText(handler.text)
    }

    /// Whether an activity can be continued on this machine now.
    ///
    /// An activity that leads to the working folder does not count.
    func continues(_ summary: ActivitySummary, environment: (String) -> String?) -> Bool {
        do throws(LocalFailure) {
            guard let plan = try plan(summary, environment: environment) else { return false }
            guard case .go(let place) = plan.step else { return true }
            return LocalPath.resolved(place.path) != LocalPath.resolved(".")
        } catch {
            // Something that the activity needs does not exist here. If the person chooses the activity, they are told
            // what it is.
            return false
        }
    }
}
