import BatonClient
import BatonCommand
import BatonCore

/// One run of a subcommand: its arguments, and its surroundings.
struct Call {
    let arguments: Arguments
    /// The parser that parsed the arguments; it knows all subcommands.
    let parser: ArgumentParser
    let console: Console
    let environment: (String) -> String?
    /// Replaces this process with another program; returns only in tests.
    let start: ProgramStart.Start

    /// Whether to print JSON for programs.
    var isJSON: Bool { arguments.has("json") }

    /// The home that the options or the environment name.
    func home() throws(LocalFailure) -> Home {
        try Home(
            option: arguments.value("home"), account: arguments.value("account"), environment: environment)
    }

    /// The file from which the shell takes the folder to change to; nil if the shell does not do so.
    var shellAnswer: String? { environment(ShellFiles.answerVariable).flatMap { $0.isEmpty ? nil : $0 } }

    /// Connects to the node of the home; a long wait shows a progress line.
    func connect(
        waitingFor what: VisibleText = "Waiting for the node"
    ) throws(LocalFailure) -> NodeConnection {
        var node = try NodeConnection(try home())
        node.waited = progress(what).tell
        return node
    }

    /// Connects to the node without naming an account, whatever the environment says.
    func connectToNode() throws(LocalFailure) -> NodeConnection {
        var node = try NodeConnection(try home().of(nil))
        node.waited = progress("Waiting for the node").tell
        return node
    }

    /// A progress line with this text.
    func progress(_ what: VisibleText) -> ProgressLine { ProgressLine(what, on: console) }

    /// The options `--home` and `--account`, as arguments for another program.
    var homeArguments: [String] {
        ["home", "account"].flatMap { name in arguments.value(name).map { ["--\(name)", $0] } ?? [] }
    }

    /// The options `--home` and `--account`, to repeat in advice.
    func options() throws(LocalFailure) -> String {
        let home = try home()
        return home.option + home.accountOption
    }
}

/// The node and a new account.
extension Call {
    /// Has a running node serve a new account, and returns a message about the result; nil if no node is running.
    ///
    /// The account exists in any case: a node finds it at the next call about it.
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
