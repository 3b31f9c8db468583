import BatonCore
import BatonSecurity
package import Support

extension FuzzTarget {
    /// The targets of this module.
    package static let security = [pairing, statements, tlsServer]

    /// What a server makes of a client: of any bytes, and of a real client whose words were changed on the way.
    ///
    /// The first byte chooses. Nobody but the client itself gets a session, and who has not given the hint is told
    /// nothing.
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
            throw FuzzViolation(description: "no session could be made: \(error)")
        }
    }

    /// Bytes that no client of the account said.
    private static func feed(_ bytes: [UInt8], to server: TLSSession) throws {
        let error = refusal { () throws(SecurityError) in
            for piece in stride(from: 0, to: bytes.count, by: 100) {
                try server.receive(bytes[piece..<min(piece + 100, bytes.count)])
                _ = try server.nextPlaintext()
            }
        }
        try require(server.peer == nil, "nobody is known by any bytes")
        try require(server.nextCiphertext() == nil, "nothing is told to who gives no hint: \(error as Any)")
    }

    /// A client of the account, the first or the second of whose flights is changed.
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
        // The heads of records may change on the way, and nothing else, so a session is the client's, or there is none.
        if let peer = server.peer {
            try require(peer, is: .device(FuzzAccount.shared.identity), "who is known")
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

/// The account whose devices are played, made anew in each process: no key is kept in a file.
private struct FuzzAccount {
    let server: TLSServer
    let client: TLSContext
    /// Who the client is.
    let identity: DeviceIdentity

    static let shared: FuzzAccount = {
        do {
            return try FuzzAccount()
        } catch {
            fatalError("no account could be made: \(error)")
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

/// Changes of bytes, as an input says: where, how, and by what.
private struct Edits {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func change(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<16 where rest.count >= 4 {
            let edit = Array(rest.prefix(4))
            rest = rest.dropFirst(4)
            let place = min(Int(edit[1]) << 8 | Int(edit[2]), bytes.count)
            switch edit[0] & 3 {
            case 0 where place < bytes.count: bytes[place] ^= edit[3]
            case 1: bytes.insert(edit[3], at: place)
            case 2: bytes.removeSubrange(place..<min(place + Int(edit[3]), bytes.count))
            default: bytes.insert(contentsOf: bytes.prefix(Int(edit[3])), at: place)
            }
        }
        return bytes
    }
}
