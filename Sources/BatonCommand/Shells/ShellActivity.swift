import BatonCore

/// The activity of a shell: its folder, the repository that it is in, and the command that runs.
struct ShellActivity: Equatable {
    var folder: String
    var repository: Repository?
    /// The command that has been running for a while, and since when.
    var command: Command?
    /// The session of tmux or screen, such as "tmux work".
    var session: String?

    struct Command: Equatable {
        var told: ToldCommand
        var start: WallTime
    }

    /// The change that gives an activity this state.
    func change(_ paths: PortablePaths) -> ActivityChange? {
        let portable = paths.portable(folder)
        guard ActivityValues.problem(with: portable) == nil else { return nil }
        var change = ActivityChange()
        change.replaces = true
        // A folder that the shell has left can be suggested later, without the command that ran there.
        change.eligibility = [.handoff, .prediction]
        change.persistentIdentifier = PortablePaths.identifier(portable)
        change.requiredKeys = ["folder", "repository"]
        change.set = [.string("folder"): .string(portable)]
        change.set[.string("repository")] = repository.map { $0.value(root: paths.portable($0.root)) }
        change.set[.string("session")] = session.map { .string($0) }
        let name = portable.split(separator: "/").last.map(String.init) ?? portable
        change.title = name + (repository?.branch.map { " (\($0))" } ?? "")
        if let command {
            // A shortened command has a key of its own, so that no handler runs it as a whole command.
            let key = command.told.hidden == nil ? PersonalShell.Key.command : PersonalShell.Key.shortened
            change.set[.string(key)] = .string(command.told.text)
            change.set[.string("since")] = .date(Double(command.start.milliseconds) / 1000)
            let line = command.told.text.split(separator: "\n").first ?? ""
            change.title = "\(line) — \(change.title ?? "")"
        }
        return change
    }
}
