import BatonClient
import BatonCore

/// `baton start`: makes an activity the current one of this shell.
enum Start {
    static var specification: CommandSpecification {
        CommandSpecification(
            "start", "Start an activity, which can be continued on your other machines.",
            operands: [.required("TYPE")],
            options: ActivityOptions.options + [
                .value("instance", "NAME", "start it under a name of its own rather than for this shell"),
                StreamStart.option,
            ],
            notes: ["TYPE says what kind of thing you do, in reverse DNS: org.example.editing."]
                + ActivityOptions.notes
                + [
                    "The activity lasts until `baton finish`, its expiry, or the end of this shell;",
                    "with --instance until finish or expiry. A shell has one activity at a time.",
                ] + StreamStart.notes)
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        let type = try ActivityOptions.type(arguments)
        if arguments.has("stream") {
            return try StreamStart.run(call, type, try ActivityOptions.change(arguments, at: .here))
        }
        let shell = try ShellInstance.meant(by: arguments.value("instance"))
        let start = ActivityStart(
            app: ShellInstance.app, instance: shell.name,
            lifetime: shell.process.map { .process($0) } ?? .untilFinished, type: type,
            change: try ActivityOptions.change(arguments, at: .here))
        var node = try call.connect()
        let summary = try node.activity(.start(start))
        call.print(summary, "Started \(summary.label) (\(summary.short)).")
    }
}

extension Call {
    /// Prints an activity after something was done with it.
    func print(_ summary: ActivitySummary, _ text: VisibleText) {
        if isJSON {
            console.print(.object([.init("activity", JSON(summary))]))
        } else {
            console.print(text)
        }
    }
}
