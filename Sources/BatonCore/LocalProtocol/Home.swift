/// The folders and files of a node.
///
/// The node and its clients derive all paths in the same way, by this type.
package struct Home: Equatable, Sendable {
    /// The folder of accounts and their databases.
    package let data: String
    /// The folder for files of the person's session, which is empty after a restart of the machine.
    ///
    /// It equals `socketFolder` if the session has no such folder, or if the home was named.
    package let runtime: String
    /// The folder for witnesses, which is empty after a restart of the machine; nil if the machine has no such folder.
    ///
    /// All homes of a person share this folder.
    package let witnesses: String?
    /// The text to add to suggested commands so that they use this home, such as ` --home DIR`.
    ///
    /// It is empty if the person did not type the option `--home`.
    package let option: String
    /// Whether an option or an environment variable named the home; otherwise, its folders follow the XDG
    /// specification.
    package let isNamed: Bool
    /// The account that an option or an environment variable named; nil if none was named.
    package let meant: AccountName?
    /// The text to add to suggested commands so that they use this account, such as ` --account NAME`; empty if it is
    /// not needed.
    package let accountOption: String

    /// Finds the home by the option `--home`; without it, by `BATON_HOME`; without both, in the person's XDG folders.
    ///
    /// The account is the one that the option `--account` names. Without the option, it is the one that `BATON_ACCOUNT`
    /// names.
    package init(
        option: String?, account: String? = nil, environment: (String) -> String?
    ) throws(LocalFailure) {
        let named = account ?? environment("BATON_ACCOUNT").flatMap { $0.isEmpty ? nil : $0 }
        meant = try named.map { (name) throws(LocalFailure) in try AccountName(name) }
        accountOption = account == nil ? "" : " --account \(named ?? "")"
        witnesses = Self.folder("XDG_RUNTIME_DIR", environment).map { $0 + "/baton/witnesses" }
        if let folder = option ?? environment("BATON_HOME"), !folder.isEmpty {
            (data, isNamed) = (folder, true)
            runtime = folder + "/run"
            self.option = option == nil ? "" : " --home \(folder)"
            return
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else {
            throw LocalFailure(.usage, "HOME is not set. Choose a folder for the data with --home DIR.")
        }
        data = (Self.folder("XDG_DATA_HOME", environment) ?? home + "/.local/share") + "/baton"
        runtime = Self.folder("XDG_RUNTIME_DIR", environment).map { $0 + "/baton" } ?? data + "/run"
        isNamed = false
        self.option = ""
    }

    private init(_ home: Home, meaning account: AccountName?) {
        data = home.data
        runtime = home.runtime
        witnesses = home.witnesses
        option = home.option
        isNamed = home.isNamed
        meant = account
        accountOption = account.map { $0 == .usual ? "" : " --account \($0)" } ?? ""
    }

    /// Returns the same home with `account` as the named account; nil means that no account is named.
    package func of(_ account: AccountName?) -> Home { Home(self, meaning: account) }

    /// Returns the folder that an environment variable names; nil if the variable is not set.
    ///
    /// A variable with a relative path counts as not set, as the XDG specification says.
    private static func folder(_ variable: String, _ environment: (String) -> String?) -> String? {
        environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The folder of the node's local socket.
    ///
    /// The folder is in the home. So every program that knows the home finds the node, whatever environment variables
    /// its session has.
    package var socketFolder: String { data + "/run" }

    /// The node's local socket.
    package var socket: String { Self.socket(in: socketFolder) }

    /// The path of the local socket if the disk of the home can't have a socket; nil if there is no other folder for
    /// it.
    package var spareSocket: String? { runtime == socketFolder ? nil : Self.socket(in: runtime) }

    private static func socket(in folder: String) -> String { folder + "/node.sock" }

    /// Returns advice for a person whose node can't start, because the folder for its socket is on a read-only disk.
    ///
    /// `folder` is that folder.
    package func advice(readOnly folder: String) -> String {
        let remedy = """
            `findmnt -T \(folder)` shows how the disk is mounted. Remount it for writing, and start the node with \
            `baton node\(option)`.
            """
        guard folder == runtime else { return remedy }
        return """
            \(remedy) To only read the data, mount a folder in memory over \(runtime) instead: \
            `sudo mount -t tmpfs -o mode=700,uid=$(id -u) tmpfs \(runtime)`.
            """
    }

    /// The lock file, on which the running node of this home holds a lock.
    package var lock: String { data + "/node.lock" }

    /// The folder of the manifests of apps; installers of apps write the manifests.
    ///
    /// Other users may read the folder, but not change it.
    package var manifests: String { data + "/apps" }

    /// The folder of the apps' intent manifests, which the apps write.
    package var intentManifests: String { data + "/intents" }

    /// The folder of all accounts.
    private var accounts: String { data + "/accounts" }

    /// Returns the folder of the named account; if no account was named, of the account with the default name.
    package func account() -> String { "\(accounts)/\(meant ?? .usual)" }

    /// Returns the folder that has the keys and certificates of this device for the account.
    package func identity() -> String { account() + "/identity" }

    /// Returns the accounts in this home, sorted by name.
    ///
    /// An account is in this home if its folder `identity` is not empty.
    ///
    /// The closure returns the names of the entries of a folder; if the folder does not exist, it returns no names.
    package func accounts(namesIn: (String) -> [String]) -> [AccountName] {
        AccountName.names(among: namesIn(accounts)).filter { !namesIn(of($0).identity()).isEmpty }
    }

    /// Returns the account that a command should use.
    ///
    /// This is the named account. If none was named, it is the only account in `standing`. If there is no single
    /// account, it is the account with the default name.
    package func meant(among standing: [AccountName]) -> AccountName {
        if let meant { return meant }
        return standing.count == 1 ? standing[0] : .usual
    }

    /// The port on which a node listens by default.
    package static let port: UInt16 = 4817
}
