import BatonClient
import BatonCore
@preconcurrency import Glibc

/// Changes the branch of a repository with git, once the person has said so.
///
/// It is the only place at which Baton starts git. The person trusts the folder by that answer, and yet its own settings
/// must start no program: git is started only if the repository names none, by a list of settings that are known to be
/// harmless. Hooks and the fetching of missing objects are off. The person's own settings count, and so do the filters in
/// them, as for Git LFS: without them other files would be checked out.
package enum Git {
    /// Changes to a branch of the repository; returns why it was not changed.
    package static func change(to branch: String, in folder: String) -> String? {
        guard let here = RepositoryReader().repository(at: folder) else {
            return "there is no repository any more"
        }
        guard !here.mayStartPrograms else { return "the settings of the repository may start programs" }
        guard GitReferences.isName("refs/heads/" + branch) else { return "the branch has no proper name" }
        let words =
            ["git", "-C", here.root] + settings.flatMap { ["-c", $0] }
            + ["switch", "--no-guess", "--no-recurse-submodules", branch, "--"]
        guard let answer = ProgramOutput(of: words, variables: variables) else {
            return "git can't be started"
        }
        return answer.status == 0 ? nil : answer.errors
    }

    private static let settings = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.sshCommand=false",
        "credential.helper=", "protocol.allow=never", "submodule.recurse=false", "gc.auto=0",
        "maintenance.auto=false",
    ]

    private static var variables: [String] {
        // Older versions of git know only the first of these against the fetching of missing objects.
        var settings = [
            "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false",
            "GIT_PAGER=cat", "LC_ALL=C",
        ]
        // Variables of git that a shell had by chance would name another repository, or programs.
        for name in ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"] {
            if let value = Environment.variable(name) { settings.append("\(name)=\(value)") }
        }
        return settings
    }
}
