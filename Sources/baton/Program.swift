package import BatonClient
import BatonCore

/// The command as a function: words in, text out, and an exit status.
package struct Program {
    private let console: Console
    private let environment: (String) -> String?
    private let start: ProgramStart.Start

    /// A command that prints on this console, knows these variables, and hands over to other programs so.
    package init(
        console: Console, environment: @escaping (String) -> String?,
        start: @escaping ProgramStart.Start = ProgramStart.replaceThisProcess
    ) {
        (self.console, self.environment, self.start) = (console, environment, start)
    }

    /// Does what was typed behind the program's name; the status tells what went wrong, or zero.
    package func run(_ words: [String]) -> Int32 {
        do throws(LocalFailure) {
            try perform(words)
            try console.flush()
            return 0
        } catch {
            console.report(error)
            return Int32(error.code.rawValue)
        }
    }

    private func perform(_ words: [String]) throws(LocalFailure) {
        if words.first == Complete.name {
            return Complete.run(Array(words.dropFirst()), on: console, environment: environment)
        }
        let arguments = try Subcommand.parser.parse(words)
        if arguments.has("version") { return Version.print(on: console, isJSON: arguments.has("json")) }
        guard let command = arguments.command, let subcommand = Subcommand(rawValue: command.name) else {
            let overview = Subcommand.overview
            if arguments.has("help") { return console.print(overview) }
            try console.explain(overview)
            throw LocalFailure(.usage, "Say what is to be done.")
        }
        if arguments.has("help") { return console.print(command.help) }
        try subcommand.run(
            Call(arguments: arguments, console: console, environment: environment, start: start))
    }
}
