package import BatonCore
import BatonNetwork
import Glibc

extension Home {
    /// The same home with an absolute path, as a service needs it.
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

    /// Why the node can't have its socket on the disk of the home, in words; nil if it can.
    package var socketProblem: String? {
        SocketTrial.problem(in: LocalPath.kind(socketFolder) == .folder ? socketFolder : data)?.reason
    }

    /// The accounts in this home.
    package var standingAccounts: [AccountName] { accounts { FolderContents.names(in: $0) } }

    /// Whether the home has an account.
    package var holdsAccount: Bool { !standingAccounts.isEmpty }
}

/// An address to listen on, as a person types it.
package enum ListenAddress {
    /// Whether a node can listen on it, with a fixed port.
    package static func isValid(_ text: String) -> Bool {
        guard let address = try? SocketAddress(text: text, usualPort: Home.port) else { return false }
        return address.port != 0
    }
}
