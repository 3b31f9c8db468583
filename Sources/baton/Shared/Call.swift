import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// One run of a subcommand, with everything that it needs.
struct Call {
    let arguments: Arguments
    /// The parser of the arguments, which knows all subcommands.
    let parser: ArgumentParser
    let console: Console
    let environment: (String) -> String?
    /// Replaces this process with another program.
    ///
    /// It returns only in tests.
    let start: ProgramStart.Start

    /// Whether the output is JSON for programs.
    var isJSON: Bool { arguments.has("json") }

    /// Returns the home that the options or the environment name.
    func home() throws(LocalFailure) -> Home {
        try Home(
            option: arguments.value("home"), account: arguments.value("account"), environment: environment)
    }

    /// The file in which the shell reads the folder to change to, or nil if the shell does not read one.
    var shellAnswer: String? { environment(ShellFiles.answerVariable).flatMap { $0.isEmpty ? nil : $0 } }

    /// Connects to the node of the home.
    ///
    /// A long wait shows a progress line.
    func connect(
        waitingFor what: VisibleText = "Waiting for the node"
    ) throws(LocalFailure) -> NodeConnection {
        var node = try NodeConnection(try home())
        node.waited = progress(what).tell
        return node
    }

    /// Connects to the node without naming an account, even if the environment names one.
    func connectToNode() throws(LocalFailure) -> NodeConnection {
        var node = try NodeConnection(try home().of(nil))
        node.waited = progress("Waiting for the node").tell
        return node
    }

    /// Creates a progress line with this text.
    func progress(_ what: VisibleText) -> ProgressLine { ProgressLine(what, on: console) }

    /// The options `--home` and `--account`, as arguments for another program.
    var homeArguments: [String] {
        ["home", "account"].flatMap { name in arguments.value(name).map { ["--\(name)", $0] } ?? [] }
    }

    /// The options `--home` and `--account`, as text for the commands that advice mentions.
    func options() throws(LocalFailure) -> String {
        let home = try home()
        return home.option + home.accountOption
    }
}

/// Tells a running node about a new account.
extension Call {
    /// Asks a running node to serve a new account; returns a sentence about the result, or nil if no node is running.
    ///
    /// If this fails, the account still exists. A node finds it at the next call about it.
    func nodeTakesUpAccount() -> VisibleText? {
        do throws(LocalFailure) {
            let name = try home().meant ?? .usual
            var node = try connectToNode()
            let account = try node.ask(ListAccounts()).accounts.first { $0.name == name.text }
            guard let account, account.trouble == nil else {
                return "The running node can't serve it: \(account?.trouble ?? "it does not find it.")"
            }
            return "The running node serves it."
        } catch {
            return error.code == .noNode
                ? nil
                : "The running node could not be notified, and will serve the account at the next request about it: \(error.text)"
        }
    }
}
