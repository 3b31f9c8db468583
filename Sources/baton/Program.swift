package import BatonCommand
import BatonCore

/// The command as a function: takes arguments, and returns text and an exit status.
package struct Program {
    private let console: Console
    private let environment: (String) -> String?
    private let start: ProgramStart.Start

    /// A command with this console, this environment, and this closure that replaces the process.
    package init(
        console: Console, environment: @escaping (String) -> String?,
        start: @escaping ProgramStart.Start = ProgramStart.replaceThisProcess
    ) {
        (self.console, self.environment, self.start) = (console, environment, start)
    }

    /// Runs the command with the arguments after the program's name; returns the exit status.
    package func run(_ words: [String]) -> Int32 {
        do throws(LocalFailure) {
            let status = try perform(words)
            try console.flush()
            return status
        } catch {
            console.report(error)
            return Int32(error.code.rawValue)
        }
    }

    private func perform(_ words: [String]) throws(LocalFailure) -> Int32 {
        let parser = Subcommand.parser
        if words.first == Complete.name {
            Complete.run(Array(words.dropFirst()), among: parser, on: console, environment: environment)
            return 0
        }
        let arguments = try parser.parse(words)
        if arguments.has("version") {
            Version.print(on: console, isJSON: arguments.has("json"))
            return 0
        }
        guard let command = arguments.command, let subcommand = Subcommand.named(command.name) else {
            let overview = parser.overview
            if arguments.has("help") {
                console.print(overview)
                return 0
            }
            if hasAccount(arguments) { return try perform([Pick.specification.name] + words) }
            try console.explain(overview)
            throw LocalFailure(.usage, "No command given.")
        }
        if arguments.has("help") {
            console.print(command.help)
            return 0
        }
        return try subcommand.run(
            Call(
                arguments: arguments, parser: parser, console: console, environment: environment,
                start: start))
    }

    /// Whether this machine has an account in the home that the options or the environment name.
    private func hasAccount(_ arguments: Arguments) -> Bool {
        do throws(LocalFailure) {
            return try Home(
                option: arguments.value("home"), account: arguments.value("account"),
                environment: environment
            ).holdsAccount
        } catch {
            // Without a home there is no account, and the overview helps more than the failure.
            return false
        }
    }
}
