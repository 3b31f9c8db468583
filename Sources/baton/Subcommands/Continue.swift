import BatonClient
import BatonCommand
import BatonCore
import Glibc

/// `baton continue`: continues an activity of another machine on this machine.
enum Continue {
    static var specification: CommandSpecification {
        CommandSpecification(
            "continue", "Continue here what you started on another machine.",
            operands: [.optional("ID|TYPE|TITLE")],
            options: [
                .flag("last", "take what was sent here, else what changed last (the default)"),
                .flag("take", "end it on the other machine, and start it in this shell"),
                .flag("print", "print the command, or the folder to go to, and run nothing"),
                .flag("no-handler", "show what it is, and look for no handler"),
                .flag("window", "open a window for what needs a terminal"),
                .value("type", "TYPE", "continue it only if it still has this type"),
                StreamContinue.option, HandlerOptions.file,
            ],
            notes: [
                "The activity is passed to the handler that `baton handlers` shows for its type:",
                "an app, which is started if need be, or a command. A command replaces baton: it",
                "gets the terminal, and its exit status counts. A folder is only printed, because",
                "only your shell can go there:",
                "  cd \"$(baton continue --print)\"",
                "With --json, everything is printed, with the command, and nothing is run.",
                "The output says where the state came from, and how old it is: fresh from the",
                "app, from the other machine's node, or the last that was replicated.",
                "TITLE may be a part of a title. If several activities have it, the picker opens",
                "with them at a terminal; elsewhere they are listed, and nothing is continued. If",
                "the activity points to a file that is not on this machine, it stays in the list.",
                "The other machine learns that it was continued, or ends it with --take, only",
                "once it can go on here; an app must have confirmed that it has it.",
                "--window is for starts without a terminal, such as by a key of your desktop.",
                "It opens the first of these that is installed: xdg-terminal-exec, the terminal",
                "that is Debian's alternative, foot, kitty, alacritty, konsole, gnome-terminal,",
                "xterm.",
            ] + StreamContinue.notes + [
                "Exit status: 11 if there is no such activity, or the file that it points to is",
                "not here; 19 if another machine has taken it over; 20 if a stream broke before",
                "both sides had received everything.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) -> Int32 {
        let arguments = call.arguments
        let named = arguments[0]
        try check(call, named)
        let selection = named.map { ActivitySelection.named($0) } ?? .last
        if arguments.has("stream") {
            try StreamContinue.run(call, selection)
            return 0
        }
        // If the configuration file has an error, it must be reported before the activity is continued.
        let configuration = try arguments.has("no-handler") ? nil : call.configuration()
        // If there is no shell to take over the activity, this must be reported before it ends on the other machine.
        let shell = arguments.has("take") ? try ShellInstance.meant(by: nil) : nil
        var node = try call.connect(waitingFor: waiting)
        var registry: HandlerRegistry?
        if !arguments.has("no-handler") {
            registry = try call.registry(configuration, &node, explainsUnused: true)
        }
        do throws(LocalFailure) {
            try go(
                on: selection, ofType: arguments.value("type"), call, node, registry, shell: shell,
                prints: prints(call), opensWindow: arguments.has("window"))
        } catch {
            if let named, let several = try several(named, error, call) {
                return try choose(among: several, call, registry, configuration, shell: shell)
            }
            if arguments.has("window"), isatty(STDERR_FILENO) == 0 { OfferText.show(error) }
            throw error
        }
        return 0
    }

    private static let waiting: VisibleText = "Waiting for the other machine"

    /// Whether the handler's command is printed and not run.
    private static func prints(_ call: Call) -> Bool { call.arguments.has("print") && !call.isJSON }

    /// Throws if operands or options can't be combined.
    private static func check(_ call: Call, _ named: String?) throws(LocalFailure) {
        let arguments = call.arguments
        guard named != "" else { throw LocalFailure(.usage, "The name of the activity is empty.") }
        guard named == nil || !arguments.has("last") else {
            throw LocalFailure(.usage, "Name an activity or use --last, not both.")
        }
        guard !arguments.has("print") || !arguments.has("no-handler") else {
            throw LocalFailure(.usage, "Use --print or --no-handler, not both.")
        }
        if arguments.has("window"),
            ["take", "print", "no-handler", "json", "stream"].contains(where: arguments.has)
        {
            throw LocalFailure(
                .usage,
                "--window can't be combined with --take, --print, --no-handler, --json or --stream.")
        }
        guard !arguments.has("type") || !arguments.has("stream") else {
            throw LocalFailure(.usage, "--type can't be combined with --stream.")
        }
    }

    /// Returns the activities that an ambiguous name may mean, if the person can choose one of them at a terminal.
    ///
    /// Returns nil if the failure has another reason.
    private static func several(
        _ named: String, _ failure: LocalFailure, _ call: Call
    ) throws(LocalFailure) -> [ActivitySummary]? {
        guard failure.code == .notFound, !call.isJSON, LiveSession<Picker>.isPossible(call.environment) else {
            return nil
        }
        var node = try call.connect()
        let meant = try node.activities().meant(by: named)
        return meant.count > 1 ? meant : nil
    }

    /// Lets the person choose an activity, and continues it; returns the exit status.
    private static func choose(
        among several: [ActivitySummary], _ call: Call, _ registry: HandlerRegistry?,
        _ configuration: Configuration?, shell: ShellInstance?
    ) throws(LocalFailure) -> Int32 {
        switch try Pick.choose(among: Set(several.map(\.identifier)), call, registry, configuration) {
        case .signal(let number): return 128 + number
        case .chosen(.go(let summary), _, _):
            try go(
                on: .named(summary.identifier), ofType: summary.activity.type, call,
                try call.connect(waitingFor: waiting), registry, shell: shell, prints: prints(call),
                opensWindow: call.arguments.has("window"))
        // The person chooses among these activities only, so there are no search results to open.
        case .left, .chosen(.open, _, _): break
        }
        return 0
    }

    /// Fetches an activity, and passes it to its handler.
    ///
    /// `type` is the type that the person saw. If the activity has another type now, it is not continued.
    static func go(
        on selection: ActivitySelection, ofType type: String?, _ call: Call, _ node: consuming NodeConnection,
        _ registry: HandlerRegistry?, shell: ShellInstance? = nil, prints: Bool = false,
        opensWindow: Bool = false
    ) throws(LocalFailure) {
        let watch = Stopwatch()
        let continued = try node.ask(ContinueActivity(selection, step: .fetch, type: type))
        var continuing = Continuing(
            call: call, node: node, shell: shell, prints: prints, opensWindow: opensWindow,
            continued: continued, duration: watch.elapsed)
        try continuing.goOn(registry)
    }
}
