package import BatonCore

/// The joiner's side of a pairing: it proves that it knows the code, and requires the same proof from the inviter.
///
/// ```
///  ready ──request──▶ asking ──answer──▶ confirming ──right proof──▶ proven ──grant──▶ keeping ──kept──▶ ended
///                        └───────────────────┴──────── anything else ───┴─────────────────┴───────────────▶
/// ```
///
/// The joiner sends its name only to an inviter that has proved that it knows the code.
package struct PairingJoiner: ~Copyable {
    /// The state of the joiner.
    private enum State {
        /// Nothing has been sent.
        case ready
        /// The joiner has sent its request.
        case asking
        /// The joiner has sent its proof.
        case confirming(PairingProof)
        /// The inviter has proved that it knows the code, too.
        case proven(PairingHost)
        /// The certificate from the inviter is valid, and the credentials are being written to disk.
        case keeping
        /// The pairing is over.
        case ended
    }

    private var state = State.ready
    private let side: SPAKE2
    private let opening: [UInt8]
    private let key: PrivateKey
    private let channel: PairingChannel
    private let request: PairingRequest
    private let name: String

    /// Makes a joiner with this code; `key` and `exported` belong to the handshake of the channel.
    package init(code: PairingCode, name: String, key: PrivateKey, exported: [UInt8]) throws(SecurityError) {
        let side = try PairingProof.side(.first, code: code)
        let opening = try Cryptography.randomBytes(count: PairingMessage.proofBytes)
        let request = PairingRequest(
            share: side.share, commitment: try PairingProof.commitment(to: opening))
        self.side = side
        self.opening = opening
        self.request = request
        self.key = key
        self.name = DisplayName.sanitised(name)
        channel = PairingChannel(joiner: key.publicKey, exported: exported)
    }

    /// The action that a message from the inviter requires.
    package enum MessageAction: Sendable {
        /// Send this message.
        case send(PairingMessage)
        /// Send this message, and show the inviter to the person; the inviter then sends a grant or a refusal.
        case greet(PairingHost, saying: PairingMessage)
        /// Write the credentials to disk, and then call `handleKept` or `handleNotKept`.
        case keep(Credentials, PairingHost)
        /// Send the message if there is one, close the connection, and tell the person about the error.
        case fail(SecurityError, telling: PairingMessage?)
    }

    /// Returns the first message, which must be sent when the channel is established.
    package mutating func begin() -> PairingMessage {
        guard case .ready = state else { preconditionFailure("the request was already made") }
        state = .asking
        return .request(request)
    }

    /// Handles a message from the inviter, and returns the required action.
    package mutating func handleMessage(_ message: PairingMessage, now: Int64) -> MessageAction {
        if case .refusal(let refusal) = message, isWaiting { return fail(Self.error(refusal), telling: nil) }
        switch (state, message) {
        case (.asking, .answer(let answer)): return handleAnswer(answer)
        case (.confirming(let proof), .welcome(let welcome)): return handleWelcome(welcome, proof, now: now)
        case (.proven(let host), .grant(let grant)): return handleGrant(grant, from: host, now: now)
        default:
            let error = SecurityError(.unprovenPairing, "The other machine sent an unexpected message.")
            return fail(error, telling: isWaiting ? .failed : nil)
        }
    }

    private mutating func handleAnswer(_ answer: PairingAnswer) -> MessageAction {
        do {
            let proof = try PairingProof(side, request: request, answer: answer, channel: channel)
            state = .confirming(proof)
            return .send(
                .confirmation(PairingConfirmation(proof: proof.joinerProof, opening: opening)))
        } catch {
            return fail(error, telling: .failed)
        }
    }

    private mutating func handleWelcome(
        _ welcome: PairingWelcome, _ proof: PairingProof, now: Int64
    ) -> MessageAction {
        guard proof.accepts(welcome) else {
            let error = SecurityError(
                .unprovenPairing,
                "The other machine does not know the code. Another machine may be intercepting the connection."
            )
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

    private mutating func handleGrant(_ grant: PairingGrant, from host: PairingHost, now: Int64)
        -> MessageAction
    {
        do {
            let chain = AccountChain(
                root: try Certificate(der: grant.root), owner: try Certificate(der: grant.owner),
                device: try Certificate(der: grant.device))
            let contentKey = try ContentKey(secret: SecretBytes(copying: grant.contentKey))
            let credentials = try Credentials(
                chain: chain, deviceKey: key, ownerKey: nil, protection: .plain(contentKey), at: now)
            state = .keeping
            return .keep(credentials, host)
        } catch {
            return fail(error, telling: .failed)
        }
    }

    /// Notes that the credentials are on disk; returns the last message to send.
    package mutating func handleKept() -> PairingMessage {
        guard case .keeping = state else { preconditionFailure("no credentials are being kept") }
        state = .ended
        return .joined
    }

    /// Notes that the credentials could not be written; returns the last message to send.
    package mutating func handleNotKept() -> PairingMessage {
        guard case .keeping = state else { preconditionFailure("no credentials are being kept") }
        state = .ended
        return .refusal(.failed)
    }

    /// Whether the joiner waits for a message from the inviter.
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

    /// Returns the error to show at the joiner for a refusal by the inviter.
    private static func error(_ refusal: PairingRefusal) -> SecurityError {
        switch refusal {
        case .wrongCode:
            SecurityError(
                .wrongPairingCode,
                "The code is wrong, and each code can be tried only once.")
        case .ended: SecurityError(.pairingOver, "The invitation is over.")
        case .declined: SecurityError(.pairingDeclined, "The other machine declined this one.")
        case .joinerRevoked:
            SecurityError(
                .pairingRevoked,
                "The key of this machine was revoked in the account, and can't be used again.")
        case .inviterRevoked:
            SecurityError(
                .pairingRevoked,
                "The other machine can't admit anyone: it was revoked, or its owner key was.")
        case .failed, .clock:
            SecurityError(.pairingFailed, "The other machine could not admit this one; its log says why.")
        }
    }
}

/// An inviter that has proved that it knows the code, as the joiner shows it to the person.
package struct PairingHost: Hashable, Sendable {
    /// The identifier of the inviting device.
    package let device: DeviceIdentifier
    /// The inviter's name, made safe to show.
    package let name: String
    /// The words that both machines show, so that people can compare them.
    package let phrase: String
    /// Whether a person at the inviter must agree before this machine is admitted.
    package let asksPerson: Bool

    package init(device: DeviceIdentifier, name: String, phrase: String, asksPerson: Bool) {
        self.device = device
        self.name = name
        self.phrase = phrase
        self.asksPerson = asksPerson
    }
}

/// The difference between the clocks of two machines that are being paired.
///
/// A machine with a wrong clock must not join. If its clock is behind, its own certificate is not valid yet, and no
/// device would talk to it. If its clock is ahead, its writes would replace all other writes until real time has caught
/// up.
private struct ClockSkew {
    /// The times of both clocks, in seconds since 1970.
    let here: Int64, there: Int64

    /// The largest number of seconds by which a clock may be ahead; nodes accept the same difference from each other.
    static let maximumLead: Int64 = 86_400

    /// Returns an error if the difference is too large; otherwise, nil.
    func error(_ name: String) -> SecurityError? {
        // The subtraction overflows if the other machine sends an extreme time.
        let (gap, isAbsurd) = here.subtractingReportingOverflow(there)
        guard isAbsurd || gap < -Validity.backdating || gap > Self.maximumLead else { return nil }
        let isBehind = here < there
        let span = isAbsurd ? "ages" : Self.span(gap.magnitude)
        return SecurityError(
            .clocksDiffer,
            "The clock of this machine is \(span) \(isBehind ? "behind" : "ahead of") that of “\(name)”.")
    }

    /// Describes a time span in its largest unit.
    private static func span(_ seconds: UInt64) -> String {
        let units: [(UInt64, String)] = [(31_556_952, "year"), (86_400, "day"), (3600, "hour")]
        for (unit, name) in units where seconds >= unit {
            let count = seconds / unit
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return "an hour"
    }
}
