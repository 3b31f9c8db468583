import BatonClient
import BatonCore

/// One use of a subcommand: what was typed, and what it is done with.
struct Call {
    let arguments: Arguments
    let console: Console
    let environment: (String) -> String?

    /// Whether data is printed for programs rather than for a person.
    var isJSON: Bool { arguments.has("json") }

    /// The home that is meant.
    func home() throws(LocalFailure) -> Home {
        try Home(option: arguments.value("home"), environment: environment)
    }

    /// A connection to the node of that home.
    func connect() throws(LocalFailure) -> NodeConnection { try NodeConnection(try home()) }

    /// The option `--home` as it was typed, for a program that is started with it.
    var homeArguments: [String] { arguments.value("home").map { ["--home", $0] } ?? [] }
}
