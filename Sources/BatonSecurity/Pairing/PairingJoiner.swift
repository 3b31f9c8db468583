package import BatonCore

/// A machine that joins an account by a code: it proves that it knows it, and believes only who proves it too.
///
/// ```
///  ready ──request──▶ asking ──answer──▶ confirming ──right proof──▶ proven ──grant──▶ keeping ──kept──▶ ended
///                        └───────────────────┴──────── anything else ───┴─────────────────┴───────────────▶
/// ```
///
/// It says who it is only to an inviter that has proved that it knows the code.
package struct PairingJoiner: ~Copyable {
    /// How far the joining is.
    private enum State {
        /// Nothing was said.
        case ready
        /// The request was sent.
        case asking
        /// This side's proof was sent.
        case confirming(PairingProof)
        /// The inviter has proved that it knows the code, too.
        case proven(PairingHost)
        /// The grant is right; the credentials are on their way to the disk.
        case keeping
        /// Nothing happens any more.
        case ended
    }

    private var state = State.ready
    private let side: SPAKE2
    private let opening: [UInt8]
    private let key: PrivateKey
    private let channel: PairingChannel
    private let request: PairingRequest
    private let name: String

    /// A joining by this code, over the channel with this exported value, whose handshake was made with this key.
    package init(code: PairingCode, name: String, key: PrivateKey, exported: [UInt8]) throws(SecurityError) {
        let side = try PairingProof.side(.first, code: code)
        let opening = try Cryptography.randomBytes(count: PairingMessage.proofBytes)
        let request = PairingRequest(
            share: side.share, commitment: try PairingProof.commitment(to: opening))
        (self.side, self.opening, self.request, self.key) = (side, opening, request, key)
        self.name = DisplayName.sanitised(name)
        channel = PairingChannel(joiner: key.publicKey, exported: exported)
    }

    /// What to do when the inviter has said something.
    package enum MessageAction: Sendable {
        /// Send this.
        case send(PairingMessage)
        /// Send this, and tell the person who it is; a grant or a refusal follows.
        case greet(PairingHost, saying: PairingMessage)
        /// Write the credentials to disk, then call `handleKept`, or `handleNotKept`.
        case keep(Credentials, PairingHost)
        /// Send this, if there is something, close the connection, and tell the person.
        case fail(SecurityError, telling: PairingMessage?)
    }

    /// The first words, to be sent when the channel is there.
    package mutating func begin() -> PairingMessage {
        guard case .ready = state else { preconditionFailure("A request is made once.") }
        state = .asking
        return .request(request)
    }

    /// Hears a message from the inviter.
    package mutating func handle(_ message: PairingMessage, now: Int64) -> MessageAction {
        if case .refusal(let refusal) = message, isWaiting { return fail(Self.error(refusal), telling: nil) }
        switch (state, message) {
        case (.asking, .answer(let answer)): return handle(answer)
        case (.confirming(let proof), .welcome(let welcome)): return handle(welcome, proof, now: now)
        case (.proven(let host), .grant(let grant)): return handle(grant, from: host, now: now)
        default:
            let error = SecurityError(.unprovenPairing, "The other machine spoke out of turn.")
            return fail(error, telling: isWaiting ? .failed : nil)
        }
    }

    private mutating func handle(_ answer: PairingAnswer) -> MessageAction {
        do {
            let proof = try PairingProof(side, request: request, answer: answer, channel: channel)
            state = .confirming(proof)
            return .send(
                .confirmation(PairingConfirmation(proof: proof.joinerProof, opening: opening)))
        } catch {
            return fail(error, telling: .failed)
        }
    }

    private mutating func handle(
        _ welcome: PairingWelcome, _ proof: PairingProof, now: Int64
    ) -> MessageAction {
        guard proof.accepts(welcome) else {
            let error = SecurityError(
                .unprovenPairing, "The other machine does not know the code. Someone may be in between.")
            return fail(error, telling: .wrongCode)
        }
        do {
            let host = PairingHost(
                device: welcome.inviter, name: DisplayName.sanitised(welcome.inviterName),
                phrase: try proof.phrase(opening: opening), asksPerson: welcome.asksPerson)
            if let error = ClockSkew(here: now, there: welcome.time.milliseconds / 1000).error(host.name) {
                return fail(error, telling: .clock)
            }
            state = .proven(host)
            return .greet(host, saying: .introduction(PairingIntroduction(name: name)))
        } catch {
            return fail(error, telling: .failed)
        }
    }

    private mutating func handle(_ grant: PairingGrant, from host: PairingHost, now: Int64) -> MessageAction {
        do {
            let chain = AccountChain(
                root: try Certificate(der: grant.root), owner: try Certificate(der: grant.owner),
                device: try Certificate(der: grant.device))
            let credentials = try Credentials(chain: chain, deviceKey: key, ownerKey: nil, at: now)
            state = .keeping
            return .keep(credentials, host)
        } catch {
            return fail(error, telling: .failed)
        }
    }

    /// Learns that the credentials are on disk; answers with the last words, to be sent.
    package mutating func handleKept() -> PairingMessage {
        guard case .keeping = state else { preconditionFailure("There is nothing to keep.") }
        state = .ended
        return .joined
    }

    /// Learns that the credentials could not be written; answers with the last words, to be sent.
    package mutating func handleNotKept() -> PairingMessage {
        guard case .keeping = state else { preconditionFailure("There is nothing to keep.") }
        state = .ended
        return .refusal(.failed)
    }

    /// Whether the inviter's word is awaited.
    private var isWaiting: Bool {
        switch state {
        case .asking, .confirming, .proven: true
        case .ready, .keeping, .ended: false
        }
    }

    private mutating func fail(_ error: SecurityError, telling refusal: PairingRefusal?) -> MessageAction {
        state = .ended
        return .fail(error, telling: refusal.map { .refusal($0) })
    }

    /// What the inviter's refusal means here.
    private static func error(_ refusal: PairingRefusal) -> SecurityError {
        switch refusal {
        case .wrongCode:
            SecurityError(
                .wrongPairingCode,
                "That is not the code that the other machine shows, and each is good for one try.")
        case .ended: SecurityError(.pairingOver, "The invitation is over.")
        case .declined: SecurityError(.pairingDeclined, "The other machine did not let this one in.")
        case .joinerRevoked:
            SecurityError(
                .pairingRevoked, "The key of this machine was revoked in the account, and can't come back.")
        case .inviterRevoked:
            SecurityError(
                .pairingRevoked,
                "The other machine can let nobody in: it was revoked, or its owner key was.")
        case .failed, .clock:
            SecurityError(.pairingFailed, "The other machine could not admit this one; its log says why.")
        }
    }
}

