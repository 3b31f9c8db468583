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

    /// The home of the option `--home`, else of `BATON_HOME`, else of the XDG folders of the person.
    package init(option: String?, environment: (String) -> String?) throws(LocalFailure) {
        witnesses = Self.folder("XDG_RUNTIME_DIR", environment).map { $0 + "/baton/witnesses" }
        if let folder = option ?? environment("BATON_HOME"), !folder.isEmpty {
            data = folder
            runtime = folder + "/run"
            self.option = option == nil ? "" : " --home \(folder)"
            return
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else {
            throw LocalFailure(.usage, "HOME is not set. Say where to keep things with --home DIR.")
        }
        data = (Self.folder("XDG_DATA_HOME", environment) ?? home + "/.local/share") + "/baton"
        runtime = Self.folder("XDG_RUNTIME_DIR", environment).map { $0 + "/baton" } ?? data + "/run"
        self.option = ""
    }

    /// A folder that a variable names; relative ones count as unset, as the XDG specification says.
    private static func folder(_ variable: String, _ environment: (String) -> String?) -> String? {
        environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The node's local socket.
    package var socket: String { runtime + "/node.sock" }

    /// Held by the node that runs on this home.
    package var lock: String { data + "/node.lock" }

    /// What belongs to an account.
    package func account(_ name: String = Home.defaultAccount) -> String { data + "/accounts/" + name }

    /// The keys and certificates of this device in an account.
    package func identity(_ account: String = Home.defaultAccount) -> String {
        self.account(account) + "/identity"
    }

    /// The account that is meant where none is named.
    package static let defaultAccount = "default"

    /// Where a node listens unless told otherwise.
    package static let port: UInt16 = 4817
}
