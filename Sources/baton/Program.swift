package import BatonCommand
import BatonCore
package import BatonTerminal

/// The `baton` command as a function: it takes arguments, prints text, and returns an exit status.
package struct Program {
    private let console: Console
    private let environment: (String) -> String?
    private let start: ProgramStart.Start

    /// Creates a command that uses a console and an environment.
    ///
    /// `start` replaces this process with another program.
    package init(
        console: Console, environment: @escaping (String) -> String?,
        start: @escaping ProgramStart.Start = ProgramStart.replaceThisProcess
    ) {
        (self.console, self.environment, self.start) = (console, environment, start)
    }

    /// Runs the command; returns the exit status.
    ///
    /// `words` are the arguments after the program's name.
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

    /// Whether the home that the options or the environment name contains an account.
    private func hasAccount(_ arguments: Arguments) -> Bool {
        do throws(LocalFailure) {
            return try Home(
                option: arguments.value("home"), account: arguments.value("account"),
                environment: environment
            ).holdsAccount
        } catch {
            // Without a home, there is no account. The overview helps the person more than an error message.
            return false
        }
    }
}
