package import BatonCore
import Synchronization

/// A value by which a client shows that it knows an account, before either side has presented a certificate.
///
/// A client sends the hint as the TLS server name. A hint is made for one device and one time, and has a random part,
/// so no two hints are equal. The device accepts each hint only once. Without the public key of the account's root,
/// nobody can make a hint. Nobody can tell which account or device a hint is for either, or whether two hints belong to
/// the same account.
package struct AccountHint: Hashable, Sendable, CustomStringConvertible {
    /// The hint as text, which is a valid label of a host name.
    package let description: String

    /// Makes a hint from any text that a client sent; if the text is not a hint, it belongs to no account.
    package init(text: String) { description = text }

    /// Makes the hint that consists of these parts.
    fileprivate init(nonce: UInt64, masked: UInt64, code: [UInt8]) {
        description = Base32.encode(nonce.bigEndianBytes + masked.bigEndianBytes + code)
    }

    /// The number of characters of a hint.
    private static let characterCount = 52
    /// The number of bytes of the authentication code in a hint.
    fileprivate static let codeByteCount = 16

    /// The random part, the masked time, and the authentication code; nil if the text is not a hint.
    fileprivate var parts: (nonce: UInt64, masked: UInt64, code: [UInt8])? {
        guard description.utf8.count == Self.characterCount, let bytes = Base32.decode(description),
            bytes.count == 16 + Self.codeByteCount, Base32.encode(bytes) == description
        else { return nil }
        return (
            UInt64(bigEndianBytes: bytes[0..<8]), UInt64(bigEndianBytes: bytes[8..<16]), Array(bytes[16...])
        )
    }
}

/// The largest difference between the clocks of two devices at which a hint is accepted.
package enum ClockTolerance: Sendable {
    /// Three hours: the usual tolerance, after which an unused hint is no longer valid.
    case hours
    /// A week, for a device whose clock is wrong.
    ///
    /// A client uses it only if a hint with the usual tolerance was not answered.
    case days

    /// The tolerated difference in seconds.
    package var seconds: Int64 {
        switch self {
        case .hours: 3 * 3600
        case .days: 7 * 86_400
        }
    }
}

/// The key from which an account's hints are made.
///
/// The key is derived from the root's public key, which only members know. A device sends the root's public key only to
/// a joiner that has proved that it knows the code.
package struct HintKey: Sendable {
    /// A hint that was accepted: its code is right, and its time is within the tolerance.
    package struct Reading: Sendable {
        /// The random part, which identifies the hint.
        package let nonce: UInt64
        /// The time after which the hint is no longer accepted, in seconds since 1970.
        package let expires: Int64

        package init(nonce: UInt64, expires: Int64) { (self.nonce, self.expires) = (nonce, expires) }
    }

    /// The bytes that are used in place of a device identifier in a hint for any device of the account.
    private static let anyDevice = [UInt8](repeating: 0, count: 16)

    private let key: SecretBytes

    package init(root: PublicKey) throws(SecurityError) {
        key = try Cryptography.derive(
            from: try SecretBytes(copying: root.der), salt: "baton/1", purpose: "hint")
    }

    /// Makes a hint for a device, or with nil for any device of the account; `time` is in seconds since 1970.
    package func makeHint(
        for device: DeviceIdentifier?, at time: Int64, tolerating tolerance: ClockTolerance = .hours
    ) throws(SecurityError) -> AccountHint {
        let nonce = UInt64(bigEndianBytes: try Cryptography.randomBytes(count: 8)[...])
        return try makeHint(for: device, at: time, tolerating: tolerance, nonce: nonce)
    }

    /// Makes a hint with a given random part.
    package func makeHint(
        for device: DeviceIdentifier?, at time: Int64, tolerating tolerance: ClockTolerance, nonce: UInt64
    ) throws(SecurityError) -> AccountHint {
        let field = UInt64(bitPattern: max(0, time)) << 1 | (tolerance == .days ? 1 : 0)
        let masked = field ^ (try mask(of: nonce))
        return AccountHint(nonce: nonce, masked: masked, code: try code(nonce, masked, device))
    }

    /// Reads a hint at a time.
    ///
    /// The result is nil if the hint is for another account or device, or if its time is not within the tolerance.
    package func read(
        _ hint: AccountHint, for device: DeviceIdentifier, at time: Int64
    ) throws(SecurityError) -> Reading? {
        guard let parts = hint.parts else { return nil }
        let own = try code(parts.nonce, parts.masked, device)
        let general = try code(parts.nonce, parts.masked, nil)
        guard Cryptography.areEqual(own, parts.code) || Cryptography.areEqual(general, parts.code) else {
            return nil
        }
        let field = parts.masked ^ (try mask(of: parts.nonce))
        let (made, tolerance) = (Int64(field >> 1), field & 1 == 1 ? ClockTolerance.days : .hours)
        guard abs(time - made) <= tolerance.seconds else { return nil }
        return Reading(nonce: parts.nonce, expires: made + tolerance.seconds)
    }

    /// Returns the number that masks the time in a hint.
    private func mask(of nonce: UInt64) throws(SecurityError) -> UInt64 {
        UInt64(bigEndianBytes: try authenticate("time", nonce.bigEndianBytes)[0..<8])
    }

    /// Returns the authentication code of a hint, which depends on the device that the hint is for.
    private func code(
        _ nonce: UInt64, _ masked: UInt64, _ device: DeviceIdentifier?
    ) throws(SecurityError) -> [UInt8] {
        let message = nonce.bigEndianBytes + masked.bigEndianBytes + (device?.bytes ?? Self.anyDevice)
        return Array(try authenticate("device", message).prefix(AccountHint.codeByteCount))
    }

    private func authenticate(_ purpose: String, _ value: [UInt8]) throws(SecurityError) -> [UInt8] {
        let message = try SecretBytes(copying: Array(purpose.utf8) + [0] + value)
        return try Cryptography.authenticate(message, with: key)
    }
}

/// The hints that a server has already accepted, so that it accepts none of them twice.
///
/// A hint is sent unencrypted. The first client that sends it is the device that made it, unless somebody has delayed
/// that device's connection. If there are too many hints, those that expire first are forgotten. This does no harm:
/// only members can make hints, and a member gains nothing by sending a hint twice.
package final class UsedHints: Sendable {
    /// The maximum number of hints that are remembered.
    package static let limit = 8192

    /// The time at which each hint expires, keyed by the random part of the hint.
    private let expirations = Mutex<[UInt64: Int64]>([:])

    package init() {}

    /// Marks a hint as used; returns false if it was used before.
    package func use(_ hint: HintKey.Reading, at time: Int64) -> Bool {
        expirations.withLock { expirations in
            guard expirations[hint.nonce] == nil else { return false }
            if expirations.count >= Self.limit { Self.makeRoom(&expirations, at: time) }
            expirations[hint.nonce] = hint.expires
            return true
        }
    }

    /// Forgets the hints that have expired; if too many are left, also forgets the half that expires first.
    private static func makeRoom(_ expirations: inout [UInt64: Int64], at time: Int64) {
        expirations = expirations.filter { $0.value >= time }
        guard expirations.count >= limit else { return }
        let later = expirations.sorted { $0.value > $1.value }.prefix(limit / 2)
        expirations = Dictionary(uniqueKeysWithValues: later.map { ($0.key, $0.value) })
    }
}

extension UInt64 {
    /// The bytes of the number, most significant first.
    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    /// Reads a number from eight bytes, most significant first.
    fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
