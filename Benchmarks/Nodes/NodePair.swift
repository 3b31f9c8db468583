import BatonCore
import Foundation
import Support

/// Two nodes as they are shipped, of one account and connected with each other.
final class NodePair {
    let first, second: NodeHome

    /// Starts both, the first one on a home that is there already if one is given, and waits until they are connected.
    init(in folder: TemporaryFolder, first: NodeHome? = nil) throws {
        let path = folder.path + "/nodes-\(UUID().uuidString.prefix(8))"
        self.first = try first ?? NodeHome(path + "-1")
        try self.first.start()
        second = try NodeHome(path + "-2", joining: self.first)
        try second.start()
        try eventually("two connected nodes") {
            try [self.first, second].allSatisfy { home in
                try home.status.peers.contains(where: \.isConnected)
            }
        }
    }

    /// Two apps with the nodes between them.
    func apps(_ script: AppScript, rounds: Int, in folder: TemporaryFolder) throws -> AppPair {
        try AppPair(
            script, telling: first.socket, hearing: second.socket, rounds: rounds, between: self, in: folder)
    }

    func stop() throws {
        try second.stop()
        try first.stop()
    }
}
