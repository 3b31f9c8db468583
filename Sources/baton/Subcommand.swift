import BatonCommand
import BatonCore

/// The subcommands, in the order of the help.
enum Subcommand: String, CaseIterable {
    case initialise = "init"
    case join
    case node
    case service
    case invite
    case start
    case update
    case finish
    case list
    case pick
    case suggest
    case show
    case `continue`
    case forget
    case send
    case copy
    case paste
    case watch
    case keepPrivate = "private"
    case followShell = "shell"
    case useBrowser = "browser"
    case followEditor = "editor"
    case runWith = "run-with"
    case handlers
    case search
    case link
    case open
    case embed
    case index
    case app
    case status
    case doctor
    case devices
    case rename
    case revoke
    case remove
    case accounts
    case promote
    case recover
    case leave
    case settings
    case backup
    case restore
    case completions
    case manual
    case help
    case version

    /// The operands and options.
    var specification: CommandSpecification {
        switch self {
        case .initialise: Initialise.specification
        case .join: Join.specification
        case .node: RunNode.specification
        case .service: Service.specification
        case .invite: Invite.specification
        case .start: Start.specification
        case .update: Update.specification
        case .finish: Finish.specification
        case .list: List.specification
        case .pick: Pick.specification
        case .suggest: Suggest.specification
        case .show: Show.specification
        case .continue: Continue.specification
        case .forget: Forget.specification
        case .send: Send.specification
        case .copy: Copy.specification
        case .paste: Paste.specification
        case .watch: Watch.specification
        case .keepPrivate: KeepPrivate.specification
        case .followShell: FollowShell.specification
        case .useBrowser: UseBrowser.specification
        case .followEditor: FollowEditor.specification
        case .runWith: RunWith.specification
        case .handlers: Handlers.specification
        case .search: Search.specification
        case .link: PrintLink.specification
        case .open: Open.specification
        case .embed: Embed.specification
        case .index: Index.specification
        case .app: App.specification
        case .status: Status.specification
        case .doctor: Doctor.specification
        case .devices: Devices.specification
        case .rename: Rename.specification
        case .revoke: Revoke.specification
        case .remove: Remove.specification
        case .accounts: Accounts.specification
        case .promote: Promote.specification
        case .recover: Recover.specification
        case .leave: Leave.specification
        case .settings: ChangeSettings.specification
        case .backup: Backup.specification
        case .restore: Restore.specification
        case .completions: Completions.specification
        case .manual: PrintManual.specification
        case .help: Help.specification
        case .version: Version.specification
        }
    }

    /// Runs the subcommand; returns the exit status.
    func run(_ call: Call) throws(LocalFailure) -> Int32 {
        switch self {
        case .initialise: try Initialise.run(call)
        case .join: try Join.run(call)
        case .node: try RunNode.run(call)
        case .service: try Service.run(call)
        case .invite: try Invite.run(call)
        case .start: try Start.run(call)
        case .update: try Update.run(call)
        case .finish: try Finish.run(call)
        case .list: try List.run(call)
        case .pick: return try Pick.run(call)
        case .suggest: try Suggest.run(call)
        case .show: try Show.run(call)
        case .continue: return try Continue.run(call)
        case .forget: try Forget.run(call)
        case .send: try Send.run(call)
        case .copy: return try Copy.run(call)
        case .paste: try Paste.run(call)
        case .watch: try Watch.run(call)
        case .keepPrivate: try KeepPrivate.run(call)
        case .followShell: try FollowShell.run(call)
        case .useBrowser: try UseBrowser.run(call)
        case .followEditor: try FollowEditor.run(call)
        case .runWith: return try RunWith.run(call)
        case .handlers: try Handlers.run(call)
        case .search: return try Search.run(call)
        case .link: try PrintLink.run(call)
        case .open: try Open.run(call)
        case .embed: try Embed.run(call)
        case .index: try Index.run(call)
        case .app: try App.run(call)
        case .status: try Status.run(call)
        case .doctor: return try Doctor.run(call)
        case .devices: try Devices.run(call)
        case .rename: try Rename.run(call)
        case .revoke: try Revoke.run(call)
        case .remove: try Remove.run(call)
        case .accounts: try Accounts.run(call)
        case .promote: try Promote.run(call)
        case .recover: try Recover.run(call)
        case .leave: try Leave.run(call)
        case .settings: try ChangeSettings.run(call)
        case .backup: try Backup.run(call)
        case .restore: try Restore.run(call)
        case .completions: try Completions.run(call)
        case .manual: PrintManual.run(call)
        case .help: try Help.run(call)
        case .version: Version.run(call)
        }
        return 0
    }

    /// The parser for all subcommands; only the specification of the named one is made.
    static var parser: ArgumentParser {
        ArgumentParser(names: allCases.map(\.rawValue)) { Subcommand(rawValue: $0)?.specification }
    }
}
