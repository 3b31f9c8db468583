/// Where a node keeps its things, as the node and all who talk to it agree.
package struct Home: Equatable, Sendable {
    /// Accounts and their databases.
    package let data: String
    /// What is gone when the machine restarts: the socket.
    package let runtime: String
    /// Where a node remembers what must not survive a restart of the machine, whatever home it runs on; nothing if
    /// the machine has no such place.
    package let witnesses: String?
    /// The option that names this home in a command, to be repeated in advice; empty for the usual one.
    package let option: String
    /// Whether a person named the folder, by an option or a variable; the usual folders are those of the XDG
    /// specification.
    package let isNamed: Bool
    /// The account that is meant; nothing if none was named.
    package let meant: AccountName?
    /// The option that names that account in a command, to be repeated in advice; empty if none was typed.
    package let accountOption: String

    /// The home of the option `--home`, else of `BATON_HOME`, else of the XDG folders of the person; there the account
    /// of the option `--account`, else of `BATON_ACCOUNT`.
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
            throw LocalFailure(.usage, "HOME is not set. Say where to keep things with --home DIR.")
        }
        data = (Self.folder("XDG_DATA_HOME", environment) ?? home + "/.local/share") + "/baton"
        runtime = Self.folder("XDG_RUNTIME_DIR", environment).map { $0 + "/baton" } ?? data + "/run"
        isNamed = false
        self.option = ""
    }

    private init(_ home: Home, meaning account: AccountName?) {
        (data, runtime, witnesses, option) = (home.data, home.runtime, home.witnesses, home.option)
        isNamed = home.isNamed
        meant = account
        accountOption = account.map { $0 == .usual ? "" : " --account \($0)" } ?? ""
    }

    /// The same home, where that account is meant, or none in particular.
    package func of(_ account: AccountName?) -> Home { Home(self, meaning: account) }

    /// A folder that a variable names; relative ones count as unset, as the XDG specification says.
    private static func folder(_ variable: String, _ environment: (String) -> String?) -> String? {
        environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The node's local socket.
    package var socket: String { runtime + "/node.sock" }

    /// Held by the node that runs on this home.
    package var lock: String { data + "/node.lock" }

    /// The folder of all accounts.
    private var accounts: String { data + "/accounts" }

    /// What belongs to the account that is meant; where none is named, to the one with the usual name.
    package func account() -> String { "\(accounts)/\(meant ?? .usual)" }

    /// The keys and certificates of this device in that account.
    package func identity() -> String { account() + "/identity" }

    /// The accounts that stand here, in order: those in which this device has an identity, whole or not.
    ///
    /// The closure answers with the names of what is in a folder, or nothing if it is not there.
    package func accounts(namesIn: (String) -> [String]) -> [AccountName] {
        AccountName.names(among: namesIn(accounts)).filter { !namesIn(of($0).identity()).isEmpty }
    }

    /// The account that is meant, among those that stand here: where none is named, the only one whatever its name, and
    /// among several the one with the usual name.
    package func meant(among standing: [AccountName]) -> AccountName {
        if let meant { return meant }
        return standing.count == 1 ? standing[0] : .usual
    }

    /// Where a node listens unless told otherwise.
    package static let port: UInt16 = 4817
}
