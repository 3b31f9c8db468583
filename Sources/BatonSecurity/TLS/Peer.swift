/// Who is at the other end of an established session.
package enum Peer: Hashable, Sendable {
    /// A device of the account, by a certificate that was verified. Whether it is revoked is for the roster to say.
    case device(DeviceIdentity)
    /// A device of the account whose chain is right but for its end, which was then, in seconds since 1970.
    ///
    /// It is nobody to be talked to, unless whoever is told knows a newer certificate of the same key, or may make one.
    case expired(DeviceIdentity, since: Int64)
    /// Someone who wants to join, and holds this key. Nothing else is known; pairing must prove the rest.
    case joiner(PublicKey)
    /// Someone who may be an inviter. Nothing is known; pairing must prove everything.
    case inviter
}