/// An inviter that has proved that it knows the code, as the person at the joiner is told of it.
package struct PairingHost: Hashable, Sendable {
    /// The inviting device.
    package let device: DeviceIdentifier
    /// What it is called; fit to be shown.
    package let name: String
    /// What both sides show, to be compared.
    package let phrase: String
    /// Whether it lets this machine in only once its person says so.
    package let asksPerson: Bool

    package init(device: DeviceIdentifier, name: String, phrase: String, asksPerson: Bool) {
        (self.device, self.name, self.phrase, self.asksPerson) = (device, name, phrase, asksPerson)
    }
}

/// How far apart the clocks of two machines are that are to belong to one account.
///
/// A machine whose clock is wrong must not join: where it is behind, its own certificate is not valid yet and it could
/// speak with nobody; where it is ahead, what it writes would count as the newest for as long as it was ahead.
private struct ClockSkew {
    /// What the clock here says, and what the one there says, in seconds since 1970.
    let here: Int64, there: Int64

    /// How far ahead a clock may be: as far as nodes bear with each other's.
    static let maximumLead: Int64 = 86_400

    /// Why it is too far, in words; nothing if it is not.
    func error(_ name: String) -> SecurityError? {
        // A clock that is absurd must not overflow the difference.
        let (gap, isAbsurd) = here.subtractingReportingOverflow(there)
        guard isAbsurd || gap < -Validity.backdating || gap > Self.maximumLead else { return nil }
        let isBehind = here < there
        let span = isAbsurd ? "ages" : Self.span(gap.magnitude)
        return SecurityError(
            .clocksDiffer,
            "The clock of this machine is \(span) \(isBehind ? "behind" : "ahead of") that of “\(name)”.")
    }

    /// A span of time, in its largest unit.
    private static func span(_ seconds: UInt64) -> String {
        let units: [(UInt64, String)] = [(31_556_952, "year"), (86_400, "day"), (3600, "hour")]
        for (unit, name) in units where seconds >= unit {
            let count = seconds / unit
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return "an hour"
    }
}
