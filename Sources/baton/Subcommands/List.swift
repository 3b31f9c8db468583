import BatonClient
import BatonCore

/// `baton list`: lists the activities of all devices.
enum List {
    static var specification: CommandSpecification {
        CommandSpecification(
            "list", "List the activities of all your machines.",
            options: [
                .flag("watch", "keep running, and show each change as it happens"),
                .flag("finished", "list what has ended and can still be continued"),
                .flag("all", "also list what is hidden here, and what removed machines left"),
            ],
            notes: [
                "On a terminal, --watch redraws the list; elsewhere it prints a line for each",
                "change, or with --json a value. It goes on when the node restarts.",
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

    /// Prints a list.
    static func show(_ extent: ListActivities.Extent, _ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let summaries = try node.activities(extent)
        if call.isJSON {
            call.console.print(.object([.init("activities", .array(summaries.map { JSON($0) }))]))
        } else if summaries.isEmpty {
            call.console.print(
                extent == .finished ? "No finished activities are stored." : try nothing(call))
        } else {
            call.console.print(ActivityList(summaries).table(at: .here))
        }
    }

    /// The message for an empty list.
    static func nothing(_ call: Call) throws(LocalFailure) -> VisibleText {
        "Nothing is going on. Start something with `baton start TYPE --title TEXT\(try call.options())`."
    }
}
