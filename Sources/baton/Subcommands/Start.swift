import BatonClient
import BatonCore

/// `baton start`: makes an activity the current one of this shell.
enum Start {
    static var specification: CommandSpecification {
        CommandSpecification(
            "start", "Start an activity, which can be continued on your other machines.",
            operands: [.required("TYPE")],
            options: ActivityOptions.options + [
                .value("instance", "NAME", "start it under a name of its own rather than for this shell")
            ],
            notes: ["TYPE says what kind of thing you do, in reverse DNS: org.example.editing."]
                + ActivityOptions.notes
                + [
                    "The activity lasts until `baton finish`, its expiry, or the end of this shell;",
                    "with --instance until finish or expiry. A shell has one activity at a time.",
                ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        let type = arguments[0] ?? ""
        guard !type.isEmpty, type.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw LocalFailure(.usage, "A type is one word, such as org.example.editing.")
        }
        let shell = try ShellInstance.meant(by: arguments.value("instance"))
        let start = ActivityStart(
            app: ShellInstance.app, instance: shell.name, process: shell.process, type: type,
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
