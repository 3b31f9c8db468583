package import BatonCore
import BatonNetwork
import Glibc

extension Home {
    /// Returns this home with an absolute path.
    ///
    /// A service needs one, because it has another working folder.
    package func absolute(environment: (String) -> String?) throws(LocalFailure) -> Home {
        guard isNamed else { return self }
        var path =
            try data.hasPrefix("/")
            ? data : BackupPath.whole(data.hasSuffix("/") ? String(data.dropLast()) : data)
        if let real = realpath(path, nil) {
            path = String(cString: real)
            free(real)
        }
        return try Home(option: path, environment: environment).of(meant)
    }

    /// The reason why the node can't create its socket on the disk of the home, or nil if it can.
    package var socketProblem: String? {
        SocketTrial.problem(in: LocalPath.kind(socketFolder) == .folder ? socketFolder : data)?.reason
    }

    /// The accounts that this home contains.
    package var standingAccounts: [AccountName] { accounts { FolderContents.names(in: $0) } }

    /// Whether this home contains an account.
    package var holdsAccount: Bool { !standingAccounts.isEmpty }
}

/// Checks an address on which a node is to listen, as a person types it.
package enum ListenAddress {
    /// Whether a node can listen on the address.
    ///
    /// The port must not be zero.
    package static func isValid(_ text: String) -> Bool {
        guard let address = try? SocketAddress(text: text, usualPort: Home.port) else { return false }
        return address.port != 0
    }
}
