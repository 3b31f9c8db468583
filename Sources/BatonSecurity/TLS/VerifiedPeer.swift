import COpenSSL

/// What was found of a peer when its chain was verified; a session that is resumed goes on from it.
///
/// Nothing verifies a chain in a resumed handshake, so what can change since then is judged again: the time here, and
/// the roster by who says which sessions are resumed, and is told the peer.
struct VerifiedPeer: Sendable {
    /// Who the peer is.
    let identity: DeviceIdentity
    /// The owner's certificate that the peer showed; a ticket of this server does not carry it.
    let owner: Certificate?
    /// From when to when the owner's certificate holds.
    let ownerValidity: ClosedRange<Int64>
    /// When the peer last proved that it has its key, in seconds since 1970.
    let provedAt: Int64

    /// How long a proof is good for, in seconds: after that a peer shows its certificate once more.
    static let proofLifetime: Int64 = 86_400

    /// What a chain that was just verified says.
    init(_ identity: DeviceIdentity, owner: Certificate, at time: Int64) throws(SecurityError) {
        guard owner.notBefore <= owner.notAfter else {
            throw SecurityError(.untrusted, "The owner's certificate ends before it begins.")
        }
        (self.identity, self.owner) = (identity, owner)
        (ownerValidity, provedAt) = (owner.notBefore...owner.notAfter, time)
    }

    /// Reads what a ticket of this server carries beside the peer's certificate.
    init(_ identity: DeviceIdentity, ticketData bytes: [UInt8]) throws(SecurityError) {
        guard bytes.count == Self.ticketDataByteCount else {
            throw SecurityError(.malformed, "A ticket does not carry what it should.")
        }
        let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        guard numbers[0] <= numbers[1] else {
            throw SecurityError(.malformed, "A ticket does not carry what it should.")
        }
        (self.identity, owner) = (identity, nil)
        (ownerValidity, provedAt) = (numbers[0]...numbers[1], numbers[2])
    }

    private static let ticketDataByteCount = 24

    /// What a ticket carries beside the peer's certificate.
    var ticketData: [UInt8] {
        [ownerValidity.lowerBound, ownerValidity.upperBound, provedAt].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }

    /// Whether the certificates hold at a time.
    enum TimeStatus: Equatable {
        case valid
        /// Since then one of them does not any more.
        case expired(since: Int64)
        /// Before then one of them does not yet.
        case notYetValid(until: Int64)
    }

    /// Whether the device's certificate and its owner's both hold at a time.
    func timeStatus(at time: Int64) -> TimeStatus {
        let begins = max(identity.certificate.notBefore, ownerValidity.lowerBound)
        let ends = min(identity.certificate.notAfter, ownerValidity.upperBound)
        if time > ends { return .expired(since: ends) }
        return time < begins ? .notYetValid(until: begins) : .valid
    }

    /// Throws unless the certificates hold at a time, and the proof is young enough.
    func requireValid(at time: Int64) throws(SecurityError) {
        guard timeStatus(at: time) == .valid else {
            throw SecurityError(.untrusted, "The certificate of the resumed session does not hold now.")
        }
        // One from the future was made under another clock.
        guard provedAt <= time, time - provedAt < Self.proofLifetime else {
            throw SecurityError(.untrusted, "The resumed session is too old.")
        }
    }

    /// Whether it is about this very certificate.
    @unsafe func matches(_ certificate: OpaquePointer?) -> Bool {
        guard let certificate = unsafe certificate else { return false }
        return unsafe identity.certificate.withHandle { unsafe X509_cmp($0, certificate) == 0 }
    }
}
