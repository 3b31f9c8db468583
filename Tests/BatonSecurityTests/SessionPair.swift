import BatonSecurity
import SecuritySupport

/// Two sessions, and the wire between them.
struct SessionPair {
    let client: TLSSession
    let server: TLSSession
    /// What each side threw, if it did.
    private(set) var clientError: SecurityError?
    private(set) var serverError: SecurityError?
    /// What each side has read.
    private(set) var clientRead: [UInt8] = []
    private(set) var serverRead: [UInt8] = []

    init(client: TLSContext, server: TLSContext, at time: Int64 = TestAccount.now) throws {
        self.client = try TLSSession(context: client, role: .client, verifyingAt: time)
        self.server = try TLSSession(context: server, role: .server, verifyingAt: time)
    }

    /// A client that may resume what it kept, and a server that may have several accounts.
    init(
        client: TLSContext, tickets: TicketCache, server: TLSServer, at time: Int64 = TestAccount.now
    ) throws {
        self.client = try TLSSession(client: client, tickets: tickets, verifyingAt: time)
        self.server = try TLSSession(server: server, verifyingAt: time)
        run()
    }

    /// A pair between two devices, after all that they have to say to begin with.
    static func connect(
        _ client: Credentials, _ server: Credentials, at time: Int64 = TestAccount.now
    ) throws -> SessionPair {
        var pair = try SessionPair(client: .device(client), server: .device(server), at: time)
        pair.run()
        return pair
    }

    /// A pair between two devices that have a session.
    static func established(_ client: Credentials, _ server: Credentials) throws -> SessionPair {
        let pair = try connect(client, server)
        if let error = pair.clientError ?? pair.serverError { throw error }
        return pair
    }

    /// Carries bytes, in pieces of a size, until neither side has any.
    mutating func run(pieceSize: Int = .max) {
        while true {
            let toServer = client.nextCiphertext() ?? []
            let toClient = server.nextCiphertext() ?? []
            if toServer.isEmpty, toClient.isEmpty { return }
            if let error = Self.carry(toServer, to: server, pieceSize, &serverRead) { serverError = error }
            if let error = Self.carry(toClient, to: client, pieceSize, &clientRead) { clientError = error }
        }
    }

    private static func carry(
        _ bytes: [UInt8], to session: TLSSession, _ pieceSize: Int, _ read: inout [UInt8]
    ) -> SecurityError? {
        do throws(SecurityError) {
            var rest = bytes[...]
            while !rest.isEmpty {
                try session.receive(rest.prefix(pieceSize))
                rest = rest.dropFirst(pieceSize)
                while let plaintext = try session.nextPlaintext() { read += plaintext }
            }
            return nil
        } catch { return error }
    }
}

extension TLSSession {
    /// Whether the session has a peer.
    var isEstablished: Bool { peer != nil }
}
