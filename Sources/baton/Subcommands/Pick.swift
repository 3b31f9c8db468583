import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton pick`, or `baton` without a subcommand: lets the person choose one of the current activities.
enum Pick {
    static var specification: CommandSpecification {
        CommandSpecification(
            "pick", "Choose among what is going on on your machines, while you type.",
            options: [HandlerOptions.file],
            notes: [
                "`baton` alone does the same. Type parts of titles, folders or machines' names;",
                "below the activities stand search results. Until you type, the likeliest choice",
                "is at the top, if one stands out, and the last lines say why; see",
                "`baton help suggest`. The arrows choose, and",
                "  Enter    continues or opens it here     Ctrl-O   opens and closes a preview",
                "  Ctrl-S   sends it to another machine    Ctrl-X   hides it on this machine",
                "  Esc      leaves the terminal as it was",
                "A click chooses, a second one continues, and the wheel scrolls; with Shift the",
                "mouse selects text. The sign before a title says what it is: = a file,",
                "/ a folder, $ a command, @ a page, ? a manual page, & something copied,",
                "* what belongs to an app.",
                "Where there is no terminal, it prints the list of `baton list`.",
            ])
    }

    /// The largest number of search results that follow the activities.
    private static let resultMost = 20

    static func run(_ call: Call) throws(LocalFailure) -> Int32 {
        guard LiveSession<Picker>.isPossible(call.environment), !call.isJSON else {
            try List.show(.goingOn, call)
            return 0
        }
        let configuration = try call.configuration()
        var node = try call.connect()
        let registry = try call.registry(configuration, &node)
        switch try choose(call, registry, configuration) {
        case .left: return 0
        // This is the exit status that shells report for a program that a signal has ended.
        case .signal(let number): return 128 + number
        case .chosen(.go(let summary), _, _):
            try Continue.go(
                on: .named(summary.identifier), ofType: summary.activity.type, call, node, registry)
        case .chosen(.open(let result, of: let words), _, _):
            try SearchOpening.open(
                result, of: words, configuration: configuration, mayAsk: true, node, call)
        }
        return 0
    }

    /// Lets the person choose one of the current activities, or one of those with these identifiers.
    static func choose(
        among identifiers: Set<String>? = nil, _ call: Call, _ registry: HandlerRegistry?,
        _ configuration: Configuration?
    ) throws(LocalFailure) -> LiveSession<Picker>.Outcome {
        let places = configuration?.shell?.places ?? PrivatePlaces()
        let picker = Picker(
            ownInstance: try ShellInstance.followedParent()?.name, among: identifiers,
            search: { SearchItems($0, most: Self.resultMost, replacesEarlier: true) },
            handler: { registry?.description(of: $0, call) },
            continues: { registry?.continues($0, environment: call.environment) ?? false },
            read: { FilePreview.read($0, places: places, environment: call.environment) })
        var session = LiveSession(try call.home(), hasStyle: call.console.hasStyle, picker)
        return try session.run()
    }
}
