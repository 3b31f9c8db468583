import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton list`: lists the activities of all machines.
enum List {
    static var specification: CommandSpecification {
        CommandSpecification(
            "list", "List the activities of all your machines.",
            options: [
                .flag("watch", "keep running, and show each change as it happens"),
                .flag("finished", "list what has ended and can still be continued"),
                .flag("all", "also list hidden and idle ones, and what removed machines left"),
            ],
            notes: [
                "On a terminal, --watch redraws the list; elsewhere it prints a line for each",
                "change, or with --json a value. It goes on when the node restarts.",
                "Shells that stand in one folder and do nothing are one row; in the home folder",
                "they are not listed, and neither is a command that runs an editor whose file is.",
                "--all lists each of them, and so does --json.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        guard
            [arguments.has("watch"), arguments.has("finished"), arguments.has("all")].count(where: \.self) < 2
        else { throw LocalFailure(.usage, "Use only one of --watch, --finished and --all.") }
        if arguments.has("watch") {
            var watching = Watching(ActivityWatch(), call, try call.home())
            return try watching.run()
        }
        let extent: ListActivities.Extent =
            arguments.has("finished") ? .finished : arguments.has("all") ? .withForgotten : .goingOn
        try show(extent, call)
    }

    /// Prints the list of activities once.
    static func show(_ extent: ListActivities.Extent, _ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let summaries = try node.activities(extent)
        if call.isJSON {
            call.console.print(.object([.init("activities", .array(summaries.map { JSON($0) }))]))
            return
        }
        let rows = extent == .goingOn ? summaries.shownToPeople : summaries
        if !rows.isEmpty {
            call.console.print(ActivityList(rows).table(at: .here))
        } else if extent == .finished {
            call.console.print("No finished activities are stored.")
        } else {
            call.console.print(try nothing(call, idle: summaries.count))
        }
    }

    /// The message for an empty list.
    ///
    /// `count` is the number of idle shells, which the list leaves out.
    static func nothing(_ call: Call, idle count: Int) throws(LocalFailure) -> VisibleText {
        guard count == 0 else {
            let command = try "baton list --all" + call.options()
            let shells = HumanTime.present(count, "shell")
            return "Nothing is going on. There \(shells) in home folders; see `\(command)`."
        }
        let command = try "baton start TYPE --title TEXT" + call.options()
        return "Nothing is going on. Start something with `\(command)`."
    }
}
