import BatonClient
import BatonCore

/// `baton continue`: goes on here with what was begun on another machine.
enum Continue {
    static var specification: CommandSpecification {
        CommandSpecification(
            "continue", "Go on here with what you began on another machine.",
            operands: [.optional("ID|TYPE|TITLE")],
            options: [
                .flag("last", "what was sent here, else what changed last; also if nothing is named"),
                .flag("take", "end it where it goes on, and begin it in this shell"),
                .flag("print", "print the command, or the folder to go to, and run nothing"),
                .flag("no-handler", "say what it is, and look for nothing that continues it"),
                StreamContinue.option, HandlerOptions.file,
            ],
            notes: [
                "What is continued is handed to what `baton handlers` shows for its type: an",
                "app that is there, or a command. That takes the place of baton: it has the",
                "terminal, and its exit status counts. A folder is told, since only your shell",
                "can go there:",
                "  cd \"$(baton continue --print)\"",
                "With --json all is told, with what would be run, and nothing is run.",
                "It says from where the state came, and how old it is: fresh from the app, from",
                "the other machine's node, or the last that was replicated.",
                "TITLE may be a part of a title, if only one activity has it. If what it points",
                "to is not on this machine, that is said, and it stays in the list.",
            ] + StreamContinue.notes + [
                "Exit status: 11 if there is no such activity, or what it points to is not",
                "here; 19 if another machine has taken it over; 20 if a stream broke before",
                "each side had everything.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        let named = arguments[0]
        guard named != "" else { throw LocalFailure(.usage, "The name of the activity is empty.") }
        guard named == nil || !arguments.has("last") else {
            throw LocalFailure(.usage, "Name an activity or say --last, not both.")
        }
        guard !arguments.has("print") || !arguments.has("no-handler") else {
            throw LocalFailure(.usage, "Say --print or --no-handler, not both.")
        }
        let selection = named.map { ActivitySelection.named($0) } ?? .last
        if arguments.has("stream") { return try StreamContinue.run(call, selection) }
        // A mistake in the file is told before anything is continued.
        let configuration = try arguments.has("no-handler") ? nil : call.configuration()
        // And that there is no shell to take it before it ends elsewhere.
        let shell = arguments.has("take") ? try ShellInstance.meant(by: nil) : nil
        var node = try call.connect(waitingFor: "Waiting for the other machine")
        var registry: HandlerRegistry?
        if !arguments.has("no-handler") {
            registry = HandlerRegistry(configuration, apps: try node.ask(ListRegistrations()).registrations)
        }
        let watch = Stopwatch()
        let continued = try node.ask(ContinueActivity(selection))
        var continuing = Continuing(
            call: call, node: node, shell: shell, continued: continued, duration: watch.elapsed)
        try continuing.goOn(registry)
    }
}
