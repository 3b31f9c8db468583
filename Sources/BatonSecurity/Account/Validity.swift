import BatonCore

/// The periods of validity of certificates, in seconds.
package enum Validity {
    /// How far in the past a new certificate begins, for devices whose clocks are behind.
    package static let backdating: Int64 = 3600
    /// The validity of a device's certificate: a year; owners renew it automatically.
    package static let device = Limits().certificateTime.components.seconds
    /// The validity of an owner's certificate: ten years, because renewing it takes the recovery code.
    ///
    /// An owner can be revoked at any time before that.
    package static let owner: Int64 = 10 * 365 * 86_400
    /// The longest validity of a device's certificate that is trusted: a year, with some tolerance.
    ///
    /// Without this limit, an attacker who has an owner's key for a moment could issue certificates that are never
    /// replaced by a renewal.
    package static let deviceLimit: Int64 = 400 * 86_400
    /// The longest validity of an owner's certificate that is trusted: ten years, with some tolerance.
    package static let ownerLimit: Int64 = 3700 * 86_400
    /// The last second of the year 9999, which in X.509 means that a certificate does not expire.
    package static let forever: Int64 = 253_402_300_799
}
