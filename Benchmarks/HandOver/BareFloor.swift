import BatonSecurity
import Foundation
import Support

/// The bare floor of handing over: two relays of OpenSSL and sockets, and nothing else.
final class BareFloor {
    /// Where the apps connect.
    let near, far: String
    private let relays: [TransportProgram]

    /// Starts the relays; with a journal, each keeps for good what it passes on.
    init(keepsForGood: Bool = false, in folder: TemporaryFolder) throws {
        let path = folder.path + "/floor-\(UUID().uuidString.prefix(8))"
        try makeFolder(path)
        (near, far) = (path + "/near", path + "/far")
        let identities = try Self.identities(in: path)
        let journals = keepsForGood ? ["1", "2"].map { ["\(path)/journal\($0)"] } : [[], []]
        let farSide = try TransportProgram(.bare, ["far", identities[0], far] + journals[0], in: folder)
        let port = "\(Int(try farSide.number()))"
        let nearSide = try TransportProgram(
            .bare, ["near", identities[1], port, near] + journals[1], in: folder)
        _ = try nearSide.number()
        relays = [farSide, nearSide]
    }

    /// Two apps with the floor between them.
    static func apps(
        keepsForGood: Bool = false, rounds: Int, in folder: TemporaryFolder
    ) throws -> AppPair {
        let floor = try BareFloor(keepsForGood: keepsForGood, in: folder)
        return try AppPair(
            .bare, telling: floor.near, hearing: floor.far, rounds: rounds, between: floor, in: folder)
    }

    /// Two devices of an account.
    private static func identities(in path: String) throws -> [String] {
        let now = Int64(Date().timeIntervalSince1970)
        let root = try RootAuthority(recoveryCode: .random(), now: now)
        return try ["one", "two"].map { name in
            let identity = path + "/" + name
            try IdentityFolder(path: identity).create(Credentials(root: root, deviceName: name, now: now))
            return identity
        }
    }
}
