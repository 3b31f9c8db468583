import BatonClient
import BatonCore

/// `baton run-with`: an activity as long as a command runs.
enum RunWith {
    static var specification: CommandSpecification {
        CommandSpecification(
            "run-with", "Run a command, with an activity that lasts as long.",
            operands: [.required("TYPE"), .repeated("COMMAND")], options: ActivityOptions.options,
            notes: [
                "Put `--` before the command: baton run-with org.example.build -- make -j4",
                "It has the terminal and the streams; signals are passed on to it, and its exit",
                "status is that of baton, 128 and the number of the signal that ended it, and as",
                "in a shell 127 if there is no such command and 126 if it can't be run. The",
                "title is the command, unless you name one. If no node runs, that is said, and",
                "the command runs all the same; once one does, the activity begins.",
            ] + ActivityOptions.notes)
    }

    /// Answers with the status of the command.
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
