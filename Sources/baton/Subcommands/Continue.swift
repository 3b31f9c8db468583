import BatonClient
import BatonCore

/// `baton continue`: goes on here with what was begun on another machine.
enum Continue {
    static var specification: CommandSpecification {
        CommandSpecification(
            "continue", "Go on here with what you began on another machine.",
            operands: [.optional("ID|TYPE")],
            options: [
                .flag("last", "the one that another machine changed last; also if nothing is named"),
                .flag("print", "print the command, or the folder to go to, and run nothing"),
                .flag("no-handler", "say what it is, and look for nothing that continues it"),
                HandlerOptions.file,
            ],
            notes: [
                "What is continued is handed to the command that `baton handlers` shows for",
                "its type. That takes the place of baton: it has the terminal, and its exit",
                "status counts. A folder is told, since only your shell can go there:",
                "  cd \"$(baton continue --print)\"",
                "With --json all is told, with what would be run, and nothing is run.",
                "Exit status: 11 if there is no such activity, or what it points to is not here.",
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
        // A mistake in the file is told before anything is continued.
        let registry = arguments.has("no-handler") ? nil : try call.handlers().registry
        var node = try call.connect()
        let watch = Stopwatch()
        let continued = try node.continue(named.map { .named($0) } ?? .last)
        try Continuing(call: call, continued: continued, duration: watch.elapsed).goOn(registry)
    }
}

/// An activity that the node has handed over, on its way to what continues it.
private struct Continuing {
    let call: Call
    let continued: ContinuedActivity
    let duration: Duration

    private var text: ContinuedText { ContinuedText(continued, took: duration) }

    /// Hands it to what continues it; nothing stands for being told alone.
    func goOn(_ registry: HandlerRegistry?) throws(LocalFailure) {
        var (plan, trouble): (HandlerPlan?, LocalFailure?)
        do throws(LocalFailure) {
            plan = try registry?.plan(continued.summary, environment: call.environment)
        } catch {
            trouble = error
        }
        if call.isJSON {
            let handler = HandlerPlanText.json(plan, trouble: trouble)
            return call.console.print(JSON(continued, took: duration, handler: handler))
        }
        if let trouble {
            // Whoever prints means what is printed to be used.
            if !call.arguments.has("print") { try tell() }
            throw trouble
        }
        guard let plan else {
            try tell()
            if registry != nil { try explainHandlers() }
            return
        }
        if call.arguments.has("print") {
            let line = try HandlerPlanText.line(plan.step)
            try call.console.explain(text.line(at: .here))
            return call.console.print(line)
        }
        switch plan.step {
        case .run(let words):
            try call.console.explain(text.line(at: .here))
            try call.start(words)
        case .go(let folder):
            call.console.print(text.line(at: .here))
            call.console.print("Go there: \(VisibleText("cd " + ShellWord.quoted(folder)))")
        }
    }

    /// Says what it is, at once, so that it is there whatever follows.
    private func tell() throws(LocalFailure) {
        for line in text.lines(at: .here) { call.console.print(line) }
        try call.console.flush()
    }

    private func explainHandlers() throws(LocalFailure) {
        try call.console.explain(
            "Nothing here continues \(continued.summary.activity.type); `baton help handlers` tells how to say what does."
        )
    }
}
