import BatonClient
import BatonCore
@preconcurrency import Glibc

/// Switches the branch of a repository with git, after the person has agreed.
///
/// Baton starts git only here. The person's answer shows that they trust the folder, but the settings of the repository
/// must still start no program. So git is started only if all of the repository's settings are in a list of harmless
/// ones. Hooks are off, and missing objects are not fetched. The person's own settings apply, including filters such as
/// Git LFS, without which other file contents would be checked out.
package enum Git {
    /// Switches to a branch of the repository; returns why it failed, or nil.
    package static func change(to branch: String, in folder: String) -> String? {
        guard let here = RepositoryReader().repository(at: folder) else {
            return "there is no repository any more"
        }
        guard !here.mayStartPrograms else { return "the settings of the repository may start programs" }
        guard GitReferences.isName("refs/heads/" + branch) else { return "the branch has an invalid name" }
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
        // Older versions of git know only the first of these variables that prevent fetching of missing objects.
        var settings = [
            "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false",
            "GIT_PAGER=cat", "LC_ALL=C",
        ]
        // Only these variables are passed, because git's own variables could name another repository, or programs.
        for name in ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"] {
            if let value = Environment.variable(name) { settings.append("\(name)=\(value)") }
        }
        return settings
    }
}
