import COpenSSL

extension TLSSession {
    /// On a client: offers to go on from the last session with the device, if that is still worth something.
    func offerTicket(_ rules: TLSContext.DeviceRules) throws(SecurityError) {
        guard let ticket = purse?.take(), ticket.judgement.identity.account == rules.account,
            (try? ticket.judgement.demandValidity(at: now)) != nil,
            rules.resumes(ticket.judgement.identity.device)
        else { return }
        try OpenSSL.succeed("offer a ticket") {
            unsafe ticket.withHandle { ticket in
                unsafe withHandle { unsafe SSL_set_session($0, ticket) }
            }
        }
        offeredTicket = ticket
    }

    /// On a server: whether the client showed a ticket of the account that nobody has shown before; asked once.
    func shows(freshTicket ticket: [UInt8]?) -> Bool {
        guard let ticket, isHinted, mayBegin != nil, !isPutOff, let rules = context.rules else {
            return false
        }
        return rules.ticketKeys.isFresh(ticket, at: now)
    }

    /// On a server: whether a ticket that could be opened is of a device that may still come in.
    @unsafe func accepts(ticket: OpaquePointer) -> Bool {
        guard let rules = context.rules, isHinted else { return false }
        do {
            judgement = try unsafe readJudgement(ticket, rules)
            try judgement?.demandValidity(at: now)
            return true
        } catch {
            // The handshake goes on with certificates, and tells why one is refused.
            judgement = nil
            ERR_clear_error()
            return false
        }
    }

    @unsafe private func readJudgement(
        _ ticket: OpaquePointer, _ rules: TLSContext.DeviceRules
    ) throws(SecurityError) -> Judgement {
        guard let certificate = unsafe SSL_SESSION_get0_peer(ticket) else {
            throw SecurityError(.untrusted, "The ticket names no device.")
        }
        var start: UnsafeMutableRawPointer?
        var count = 0
        try OpenSSL.succeed("read a ticket") {
            unsafe SSL_SESSION_get0_ticket_appdata(ticket, &start, &count)
        }
        let carried = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        let identity = try DeviceIdentity(
            device: unsafe Certificate(retaining: certificate), account: rules.account)
        let judgement = try Judgement(identity, carried: carried)
        guard rules.resumes(identity.device) else {
            throw SecurityError(.untrusted, "The device is to show its certificates once more.")
        }
        return judgement
    }
}
