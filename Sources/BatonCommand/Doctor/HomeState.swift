import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// The state of the folder that contains the accounts and their keys.
package enum HomeState: Equatable, Sendable {
    /// The folder contains these accounts.
    case ready([String])
    /// The folder does not exist, or contains no account.
    case noAccount
    /// The path of the folder leads to a file.
    case notFolder
    /// The folder can't be read.
    case unreadable(String)

    /// Examines the folder of a home.
    package init(examining home: Home) {
        var status = stat()
        guard stat(home.data, &status) == 0 else {
            self = errno == ENOENT ? .noAccount : .unreadable(SystemText.of(errno))
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            self = .notFolder
            return
        }
        guard access(home.data, R_OK | X_OK) == 0 else {
            self = .unreadable(SystemText.of(errno))
            return
        }
        let accounts = home.standingAccounts.map(\.text)
        self = accounts.isEmpty ? .noAccount : .ready(accounts)
    }

    package func finding(of home: Home) -> Finding {
        let (data, option) = (home.data, home.option)
        return switch self {
        case .ready(let accounts):
            Finding(
                .home, "ready", .ok, "home",
                "\(data), \(accounts.count == 1 ? "account" : "accounts") \(accounts.joined(separator: ", "))"
            )
        case .noAccount:
            Finding(
                .home, "noAccount", .problem, "home", "\(data) has no account yet",
                advice:
                    "Type `baton init\(option)` on the first machine of an account, or `baton join CODE\(option)` with the code that `baton invite` shows on another."
            )
        case .notFolder:
            Finding(
                .home, "notFolder", .problem, "home", "\(data) is not a folder",
                advice: "Move that file away, or choose another folder with --home DIR.")
        case .unreadable(let text):
            Finding(
                .home, "unreadable", .problem, "home", "\(data) can't be read (\(text))",
                advice: "Type `ls -ld \(ShellWord.quoted(data))` to see its owner.")
        }
    }
}

/// Whether other users have access to the files of a home.
package enum PrivacyState: Equatable, Sendable {
    case closed
    /// Other users have access to this file or folder.
    case open(String, mode: UInt32)
    /// This file or folder belongs to another user.
    case foreign(String, owner: UInt32)
    /// This file or folder belongs to root, although the home is the person's own.
    ///
    /// `sudo baton` causes this.
    case leftByRoot(String)
    /// The node can't use the folder for its socket, for this reason.
    case socketFolder(String)

    /// Examines the folders of a home and all files in them; nil if the home does not exist.
    package init?(examining home: Home) {
        guard access(home.data, F_OK) == 0 else { return nil }
        if let open = PrivateFolder.firstOpen(at: home.data, besides: home.manifests) {
            if open.isOwn {
                self = .open(open.path, mode: open.mode)
            } else if open.owner == 0, Self.isOwn(home.data) || Self.isOwn(home.data + "/..") {
                self = .leftByRoot(open.path)
            } else {
                self = .foreign(open.path, owner: open.owner)
            }
            return
        }
        do throws(NetworkError) {
            try PrivateFolder.demand(home.socketFolder)
            self = .closed
        } catch {
            // A folder that does not exist is no problem, because the node creates it.
            self = error.code == .notFound ? .closed : .socketFolder(error.reason)
        }
    }

    /// Whether a folder belongs to the user who runs this command.
    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid == geteuid()
    }

    package func finding(of home: Home) -> Finding {
        let data = ShellWord.quoted(home.data)
        return switch self {
        case .closed: Finding(.privacy, "closed", .ok, "modes", "only you can use its files")
        case .open(let path, let mode):
            Finding(
                .privacy, "open", .problem, "modes",
                "other users have access to \(path) (mode \(String(mode, radix: 8))), so the node does not start",
                advice: "Type `chmod -R go= \(data)`.")
        case .foreign(let path, let owner):
            Finding(
                .privacy, "foreign", .problem, "modes",
                "\(path) belongs to user \(owner), so the node does not start",
                advice:
                    "Leave it to that user, who can type `baton doctor`; for an account of your own, choose another folder with --home DIR."
            )
        case .leftByRoot(let path):
            Finding(
                .privacy, "leftByRoot", .problem, "modes",
                "\(path) belongs to root, so the node does not start; a command of `baton` was typed with sudo",
                advice: "Type `sudo chown -R \(geteuid()) \(data)`, and use `baton` without sudo.")
        case .socketFolder(let reason):
            Finding(
                .privacy, "socketFolder", .problem, "modes",
                "the folder of the node's socket, \(home.socketFolder), is not used: \(reason)")
        }
    }
}
