package import BatonCore
import BatonNetwork
import Glibc

extension Home {
    /// The same home by a path that is the same wherever one is, as a service must know it.
    package func absolute(environment: (String) -> String?) throws(LocalFailure) -> Home {
        guard isNamed else { return self }
        var path =
            try data.hasPrefix("/")
            ? data : BackupPath.whole(data.hasSuffix("/") ? String(data.dropLast()) : data)
        if let real = realpath(path, nil) {
            path = String(cString: real)
            free(real)
        }
        return try Home(option: path, environment: environment)
    }

    /// The accounts that stand here.
    package var standingAccounts: [AccountName] { accounts { FolderContents.names(in: $0) } }

    /// Whether there is any.
    package var holdsAccount: Bool { !standingAccounts.isEmpty }
}

/// Where a node takes connections, as a person types it.
package enum ListenAddress {
    /// Whether a node could listen there, and always at the same port.
    package static func isValid(_ text: String) -> Bool {
        guard let address = try? SocketAddress(text: text, usualPort: Home.port) else { return false }
        return address.port != 0
    }
}
