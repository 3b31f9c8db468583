import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton run-with`: runs a command, and has an activity for as long as the command runs.
enum RunWith {
    static var specification: CommandSpecification {
        CommandSpecification(
            "run-with", "Run a command, with an activity that lasts as long as it runs.",
            operands: [.required("TYPE"), .repeated("COMMAND")], options: ActivityOptions.options,
            notes: [
                "Put `--` before the command: baton run-with org.example.build -- make -j4",
                "The command gets the terminal, and signals are passed on to it. The exit status",
                "is that of the command: 128 plus the number of the signal that ended it, and as",
                "in a shell 127 if there is no such command and 126 if it can't be run. The title",
                "is the command, unless you give one. Without a running node, the command runs",
                "all the same, and the activity starts once there is a node.",
            ] + ActivityOptions.notes)
    }

    /// Runs the command; returns its exit status.
    static func run(_ call: Call) throws(LocalFailure) -> Int32 {
        let words = Array(call.arguments.operands.dropFirst())
        let type = try ActivityOptions.type(call.arguments)
        var change = try ActivityOptions.change(call, of: type)
        change.title = change.title ?? words.map { ShellWord.quoted($0) }.joined(separator: " ")
        let start = StartActivity(
            app: ShellInstance.runningApp, instance: try ShellInstance.own().name, lifetime: .connection,
            type: type, change: change)
        var run = CommandRun(try call.home(), start) { (text) throws(LocalFailure) in
            try call.console.explain("baton: " + text)
        }
        return try run.run(words)
    }
}
