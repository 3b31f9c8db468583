package import BatonCore

/// A machine that joins an account by a code: it proves that it knows it, and believes only who proves it too.
///
/// ```
///  ready ──request──▶ waiting ──right grant──▶ keeping ──kept──▶ ended
///                        │                                         ▲
///                        └──────── anything else ──────────────────┘
/// ```
package struct PairingJoiner: ~Copyable {
    /// How far the joining is.
    private enum State {
        /// Nothing was said.
        case ready
        /// The request was sent.
        case waiting
        /// The grant is right; the credentials are on their way to the disk.
        case keeping
        /// Nothing happens any more.
        case ended
    }

    private var state = State.ready
    private let secret: PairingSecret
    private let name: String
    private let key: PrivateKey

    /// A joining by this code, over the channel with this exported value, whose handshake was made with this key.
    package init(code: PairingCode, name: String, key: PrivateKey, channel: [UInt8]) throws(SecurityError) {
        secret = try PairingSecret(code: code, channel: channel)
        (self.name, self.key) = (DisplayName.sanitised(name), key)
    }

    /// What to do when the inviter has said something.
    package enum MessageAction: Sendable {
        /// Write the credentials to disk, then call `handleKept`.
        case keep(Credentials, inviter: DeviceIdentifier, inviterName: String)
        /// Close the connection, and tell the person.
        case fail(SecurityError)
    }

    /// The first words, to be sent when the channel is there.
    package mutating func request() throws(SecurityError) -> PairingMessage {
        precondition(isReady, "A request is made once.")
        state = .waiting
        let proof = try secret.requestProof(name: name, joiner: key.publicKey)
        return .request(PairingRequest(name: name, proof: proof))
    }

    /// Hears a message from the inviter.
    package mutating func handle(_ message: PairingMessage, now: Int64) -> MessageAction {
        guard case .waiting = state else { return fail(.unprovenPairing, "The inviter spoke out of turn.") }
        switch message {
        case .grant(let grant): return handleGrant(grant, now: now)
        case .refusal(.wrongCode):
            return fail(
                .refusedPairing, "The code is wrong. Each is good for one try: ask for a new one there.")
        case .refusal(.ended):
            return fail(.refusedPairing, "The invitation is over. Ask for a new one there.")
        case .refusal(.failed):
            return fail(.refusedPairing, "The other machine could not admit this one; its log says why.")
        case .request, .joined:
            return fail(.unprovenPairing, "The inviter spoke out of turn.")
        }
    }

    private mutating func handleGrant(_ grant: PairingGrant, now: Int64) -> MessageAction {
        do {
            // Nothing in the grant is so much as parsed before it is proven.
            guard try secret.accepts(grant, joiner: key.publicKey) else {
                return fail(
                    .unprovenPairing, "The other machine does not know the code. Someone may be in between.")
            }
            let chain = AccountChain(
                root: try Certificate(der: grant.root), owner: try Certificate(der: grant.owner),
                device: try Certificate(der: grant.device))
            let credentials = try Credentials(chain: chain, deviceKey: key, ownerKey: nil, at: now)
            state = .keeping
            let name = DisplayName.sanitised(grant.inviterName)
            return .keep(credentials, inviter: grant.inviter, inviterName: name)
        } catch {
            state = .ended
            return .fail(error)
        }
    }

    /// Learns that the credentials are on disk; answers with the last words, to be sent.
    package mutating func handleKept() -> PairingMessage {
        guard case .keeping = state else { preconditionFailure("There is nothing to keep.") }
        state = .ended
        return .joined
    }

    private var isReady: Bool {
        if case .ready = state { true } else { false }
    }

    private mutating func fail(_ code: SecurityError.Code, _ message: String) -> MessageAction {
        state = .ended
        return .fail(SecurityError(code, message))
    }
}
