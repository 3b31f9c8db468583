import BatonClient
package import BatonCore
import Glibc

/// The person who typed this command with sudo.
///
/// This process becomes that user, and can't become root again. Otherwise, it would take the person's files for those
/// of another user, and create files that belong to root.
package struct SudoUser: Equatable, Sendable {
    private let user: uid_t
    private let group: gid_t
    private let name: String
    private let home: String

    /// Finds out who typed the command; nil if sudo was not used, or if root used it.
    package init?(environment: (String) -> String?) throws(LocalFailure) {
        guard geteuid() == 0, let user = environment("SUDO_UID").flatMap({ uid_t($0) }), user != 0,
            let group = environment("SUDO_GID").flatMap({ gid_t($0) })
        else { return nil }
        let entry = UserEntry(of: user)
        guard let home = entry?.home ?? environment("SUDO_HOME"), home.hasPrefix("/") else {
            throw LocalFailure(
                .usage, "The home of user \(user), who typed sudo, is unknown. Type the command without sudo."
            )
        }
        (self.user, self.group, self.home) = (user, group, home)
        name = entry?.name ?? environment("SUDO_USER") ?? "user \(user)"
    }

    /// Makes this process run as the user, with the variables of the user's session as far as they are known.
    package func become() throws(LocalFailure) {
        var group = group
        guard setgroups(1, &group) == 0, setgid(group) == 0, setuid(user) == 0 else {
            throw LocalFailure(.failed, "This process can't become user \(user): \(SystemText.of(errno)).")
        }
        for variable in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"] {
            unsetenv(variable)
        }
        setenv("HOME", home, 1)
        setenv("USER", name, 1)
        let runtime = "/run/user/\(user)"
        if access(runtime, W_OK | X_OK) == 0 { setenv("XDG_RUNTIME_DIR", runtime, 1) }
    }

    /// The finding that says for whom the machine is checked.
    package var finding: Finding {
        Finding(
            .home, "sudo", .note, "user",
            "checked for \(name), who typed sudo; `baton` needs no sudo")
    }
}
