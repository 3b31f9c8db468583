import BatonClient
import BatonCore

/// `baton list`: the activities that are going on, on all devices.
enum List {
    static var specification: CommandSpecification {
        CommandSpecification(
            "list", "List what is going on, on all your machines.",
            options: [
                .flag("watch", "go on, and show each change as it happens"),
                .flag("finished", "list what has ended, and can still be continued"),
                .flag("all", "list what was forgotten here, and what departed machines left, too"),
            ],
            notes: [
                "--watch draws the list anew on a terminal, and elsewhere prints a line for each",
                "change; with --json a value a line. If the node is started again, it goes on.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        guard
            [arguments.has("watch"), arguments.has("finished"), arguments.has("all")].count(where: \.self) < 2
        else { throw LocalFailure(.usage, "Say one of --watch, --finished and --all.") }
        if arguments.has("watch") {
            var watching = ListWatch(call, try call.home())
            return try watching.run()
        }
        let extent: ListActivities.Extent =
            arguments.has("finished") ? .finished : arguments.has("all") ? .withForgotten : .goingOn
        var node = try call.connect()
        let summaries = try node.activities(extent)
        if call.isJSON {
            call.console.print(.object([.init("activities", .array(summaries.map { JSON($0) }))]))
        } else if summaries.isEmpty {
            call.console.print(extent == .finished ? "Nothing is kept of what has ended." : try nothing(call))
        } else {
            call.console.print(ActivityList(summaries).table(at: .here))
        }
    }

    /// What is said where nothing goes on.
    static func nothing(_ call: Call) throws(LocalFailure) -> VisibleText {
        "Nothing is going on. Begin with `baton start TYPE --title TEXT\(try call.options())`."
    }
}
