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

    /// On a server: becomes the account that a client means by its hint, or one that invites somebody.
    ///
    /// Throws if there is none. A client that is asked to begin again must mean the same.
    func chooseContext(for hello: ClientHello) throws(SecurityError) {
        guard let server else { throw SecurityError(.handshake, "A client was greeted by a client.") }
        var chosen: TLSContext?
        if let hint = hello.serverName { chosen = try server.context(hintedBy: hint, at: now) }
        isHinted = chosen != nil
        if chosen == nil, hello.protocols?.contains(ApplicationProtocol.pairing.rawValue) ?? false {
            chosen = server.invitingContext
        }
        guard let chosen, context === server.entrance || context === chosen else {
            throw SecurityError(.unknownHint, "The peer knows no account that is here.")
        }
        try unsafe withHandle { (handle) throws(SecurityError) in
            guard isHinted else { return try unsafe server.mask.wear(by: handle) }
            guard unsafe chosen.adopt(handle) else {
                throw SecurityError(
                    .openSSL, "OpenSSL could not change a context.", reasons: OpenSSL.drainReasons())
            }
        }
        context = chosen
    }

    /// On a server: where in a client's offer the protocol stands that this session will speak, if any does.
    @unsafe func selectProtocol(from offer: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let rules = context.rules else { return nil }
        var offered: [ApplicationProtocol: Range<Int>] = [:]
        var place = 0
        while place < offer.count {
            let name = unsafe (place + 1)..<(place + 1 + Int(offer[place]))
            guard name.upperBound <= offer.count else { return nil }
            let text = unsafe String(decoding: offer[name], as: UTF8.self)
            if let known = ApplicationProtocol(rawValue: text) { offered[known] = name }
            place = name.upperBound
        }
        if let place = offered[.baton], isHinted {
            // One ticket, for one use; joiners get none.
            unsafe withHandle { _ = unsafe SSL_set_num_tickets($0, 1) }
            selectedProtocol = .baton
            return place
        }
        // What is resumed was a session of devices.
        if let place = offered[.pairing], !isResumed, rules.invitationIsOpen() {
            selectedProtocol = .pairing
            return place
        }
        return nil
    }

    /// Whether the peer's certificate opens the door; asked in the handshake, when the protocol is agreed.
    @unsafe func accepts(_ certificates: OpaquePointer) -> Bool {
        do throws(SecurityError) {
            if let rules = context.rules, try agreedProtocol() == .baton {
                // That a chain has ended is told with the peer; that it does not hold yet, only a clock explains.
                unsafe ChainRules.ignoreTime(in: X509_STORE_CTX_get0_param(certificates))
                let (device, owner) = unsafe try ChainRules.judgeWithOwner(
                    certificates, account: rules.account)
                let found = try Judgement(device, owner: owner, at: now)
                if case .begins(let time) = found.holding(at: now) {
                    unsafe X509_STORE_CTX_set_error(certificates, CInt(X509_V_ERR_CERT_NOT_YET_VALID))
                    throw SecurityError(.untrusted, "\(ClockDoubt(begins: time, now: now))")
                }
                judgement = found
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

    /// Who the peer is, by the certificate of the session; no callback is relied on to have been called.
    private func readPeer() throws(SecurityError) -> Peer {
        let agreed = try agreedProtocol()
        let certificate = try unsafe withHandle { (handle) throws(SecurityError) in
            guard unsafe SSL_get_verify_result(handle) == CLong(X509_V_OK),
                let certificate = unsafe SSL_get0_peer_certificate(handle)
            else { throw SecurityError(.untrusted, "The peer showed no certificate that is trusted.") }
            return unsafe certificate
        }
        switch (context.purpose, agreed) {
        case (.device(let rules), .baton):
            return try unsafe readDevice(certificate, rules)
        case (.device, .pairing) where !isResumed:
            return .joiner(unsafe try Certificate(retaining: certificate).publicKey)
        case (.joiner, .pairing):
            return .inviter
        case (.joiner, _), (.entrance, _), (.device, .pairing):
            throw SecurityError(.handshake, "This session is not for what the peer speaks.")
        }
    }

    /// The device that the certificate is about: judged in this handshake, or in the one that this goes on from.
    ///
    /// What may have changed since is judged again in a session that was resumed. None is resumed whose chain has ended.
    @unsafe private func readDevice(
        _ certificate: OpaquePointer, _ rules: TLSContext.DeviceRules
    ) throws(SecurityError) -> Peer {
        let found = role == .client && isResumed ? offeredTicket?.judgement : judgement
        guard let found, unsafe found.isAbout(certificate), found.identity.account == rules.account else {
            throw SecurityError(.untrusted, "The certificate of the session was not judged.")
        }
        judgement = found
        if isResumed { try found.demandValidity(at: now) }
        return switch found.holding(at: now) {
        case .holds: .device(found.identity)
        case .ended(let time): .expired(found.identity, since: time)
        case .begins(let time):
            throw SecurityError(.untrusted, "\(ClockDoubt(begins: time, now: now))")
        }
    }
}
