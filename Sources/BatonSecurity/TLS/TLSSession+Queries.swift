package import BatonCore
import COpenSSL

extension TLSSession {
    /// Who is at the other end, while the session is established.
    package var peer: Peer? {
        if case .established(let peer) = state { peer } else { nil }
    }

    /// The account of which this side speaks; nothing on a server before it is known which one is meant, and on a
    /// joiner.
    package var account: AccountIdentifier? { context.rules?.account }

    /// The chain that the device at the other end showed, as the admission that it is; nothing if it showed none,
    /// because this goes on from an earlier session, or if a certificate is too long for a statement.
    package var shownAdmission: RosterStatement? {
        guard let judgement, let owner = judgement.owner,
            let first = RosterStatement.Certificate(owner.der),
            let second = RosterStatement.Certificate(judgement.identity.certificate.der)
        else { return nil }
        return .admission(owner: first, device: second)
    }

    /// What is spoken, as soon as it is agreed.
    package var negotiatedProtocol: ApplicationProtocol? {
        var start: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        unsafe withHandle { unsafe SSL_get0_alpn_selected($0, &start, &count) }
        let name = unsafe UnsafeBufferPointer(start: start, count: Int(count))
        return unsafe ApplicationProtocol(rawValue: String(decoding: name, as: UTF8.self))
    }

    /// Whether the handshake went on from an earlier session, without certificates.
    package var isResumed: Bool { unsafe withHandle { unsafe SSL_session_reused($0) == 1 } }

    /// How many bytes of ciphertext wait for the driver.
    ///
    /// It stops calling `send` when that is too much.
    package var outgoingByteCount: Int { stream.outgoingCount }

    /// How many received bytes wait to be read, encrypted or not.
    ///
    /// The driver stops receiving when that is too much.
    package var incomingByteCount: Int {
        unsafe stream.incomingCount + Int(withHandle { unsafe SSL_pending($0) })
    }

    /// A secret that both ends of this very session can make, and nobody else (RFC 8446, 7.5).
    package func exportKeyingMaterial(
        label: String, context: [UInt8]? = nil, count: Int = 32
    ) throws(SecurityError) -> [UInt8] {
        guard case .established = state else {
            throw SecurityError(.closed, "Nothing can be exported: the TLS session is not established.")
        }
        let label = Array(label.utf8)
        var material = [UInt8](repeating: 0, count: count)
        try OpenSSL.succeed("export keying material") {
            unsafe withHandle { handle in
                unsafe label.withUnsafeBytes { label in
                    let label = unsafe label.assumingMemoryBound(to: CChar.self)
                    return unsafe SSL_export_keying_material(
                        handle, &material, count, label.baseAddress, label.count,
                        context ?? [], context?.count ?? 0, context == nil ? 0 : 1)
                }
            }
        }
        return material
    }
}
