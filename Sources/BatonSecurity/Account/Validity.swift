import BatonCore

/// How long certificates hold, in seconds.
package enum Validity {
    /// How far back a certificate begins, for the clocks of others that are behind.
    package static let backdating: Int64 = 3600
    /// A device's certificate: a year; an owner renews it without the person.
    package static let device = Limits().certificateTime.components.seconds
    /// An owner's certificate: ten years, because renewing it takes the recovery code.
    ///
    /// Revocation does not wait for it.
    package static let owner: Int64 = 10 * 365 * 86_400
    /// The longest that a device's certificate may hold to be trusted: a year, with room for who counts days otherwise.
    ///
    /// Without it, an attacker who has an owner's key for a moment could make certificates that no renewal ever
    /// replaces.
    package static let deviceLimit: Int64 = 400 * 86_400
    /// The longest that an owner's certificate may hold to be trusted: ten years, with some room.
    package static let ownerLimit: Int64 = 3700 * 86_400
    /// The last second of the year 9999, by which X.509 says that there is no end.
    package static let forever: Int64 = 253_402_300_799
}
