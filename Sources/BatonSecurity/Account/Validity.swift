import BatonCore

/// How long certificates are valid, in seconds.
package enum Validity {
    /// How far in the past the validity of a new certificate begins, for devices whose clocks are behind.
    package static let backdating: Int64 = 3600
    /// How long a device's certificate is valid: a year; owners renew it automatically.
    package static let device = Limits().certificateTime.components.seconds
    /// How long an owner's certificate is valid: ten years, because renewing it needs the recovery code.
    ///
    /// An owner can be revoked before that time.
    package static let owner: Int64 = 10 * 365 * 86_400
    /// The longest validity of a device's certificate that is accepted: a year and some tolerance.
    ///
    /// Without this limit, an attacker who had an owner's key for a moment could issue certificates that never need to
    /// be renewed.
    package static let deviceLimit: Int64 = 400 * 86_400
    /// The longest validity of an owner's certificate that is accepted: ten years and some tolerance.
    package static let ownerLimit: Int64 = 3700 * 86_400
    /// The last second of the year 9999, which in X.509 means that a certificate does not expire.
    package static let forever: Int64 = 253_402_300_799
}
