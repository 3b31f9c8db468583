/// The folders and files of a node, which the node and its clients derive in the same way.
package struct Home: Equatable, Sendable {
    /// The folder of accounts and their databases.
    package let data: String
    /// The folder for files of the person's session, which a restart of the machine empties; equal to `socketFolder` if
    /// the session has no such folder, or if the home was named.
    package let runtime: String
    /// The folder for witnesses, which a restart of the machine empties; nil if the machine has no such folder.
    ///
    /// All homes of a person share this folder.
    package let witnesses: String?
    /// The option `--home` as it must be repeated in suggested commands; empty if it was not typed.
    package let option: String
    /// Whether an option or a variable named the home; otherwise its folders follow the XDG specification.
    package let isNamed: Bool
    /// The account that was named; nil if none was.
    package let meant: AccountName?
    /// The option `--account` as it must be repeated in suggested commands; empty if it is not needed.
    package let accountOption: String

    /// Finds the home by the option `--home`, otherwise by `BATON_HOME`, otherwise in the person's XDG folders.
    ///
    /// The account is named by the option `--account`, otherwise by `BATON_ACCOUNT`.
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

    /// Returns the same home with another named account, or with none.
    package func of(_ account: AccountName?) -> Home { Home(self, meaning: account) }

    /// Returns the folder that a variable names.
    ///
    /// Relative paths count as unset, as the XDG specification says.
    private static func folder(_ variable: String, _ environment: (String) -> String?) -> String? {
        environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The folder of the node's local socket.
    ///
    /// It lies in the home, so that every program that knows the home finds the node, whatever the variables of its
    /// session are.
    package var socketFolder: String { data + "/run" }

    /// The node's local socket.
    package var socket: String { Self.socket(in: socketFolder) }

    /// The local socket of a node whose home is on a disk that can't hold a socket; nil if there is no other folder for
    /// it.
    package var spareSocket: String? { runtime == socketFolder ? nil : Self.socket(in: runtime) }

    private static func socket(in folder: String) -> String { folder + "/node.sock" }

    /// Returns advice for a person whose node can't start because `folder`, in which it makes its socket, is on a
    /// read-only disk.
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

    /// The lock file, which the running node of this home holds.
    package var lock: String { data + "/node.lock" }

    /// The folder of the apps' manifests, which installers of apps write; other users may read it, but not change it.
    package var manifests: String { data + "/apps" }

    /// The folder of all accounts.
    private var accounts: String { data + "/accounts" }

    /// Returns the folder of the named account, or of the account with the default name if none was named.
    package func account() -> String { "\(accounts)/\(meant ?? .usual)" }

    /// Returns the folder with this device's keys and certificates in the account.
    package func identity() -> String { account() + "/identity" }

    /// Returns the accounts in this home, sorted: every account whose folder `identity` is not empty.
    ///
    /// The closure returns the names of the entries of a folder; none if the folder does not exist.
    package func accounts(namesIn: (String) -> [String]) -> [AccountName] {
        AccountName.names(among: namesIn(accounts)).filter { !namesIn(of($0).identity()).isEmpty }
    }

    /// Returns the account to use: the named account, otherwise the only account in `standing`, otherwise the account
    /// with the default name.
    package func meant(among standing: [AccountName]) -> AccountName {
        if let meant { return meant }
        return standing.count == 1 ? standing[0] : .usual
    }

    /// The port on which a node listens by default.
    package static let port: UInt16 = 4817
}
