import COpenSSL

/// The facts about a peer whose chain was verified; a resumed session relies on these facts.
///
/// OpenSSL verifies nothing in a resumed handshake, so everything that can change must be checked again. This type
/// checks the time. The node checks the roster, first when it decides whether to resume, and again when it learns who
/// the peer is.
struct VerifiedPeer: Sendable {
    /// The identity of the peer.
    let identity: DeviceIdentity
    /// The owner's certificate that the peer presented; nil if the facts come from a ticket, which does not contain it.
    let owner: Certificate?
    /// The time in which the owner's certificate is valid.
    let ownerValidity: ClosedRange<Int64>
    /// The last time at which the peer proved that it has its private key, in seconds since 1970.
    let provedAt: Int64

    /// The number of seconds after which a peer must present its certificate again.
    static let proofLifetime: Int64 = 86_400

    /// Takes the facts from a chain that was just verified.
    init(_ identity: DeviceIdentity, owner: Certificate, at time: Int64) throws(SecurityError) {
        guard owner.notBefore <= owner.notAfter else {
            throw SecurityError(.untrusted, "The owner's certificate expires before it becomes valid.")
        }
        (self.identity, self.owner) = (identity, owner)
        (ownerValidity, provedAt) = (owner.notBefore...owner.notAfter, time)
    }

    /// Reads the facts from a ticket of this server; `bytes` is the data that the ticket has besides the certificate.
    init(_ identity: DeviceIdentity, ticketData bytes: [UInt8]) throws(SecurityError) {
        guard bytes.count == Self.ticketDataByteCount else {
            throw SecurityError(.malformed, "The data in the session ticket is invalid.")
        }
        let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        guard numbers[0] <= numbers[1] else {
            throw SecurityError(.malformed, "The data in the session ticket is invalid.")
        }
        (self.identity, owner) = (identity, nil)
        (ownerValidity, provedAt) = (numbers[0]...numbers[1], numbers[2])
    }

    private static let ticketDataByteCount = 24

    /// The data that is stored in a ticket besides the peer's certificate.
    var ticketData: [UInt8] {
        [ownerValidity.lowerBound, ownerValidity.upperBound, provedAt].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }

    /// Whether the certificates are valid at a time.
    enum TimeStatus: Equatable {
        case valid
        /// One of the certificates has expired, at this time.
        case expired(since: Int64)
        /// One of the certificates is not valid yet; it becomes valid at this time.
        case notYetValid(until: Int64)
    }

    /// Returns whether the certificates of the device and its owner are both valid at a time.
    func timeStatus(at time: Int64) -> TimeStatus {
        let begins = max(identity.certificate.notBefore, ownerValidity.lowerBound)
        let ends = min(identity.certificate.notAfter, ownerValidity.upperBound)
        if time > ends { return .expired(since: ends) }
        return time < begins ? .notYetValid(until: begins) : .valid
    }

    /// Throws if a certificate is not valid at a time, or if the peer's last proof is too old.
    func requireValid(at time: Int64) throws(SecurityError) {
        guard timeStatus(at: time) == .valid else {
            throw SecurityError(.untrusted, "The certificate of the resumed session is not valid now.")
        }
        // If the proof has a later time than now, a clock was changed.
        guard provedAt <= time, time - provedAt < Self.proofLifetime else {
            throw SecurityError(.untrusted, "The resumed session is too old.")
        }
    }

    /// Whether the peer's certificate is equal to this certificate.
    @unsafe func matches(_ certificate: OpaquePointer?) -> Bool {
        guard let certificate = unsafe certificate else { return false }
        return unsafe identity.certificate.withHandle { unsafe X509_cmp($0, certificate) == 0 }
    }
}
