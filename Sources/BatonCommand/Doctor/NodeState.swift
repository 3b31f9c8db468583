import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// Whether a node runs on a home, and whether it answers.
package enum NodeState: Equatable, Sendable {
    case running(process: Int32)
    case notRunning
    /// No node is running, and none can start.
    ///
    /// The node's socket would be in this folder, whose disk can't be written.
    case readOnly(String)
    /// No node is running, and none can start, because there is no account yet.
    case withoutAccount
    /// A node is running, but its socket does not exist, so commands can't connect to it.
    case socketGone
    /// The node has accepted a connection, but has not answered for this time.
    case silent(Duration)
    /// The versions of the node and this command can't work together.
    ///
    /// The text names both versions.
    case incompatible(String)
    /// The socket belongs to another user, or other users can use it.
    ///
    /// The text says what to do.
    case foreign(String)
    /// The node could not be asked, for another reason.
    case failed(String)

    /// Finds out why the node of a home could not be asked.
    ///
    /// `failure` is the failure of the attempt, which took the time `elapsed` and could have taken `patience`.
    package init(_ failure: LocalFailure, of home: Home, after patience: Duration, _ elapsed: Duration) {
        self =
            switch failure.code {
            case .noNode:
                Self.isLocked(home)
                    ? .socketGone : ReadOnlyDisk.folder(of: home.runtime).map { .readOnly($0) } ?? .notRunning
            case .notInitialised: .withoutAccount
            case .versionMismatch: .incompatible(failure.description)
            case .notAllowed: .foreign(failure.description)
            case _ where elapsed >= patience: .silent(patience)
            default: .failed(failure.description)
            }
    }

    /// Whether a process holds the lock of a home.
    ///
    /// Only a node holds it.
    private static func isLocked(_ home: Home) -> Bool {
        let file = open(home.lock, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        // If the lock was free, this process has it now. Closing the file releases it.
        defer { close(file) }
        return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    package func finding(of home: Home) -> Finding {
        let option = home.option
        let restart: VisibleText =
            "Stop it (`baton service stop\(option)`, or Ctrl+C where it runs), and start it again."
        return switch self {
        case .running(let process):
            Finding(.node, "running", .ok, "node", "running, process \(process)")
        case .notRunning:
            Finding(
                .node, "notRunning", .problem, "node", "not running",
                advice:
                    "Start one with `baton node\(option)`, or have one run in the background with `baton service install\(option)`."
            )
        case .readOnly(let folder):
            Finding(
                .node, "readOnly", .problem, "node",
                "not running, and none can start: the disk of \(folder) can't be written",
                advice: "\(home.advice(readOnly: folder))")
        case .withoutAccount:
            Finding(.node, "withoutAccount", .note, "node", "not running; it needs an account first")
        case .socketGone:
            Finding(
                .node, "socketGone", .problem, "node",
                "one is running on this home, but its socket \(home.socket) is gone", advice: restart)
        case .silent(let patience):
            Finding(
                .node, "silent", .problem, "node",
                "it accepts connections, but has not answered for \(HumanTime.span(patience))",
                advice:
                    "Its log may say why: `journalctl --user -u \(ServiceUnits.name(of: home))`, or the terminal where it runs."
            )
        case .incompatible(let text):
            Finding(.node, "incompatible", .problem, "node", "\(text)")
        case .foreign(let text): Finding(.node, "foreign", .problem, "node", "\(text)")
        case .failed(let text):
            Finding(.node, "failed", .problem, "node", "it could not be asked: \(text)", advice: restart)
        }
    }
}

/// Whether the node and this command have the same version.
package enum VersionState: Equatable, Sendable {
    case same(String)
    case differs(node: String, command: String)

    package init(node: String, command: String = Build.version) {
        self = node == command ? .same(node) : .differs(node: node, command: command)
    }

    package func finding(of home: Home) -> Finding {
        switch self {
        case .same(let version): Finding(.version, "same", .ok, "version", "\(version)")
        case .differs(let node, let command):
            Finding(
                .version, "differs", .warning, "version", "the node is \(node), this command is \(command)",
                advice:
                    "Restart the node with `baton service restart\(home.option)`, or stop it and type `baton node\(home.option)`."
            )
        }
    }
}

/// Whether the node serves an account.
package enum AccountState: Equatable, Sendable {
    case served(name: String, account: String)
    /// The node does not serve the account, for this reason.
    case failed(name: String, String)

    package init(_ status: AccountStatus) {
        if let trouble = status.trouble {
            self = .failed(name: status.name, trouble)
        } else {
            self = .served(name: status.name, account: status.account?.short ?? "")
        }
    }

    /// The finding for a problem that the node reports.
    package static func trouble(_ text: String) -> Finding {
        Finding(.trouble, "reported", .warning, "trouble", "\(text)")
    }

    /// The finding if the person keeps this machine private.
    package static let keptPrivate = Finding(
        .account, "private", .note, "private", "nothing that you do here leaves this machine",
        advice: "`baton private off` shares it with your other machines again.")

    /// The finding if protected content can't be read.
    package static let locked = Finding(
        .account, "locked", .note, "lock", "protected content is locked",
        advice: "`baton unlock` makes it readable.")

    /// The finding if protected content is not protected by a passphrase.
    package static let withoutPassphrase = Finding(
        .account, "withoutPassphrase", .note, "lock",
        "protected content is sealed for other machines and backups, but this disk has the key",
        advice: "`baton lock --set` sets a passphrase.")

    /// The finding if no machine of the account is an owner.
    package static func ownerless(options: String) -> Finding {
        Finding(
            .account, "ownerless", .warning, "owner",
            "no machine is an owner of the account, so none can be added or revoked, and certificates are not renewed",
            advice:
                "Type `baton promote\(options)` on one of your machines; it asks for the recovery code of the account."
        )
    }

    package var finding: Finding {
        switch self {
        case .served(let name, let account):
            Finding(.account, "served", .ok, "account \(name)", "served (\(account))")
        case .failed(let name, let text):
            Finding(
                .account, "failed", .problem, "account \(name)",
                "\(text.split(separator: "\n").joined(separator: " "))")
        }
    }
}
