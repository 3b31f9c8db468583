import BatonClient
import BatonCore
@preconcurrency import Glibc

/// Switches the branch of a repository with git, after the person has agreed.
///
/// Baton starts git only here. The person's answer shows that they trust the folder. Still, the settings of the
/// repository must not start a program. So git is started only if a list of harmless settings contains all settings of
/// the repository. Hooks are turned off, and missing objects are not fetched. The person's own settings apply. They
/// include filters such as Git LFS, which the right contents of files depend on.
package enum Git {
    /// Switches the repository to a branch; returns nil, or the reason why this failed.
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
        // These variables prevent git from fetching missing objects. Older versions of git know only the first one.
        var settings = [
            "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false",
            "GIT_PAGER=cat", "LC_ALL=C",
        ]
        // The other variables of this process are not passed. Git's own variables could name another repository, or
        // programs.
        for name in ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"] {
            if let value = Environment.variable(name) { settings.append("\(name)=\(value)") }
        }
        return settings
    }
}
