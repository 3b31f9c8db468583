import BatonCore
import COpenSSL

extension TLSSession {
    /// Goes on with the handshake as far as the bytes go, and learns who the peer is at its end.
    func stepHandshake() throws(SecurityError) {
        switch unsafe attempt({ unsafe SSL_do_handshake($0) }) {
        case .complete:
            do {
                state = .established(try readPeer())
            } catch {
                throw close(for: error)
            }
        case .incomplete:
            return
        case .ended, .failed:
            throw failure(.handshake, "The TLS handshake failed.")
        }
    }

    /// On a server: where in a client's offer the protocol stands that this session will speak, if any does.
    @unsafe func selectProtocol(from offer: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard case .device(_, let invitationIsOpen) = context.purpose else { return nil }
        var offered: [ApplicationProtocol: Range<Int>] = [:]
        var place = 0
        while place < offer.count {
            let name = unsafe (place + 1)..<(place + 1 + Int(offer[place]))
            guard name.upperBound <= offer.count else { return nil }
            let text = unsafe String(decoding: offer[name], as: UTF8.self)
            if let known = ApplicationProtocol(rawValue: text) { offered[known] = name }
            place = name.upperBound
        }
        if let place = offered[.baton] {
            selectedProtocol = .baton
            return place
        }
        if let place = offered[.pairing], invitationIsOpen() {
            selectedProtocol = .pairing
            return place
        }
        return nil
    }

    /// Whether the peer's certificate opens the door; asked in the handshake, when the protocol is agreed.
    @unsafe func accepts(_ certificates: OpaquePointer) -> Bool {
        do {
            if case .device(let account, _) = context.purpose, try agreedProtocol() == .baton {
                _ = unsafe try ChainRules.judge(certificates, account: account)
            }
            return true
        } catch {
            refusal = error
            return false
        }
    }

    /// What both sides will speak.
    ///
    /// A client checks that it offered it; not every release of OpenSSL 3.0 does.
    func agreedProtocol() throws(SecurityError) -> ApplicationProtocol {
        guard let agreed = negotiatedProtocol else {
            throw SecurityError(.handshake, "The peer speaks none of our protocols.")
        }
        let isOurs =
            switch role {
            case .client: context.offeredProtocols.contains(agreed)
            case .server: agreed == selectedProtocol
            }
        guard isOurs else {
            throw SecurityError(.handshake, "The peer chose a protocol that was not offered.")
        }
        return agreed
    }

    /// Who the peer is, read from its certificate; no callback is relied on to have been called.
    private func readPeer() throws(SecurityError) -> Peer {
        let agreed = try agreedProtocol()
        let peer = try unsafe withHandle { (handle) throws(SecurityError) in
            guard unsafe SSL_get_verify_result(handle) == CLong(X509_V_OK),
                let peer = unsafe SSL_get1_peer_certificate(handle)
            else { throw SecurityError(.untrusted, "The peer showed no certificate that is trusted.") }
            return try unsafe Certificate(owning: peer)
        }
        switch (context.purpose, agreed) {
        case (.device(let account, _), .baton):
            return .device(try DeviceIdentity(device: peer, owner: try readOwner(), account: account))
        case (.device, .pairing):
            return .joiner(peer.publicKey)
        case (.joiner, .pairing):
            return .inviter
        case (.joiner, .baton):
            throw SecurityError(.handshake, "A joiner does not speak with devices.")
        }
    }

    /// The owner's certificate, from the chain that was verified in this handshake.
    private func readOwner() throws(SecurityError) -> Certificate {
        try unsafe withHandle { (handle) throws(SecurityError) in
            // A resumed handshake has no chain, so whoever turns resumption on must decide here whom to believe.
            let chain = unsafe SSL_get0_verified_chain(handle)
            guard unsafe chain != nil,
                unsafe COpenSSL_sk_X509_num(chain) == ChainRules.certificateCount,
                let owner = unsafe COpenSSL_sk_X509_value(chain, 1)
            else { throw SecurityError(.untrusted, "No chain was verified in this handshake.") }
            return try unsafe Certificate(retaining: owner)
        }
    }
}
