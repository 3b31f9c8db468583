import BatonCommand
import BatonCore

/// A subcommand, with its specification and the function that runs it.
struct Subcommand: Sendable {
    let name: String
    private let specify: @Sendable () -> CommandSpecification
    private let perform: @Sendable (Call) throws(LocalFailure) -> Int32

    /// All subcommands, in the order in which the help lists them.
    static let all: [Subcommand] = [
        Subcommand("setup", Setup.specification, status: Setup.run),
        Subcommand("init", Initialise.specification, run: Initialise.run),
        Subcommand("join", Join.specification, run: Join.run),
        Subcommand("node", RunNode.specification, run: RunNode.run),
        Subcommand("service", Service.specification, run: Service.run),
        Subcommand("invite", Invite.specification, run: Invite.run),
        Subcommand("start", Start.specification, run: Start.run),
        Subcommand("update", Update.specification, run: Update.run),
        Subcommand("finish", Finish.specification, run: Finish.run),
        Subcommand("list", List.specification, run: List.run),
        Subcommand("pick", Pick.specification, status: Pick.run),
        Subcommand("suggest", Suggest.specification, run: Suggest.run),
        Subcommand("show", Show.specification, run: Show.run),
        Subcommand("continue", Continue.specification, status: Continue.run),
        Subcommand("forget", Forget.specification, run: Forget.run),
        Subcommand("send", Send.specification, run: Send.run),
        Subcommand("copy", Copy.specification, status: Copy.run),
        Subcommand("paste", Paste.specification, run: Paste.run),
        Subcommand("watch", Watch.specification, run: Watch.run),
        Subcommand("private", KeepPrivate.specification, run: KeepPrivate.run),
        Subcommand("shell", FollowShell.specification, run: FollowShell.run),
        Subcommand("browser", UseBrowser.specification, run: UseBrowser.run),
        Subcommand("editor", FollowEditor.specification, run: FollowEditor.run),
        Subcommand("run-with", RunWith.specification, status: RunWith.run),
        Subcommand("handlers", Handlers.specification, run: Handlers.run),
        Subcommand("search", Search.specification, status: Search.run),
        Subcommand("find", FindEntities.specification, run: FindEntities.run),
        Subcommand("link", PrintLink.specification, run: PrintLink.run),
        Subcommand("open", Open.specification, run: Open.run),
        Subcommand("intents", ListIntents.specification, run: ListIntents.run),
        Subcommand("run", RunIntent.specification, run: RunIntent.run),
        Subcommand("do", DoPhrase.specification, run: DoPhrase.run),
        Subcommand("focus", FocusCommand.specification, run: FocusCommand.run),
        Subcommand("embed", Embed.specification, run: Embed.run),
        Subcommand("index", Index.specification, run: Index.run),
        Subcommand("app", App.specification, run: App.run),
        Subcommand("status", Status.specification, run: Status.run),
        Subcommand("doctor", Doctor.specification, status: Doctor.run),
        Subcommand("devices", Devices.specification, run: Devices.run),
        Subcommand("rename", Rename.specification, run: Rename.run),
        Subcommand("revoke", Revoke.specification, run: Revoke.run),
        Subcommand("remove", Remove.specification, run: Remove.run),
        Subcommand("accounts", Accounts.specification, run: Accounts.run),
        Subcommand("promote", Promote.specification, run: Promote.run),
        Subcommand("recover", Recover.specification, run: Recover.run),
        Subcommand("leave", Leave.specification, run: Leave.run),
        Subcommand("lock", Lock.specification, run: Lock.run),
        Subcommand("unlock", Unlock.specification, run: Unlock.run),
        Subcommand("settings", ChangeSettings.specification, run: ChangeSettings.run),
        Subcommand("backup", Backup.specification, run: Backup.run),
        Subcommand("restore", Restore.specification, run: Restore.run),
        Subcommand("completions", Completions.specification, run: Completions.run),
        Subcommand("manual", PrintManual.specification, run: PrintManual.run),
        Subcommand("help", Help.specification, run: Help.run),
        Subcommand("version", Version.specification, run: Version.run),
    ]

    /// Creates a subcommand whose exit status is zero unless it throws.
    private init(
        _ name: String, _ specification: @Sendable @escaping @autoclosure () -> CommandSpecification,
        run: @Sendable @escaping (Call) throws(LocalFailure) -> Void
    ) {
        (self.name, specify) = (name, specification)
        perform = { (call) throws(LocalFailure) in
            try run(call)
            return 0
        }
    }

    /// Creates a subcommand that returns its exit status.
    private init(
        _ name: String, _ specification: @Sendable @escaping @autoclosure () -> CommandSpecification,
        status: @Sendable @escaping (Call) throws(LocalFailure) -> Int32
    ) {
        (self.name, specify, perform) = (name, specification, status)
    }

    /// Returns the subcommand with this name, or nil if there is none.
    static func named(_ name: String) -> Subcommand? { all.first { $0.name == name } }

    /// A parser that knows all subcommands.
    ///
    /// A specification is made only when the parser asks for it.
    static var parser: ArgumentParser {
        ArgumentParser(names: all.map(\.name)) { named($0)?.specify() }
    }

    /// Runs the subcommand; returns the exit status.
    func run(_ call: Call) throws(LocalFailure) -> Int32 { try perform(call) }
}
