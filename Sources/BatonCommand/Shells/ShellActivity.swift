import BatonClient
import BatonCore

/// The state of a shell: its folder, the repository of the folder, and the command that it runs.
struct ShellActivity: Equatable {
    var folder: String
    var repository: Repository?
    /// The command that has been running for a while, with the time when it began; nil if there is none.
    var command: Command?
    /// The session of tmux or screen in which the shell runs, such as `tmux work`, or nil if it runs in none.
    var session: String?

    struct Command: Equatable {
        var told: ToldCommand
        var start: WallTime
    }

    /// Returns the change that gives an activity this state, or nil if the folder's path has no meaning on other
    /// machines.
    func change(_ paths: PortablePaths) -> ActivityChange? {
        let portable = paths.portable(folder)
        guard ActivityValues.problem(with: portable) == nil else { return nil }
        var change = ActivityChange()
        change.replaces = true
        // A folder can be suggested after the shell has left it. The command that ran there is not part of the
        // suggestion.
        change.eligibility = [.handoff, .prediction]
        change.persistentIdentifier = PortablePaths.identifier(portable)
        change.requiredKeys = ["folder", "repository"]
        change.set = [.string("folder"): .string(portable)]
        change.set[.string("repository")] = repository.map { $0.value(root: paths.portable($0.root)) }
        change.set[.string("session")] = session.map { .string($0) }
        let name = portable.split(separator: "/").last.map(String.init) ?? portable
        change.title = name + (repository?.branch.map { " (\($0))" } ?? "")
        if let command {
            // A shortened command has another key than a whole one. Otherwise, a handler might run it.
            let key = command.told.hidden == nil ? PersonalShell.Key.command : PersonalShell.Key.shortened
            change.set[.string(key)] = .string(command.told.text)
            change.set[.string("since")] = .date(Double(command.start.milliseconds) / 1000)
            let line = command.told.text.split(separator: "\n").first ?? ""
            change.title = "\(line) — \(change.title ?? "")"
        }
        return change
    }
}
