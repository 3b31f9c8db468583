import BatonSecurity
import SecuritySupport

/// Two TLS sessions that are connected to each other.
struct SessionPair {
    let client: TLSSession
    let server: TLSSession
    /// The error that each side threw.
    private(set) var clientError: SecurityError?
    private(set) var serverError: SecurityError?
    /// The plaintext that each side has read.
    private(set) var clientRead: [UInt8] = []
    private(set) var serverRead: [UInt8] = []

    init(client: TLSContext, server: TLSContext, at time: Int64 = TestAccount.now) throws {
        self.client = try TLSSession(client: client, to: server.device, verifyingAt: time)
        self.server = try TLSSession(context: server, role: .server, verifyingAt: time)
    }

    /// Connects a client that may resume a session to a server that may have several accounts.
    init(
        client: TLSContext, tickets: TicketCache, server: TLSServer, at time: Int64 = TestAccount.now
    ) throws {
        self.client = try TLSSession(client: client, tickets: tickets, verifyingAt: time)
        self.server = try TLSSession(server: server, verifyingAt: time)
        run()
    }

    /// Connects two devices, and exchanges bytes until both are silent.
    static func connect(
        _ client: Credentials, _ server: Credentials, at time: Int64 = TestAccount.now
    ) throws -> SessionPair {
        var pair = try SessionPair(client: .device(client), server: .device(server), at: time)
        pair.run()
        return pair
    }

    /// Connects two devices, and throws unless both have a session.
    static func established(_ client: Credentials, _ server: Credentials) throws -> SessionPair {
        let pair = try connect(client, server)
        if let error = pair.clientError ?? pair.serverError { throw error }
        return pair
    }

    /// Exchanges bytes, in pieces of a size, until neither side has any.
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
    /// Whether the session is established.
    var isEstablished: Bool { peer != nil }
}
