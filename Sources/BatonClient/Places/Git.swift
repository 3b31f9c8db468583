import BatonCore
@preconcurrency import Glibc

/// Looks at repositories with git.
///
/// Only commands are used that start no program which a repository names: a folder that somebody unpacks may hold a
/// repository whose settings name programs, and to go into it must not run them.
package struct Git {
    private let patience: Duration
    private let variables: [String]

    /// The time that one command may take.
    package static let patience = Duration.seconds(10)

    package init(patience: Duration = Git.patience) {
        self.patience = patience
        var settings = ["GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"]
        // Variables of git that a shell had by chance would name another repository.
        for name in ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"] {
            if let value = Environment.variable(name) { settings.append("\(name)=\(value)") }
        }
        variables = settings
    }

    /// Returns what a folder's repository is, and its state; nil if it is in none, or git can't be asked.
    ///
    /// The first commit is not looked for if `firstCommit` knows it for the root, because git reads all commits for that.
    package func repository(
        at folder: String, firstCommit: (String) -> String?
    ) -> Repository? {
        guard let places = lines(["rev-parse", "--is-shallow-repository", "--show-toplevel"], in: folder),
            places.count == 2
        else { return nil }
        let (isShallow, root) = (places[0] != "false", places[1])
        guard let settings = settings(of: root) else { return nil }
        var found = Repository(
            root: root,
            identity: RepositoryIdentity(
                remotes: Set(settings.remotes.compactMap(RemoteAddress.shared)), firstCommit: nil))
        if settings.namesPrograms { describeHead(&found) } else { describe(&found) }
        if found.commit != nil, !isShallow {
            // Another repository may have taken the place of the one that is remembered.
            let known = firstCommit(root).flatMap { has($0, in: root) ? $0 : nil }
            found.identity.firstCommit = known ?? self.firstCommit(in: root)
        }
        return found
    }

    /// Whether a commit is in the repository at a folder.
    func has(_ commit: String, in folder: String) -> Bool {
        run(["cat-file", "-e", commit + "^{commit}"], in: folder)?.status == 0
    }

    /// Whether a repository has a branch of that name of its own.
    func hasBranch(_ name: String, in folder: String) -> Bool {
        run(["show-ref", "--verify", "--quiet", "refs/heads/" + name], in: folder)?.status == 0
    }

    /// Changes to a branch of the repository, with the person's own settings; returns an error of git.
    package static func change(to branch: String, in folder: String) -> String? {
        guard let answer = ProgramOutput(of: ["git", "-C", folder, "switch", "--no-guess", branch, "--"])
        else { return "git can't be started" }
        return answer.status == 0 ? nil : answer.errors
    }

    // MARK: Questions

    private struct Settings {
        var remotes: [String] = []
        /// Whether settings in the repository itself name programs that git would start while it compares files.
        var namesPrograms = false
    }

    private func settings(of root: String) -> Settings? {
        guard let answer = run(["config", "--list", "--show-scope", "--null"], in: root), answer.status == 0
        else { return nil }
        var settings = Settings()
        // Each is a scope, and a key with its value in the line below, each with a zero at its end.
        let parts = answer.output.split(separator: "\u{0}", omittingEmptySubsequences: false)
        for place in stride(from: 0, to: parts.count - 1, by: 2) {
            let isOwn = parts[place] == "local" || parts[place] == "worktree"
            let setting = parts[place + 1].split(separator: "\n", maxSplits: 1)
            guard isOwn, let key = setting.first else { continue }
            if key.hasPrefix("remote."), key.hasSuffix(".url"), setting.count == 2 {
                settings.remotes.append(String(setting[1]))
            }
            // A filter, a watcher of files, and settings of other files.
            if key.hasPrefix("filter.") || key == "core.fsmonitor" || key.hasPrefix("include") {
                settings.namesPrograms = true
            }
        }
        return settings
    }

    /// Finds the branch, the commit and whether files have changed.
    private func describe(_ repository: inout Repository) {
        let words = ["status", "--porcelain=v2", "--branch", "--ignore-submodules=all"]
        guard let lines = lines(words, in: repository.root) else { return describeHead(&repository) }
        repository.isChanged = lines.contains { !$0.hasPrefix("#") }
        for line in lines where line.hasPrefix("# branch.") {
            let parts = line.split(separator: " ")
            guard parts.count >= 3 else { continue }
            switch parts[1] {
            case "branch.oid" where parts[2] != "(initial)": repository.commit = String(parts[2])
            case "branch.head" where parts[2] != "(detached)": repository.branch = String(parts[2])
            case "branch.ab": repository.unpushed = Int(parts[2].drop { $0 == "+" })
            default: break
            }
        }
    }

    /// Finds the branch and the commit alone.
    private func describeHead(_ repository: inout Repository) {
        repository.branch = lines(["symbolic-ref", "--quiet", "--short", "HEAD"], in: repository.root)?.first
        repository.commit = lines(["rev-parse", "--quiet", "--verify", "HEAD"], in: repository.root)?.first
    }

    private func firstCommit(in root: String) -> String? {
        lines(["rev-list", "--max-parents=0", "HEAD"], in: root)?.last
    }

    // MARK: Running git

    /// Returns the lines that a command prints; nil if it fails.
    private func lines(_ words: [String], in folder: String) -> [String]? {
        guard let answer = run(words, in: folder), answer.status == 0 else { return nil }
        return answer.output.split(separator: "\n").map(String.init)
    }

    private func run(_ words: [String], in folder: String) -> ProgramOutput? {
        let safe = ["git", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
        return ProgramOutput(of: safe + words, variables: variables, within: patience)
    }
}
