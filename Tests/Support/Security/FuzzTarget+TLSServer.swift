import BatonCore
import BatonSecurity
package import Support

extension FuzzTarget {
    /// The fuzz targets of this module.
    package static let security = [pairing, statements, tlsServer]

    /// A server that gets arbitrary bytes, or the changed messages of a real client; the first byte decides which.
    ///
    /// Only the unchanged client gets a session, and a client without the hint gets no answer.
    package static let tlsServer = FuzzTarget("tls-server") { bytes throws(FuzzViolation) in
        var edits = Edits(bytes.dropFirst())
        do {
            let server = try FuzzAccount.shared.makeServer()
            switch bytes.first.map({ $0 & 3 }) {
            case 0: try feed(Array(bytes.dropFirst()), to: server)
            case 1: try talk(to: server, changingFirst: true, &edits)
            default: try talk(to: server, changingFirst: false, &edits)
            }
        } catch let violation as FuzzViolation {
            throw violation
        } catch {
            throw FuzzViolation(description: "a session could not be made: \(error)")
        }
    }

    /// Feeds arbitrary bytes, which no client of the account sent.
    private static func feed(_ bytes: [UInt8], to server: TLSSession) throws {
        let error = refusal { () throws(SecurityError) in
            for piece in stride(from: 0, to: bytes.count, by: 100) {
                try server.receive(bytes[piece..<min(piece + 100, bytes.count)])
                _ = try server.nextPlaintext()
            }
        }
        try require(server.peer == nil, "arbitrary bytes got a session")
        try require(
            server.nextCiphertext() == nil, "a client without the hint got an answer: \(error as Any)")
    }

    /// Connects a client of the account, with changes in its first or its second flight.
    private static func talk(
        to server: TLSSession, changingFirst: Bool, _ edits: inout Edits
    ) throws {
        let client = try FuzzAccount.shared.makeClient()
        let hello = client.nextCiphertext() ?? []
        let said = changingFirst ? edits.change(hello) : hello
        _ = refusal { () throws(SecurityError) in try server.receive(said) }
        let answer = server.nextCiphertext() ?? []
        _ = refusal { () throws(SecurityError) in try client.receive(answer) }
        let last = client.nextCiphertext() ?? []
        let final = changingFirst ? last : edits.change(last)
        _ = refusal { () throws(SecurityError) in
            try server.receive(final)
            while try server.nextPlaintext() != nil {}
        }
        _ = server.nextCiphertext()
        // Only record headers can be changed without effect, so a session is the client's own, or there is none.
        if let peer = server.peer {
            try require(peer, is: .device(FuzzAccount.shared.identity), "the peer of the session")
        }
    }

    private static func refusal(of body: () throws(SecurityError) -> Void) -> SecurityError? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

/// The account of the two devices, new in each process so that no key is stored in a file.
private struct FuzzAccount {
    let server: TLSServer
    let client: TLSContext
    /// The client's identity.
    let identity: DeviceIdentity

    static let shared: FuzzAccount = {
        do {
            return try FuzzAccount()
        } catch {
            fatalError("the account could not be made: \(error)")
        }
    }()

    private static let now: Int64 = 1_800_000_000

    init() throws(SecurityError) {
        let root = try RootAuthority(recoveryCode: .random(), now: Self.now)
        let owner = try Credentials(root: root, deviceName: "owner", now: Self.now)
        let other = try Credentials(root: root, deviceName: "other", now: Self.now)
        (server, client) = (try TLSServer([.device(owner)]), try .device(other))
        identity = other.identity
    }

    func makeServer() throws(SecurityError) -> TLSSession {
        try TLSSession(server: server, verifyingAt: Self.now)
    }

    func makeClient() throws(SecurityError) -> TLSSession {
        try TLSSession(client: client, verifyingAt: Self.now)
    }
}

/// Changes of bytes that an input prescribes.
private struct Edits {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func change(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<16 where rest.count >= 4 {
            let edit = Array(rest.prefix(4))
            rest = rest.dropFirst(4)
            let index = min(Int(edit[1]) << 8 | Int(edit[2]), bytes.count)
            switch edit[0] & 3 {
            case 0 where index < bytes.count: bytes[index] ^= edit[3]
            case 1: bytes.insert(edit[3], at: index)
            case 2: bytes.removeSubrange(index..<min(index + Int(edit[3]), bytes.count))
            default: bytes.insert(contentsOf: bytes.prefix(Int(edit[3])), at: index)
            }
        }
        return bytes
    }
}
