import BatonClient
import BatonCore

/// One use of a subcommand: what was typed, and what it is done with.
struct Call {
    let arguments: Arguments
    let console: Console
    let environment: (String) -> String?
    /// Becomes another program; returns in tests alone.
    let start: ProgramStart.Start

    /// Whether data is printed for programs rather than for a person.
    var isJSON: Bool { arguments.has("json") }

    /// The home that is meant.
    func home() throws(LocalFailure) -> Home {
        try Home(
            option: arguments.value("home"), account: arguments.value("account"), environment: environment)
    }

    /// A connection to the node of that home; who watches is told what is waited for, if that takes long.
    func connect(
        waitingFor what: VisibleText = "Waiting for the node"
    ) throws(LocalFailure) -> NodeConnection {
        var node = try NodeConnection(try home())
        node.waited = progress(what).tell
        return node
    }

    /// A connection to that node that is about none of its accounts in particular, whatever variable is set.
    func connectToNode() throws(LocalFailure) -> NodeConnection {
        var node = try NodeConnection(try home().of(nil))
        node.waited = progress("Waiting for the node").tell
        return node
    }

    /// A line that says what is being waited for.
    func progress(_ what: VisibleText) -> ProgressLine { ProgressLine(what, on: console) }

    /// The options `--home` and `--account` as they were typed, for a program that is started with them.
    var homeArguments: [String] {
        ["home", "account"].flatMap { name in arguments.value(name).map { ["--\(name)", $0] } ?? [] }
    }

    /// The options `--home` and `--account` as they are to be repeated in advice.
    func options() throws(LocalFailure) -> String {
        let home = try home()
        return home.option + home.accountOption
    }
}

/// What becomes of an account that was just made or joined.
extension Call {
    /// Has the node that runs here serve the account, and says whether it does; nothing if none runs.
    ///
    /// The account stands in the home whatever comes of this: a node finds it there when it is next asked for it.
    func nodeTakesUpAccount() -> VisibleText? {
        do throws(LocalFailure) {
            let name = try home().meant ?? .usual
            var node = try connectToNode()
            let account = try node.accounts().first { $0.name == name.text }
            guard let account, account.trouble == nil else {
                return "The running node can't serve it: \(account?.trouble ?? "it does not find it.")"
            }
            return "The running node serves it."
        } catch {
            return error.code == .noNode
                ? nil
                : "The running node could not be told, and serves it when it is next asked for it: \(error.text)"
        }
    }
}
