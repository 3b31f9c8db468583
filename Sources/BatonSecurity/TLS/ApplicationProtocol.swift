/// What is spoken inside a TLS session; agreed in its handshake (ALPN, RFC 7301), or there is no session.
package enum ApplicationProtocol: String, CaseIterable, Sendable {
    /// Between devices of one account.
    case baton = "baton/1"
    /// Between a device and one that wants to join; nothing but pairing messages.
    case pairing = "baton-pair/1"

    /// The protocols as a client offers them: each name after its length.
    static func offer(_ protocols: [ApplicationProtocol]) -> [UInt8] {
        protocols.flatMap { [UInt8($0.rawValue.utf8.count)] + Array($0.rawValue.utf8) }
    }
}
