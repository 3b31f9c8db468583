package import BatonCore
import Synchronization

/// A value by which a client shows that it knows an account, before either side has presented a certificate.
///
/// Clients send it as the TLS server name. A hint is made for one device and one moment, and has a random part, so no
/// two are equal; the device accepts each of them once. Without the account's root, nobody can make a hint, tell which
/// account or device it is for, or tell that two are of the same account.
package struct AccountHint: Hashable, Sendable, CustomStringConvertible {
    /// The hint as text, a valid label of a host name.
    package let description: String

    /// Makes a hint from any text that a client sent; a text that is not a hint belongs to no account.
    package init(text: String) { description = text }

    /// Makes the hint with these parts.
    fileprivate init(nonce: UInt64, masked: UInt64, code: [UInt8]) {
        description = Base32.encode(nonce.bigEndianBytes + masked.bigEndianBytes + code)
    }

    /// The number of characters of a hint.
    private static let characterCount = 52
    /// The number of bytes of the authentication code in a hint.
    fileprivate static let codeByteCount = 16

    /// The random part, the masked time, and the authentication code; nil if the text is no hint.
    fileprivate var parts: (nonce: UInt64, masked: UInt64, code: [UInt8])? {
        guard description.utf8.count == Self.characterCount, let bytes = Base32.decode(description),
            bytes.count == 16 + Self.codeByteCount, Base32.encode(bytes) == description
        else { return nil }
        return (
            UInt64(bigEndianBytes: bytes[0..<8]), UInt64(bigEndianBytes: bytes[8..<16]), Array(bytes[16...])
        )
    }
}

/// How far the clocks of two devices may differ for a hint to be accepted.
package enum ClockTolerance: Sendable {
    /// Three hours: the usual tolerance, after which a hint that was never used is worth nothing.
    case hours
    /// A week, for a device whose clock is wrong; used only if a hint with the usual tolerance was not answered.
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
/// It is derived from the root's public key, which only members know: that key is sent only to a joiner that has
/// proved that it knows the code.
package struct HintKey: Sendable {
    /// A hint whose code is right and whose time is tolerated.
    package struct Reading: Sendable {
        /// The random part, which identifies the hint.
        package let nonce: UInt64
        /// The time from which the hint is no longer tolerated, in seconds since 1970.
        package let expires: Int64

        package init(nonce: UInt64, expires: Int64) { (self.nonce, self.expires) = (nonce, expires) }
    }

    /// The bytes that stand for any device of the account.
    private static let anyDevice = [UInt8](repeating: 0, count: 16)

    private let key: SecretBytes

    package init(root: PublicKey) throws(SecurityError) {
        key = try Cryptography.derive(
            from: try SecretBytes(copying: root.der), salt: "baton/1", purpose: "hint")
    }

    /// Makes a hint for a device, or with nil for any device of the account, at a time in seconds since 1970.
    package func makeHint(
        for device: DeviceIdentifier?, at time: Int64, tolerating tolerance: ClockTolerance = .hours
    ) throws(SecurityError) -> AccountHint {
        let nonce = UInt64(bigEndianBytes: try Cryptography.randomBytes(count: 8)[...])
        return try makeHint(for: device, at: time, tolerating: tolerance, nonce: nonce)
    }

    /// Makes the hint with a given random part.
    package func makeHint(
        for device: DeviceIdentifier?, at time: Int64, tolerating tolerance: ClockTolerance, nonce: UInt64
    ) throws(SecurityError) -> AccountHint {
        let field = UInt64(bitPattern: max(0, time)) << 1 | (tolerance == .days ? 1 : 0)
        let masked = field ^ (try mask(of: nonce))
        return AccountHint(nonce: nonce, masked: masked, code: try code(nonce, masked, device))
    }

    /// Reads a hint for a device at a time; nil if it is of another account or device, or its time is not tolerated.
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

    /// Returns the number that hides the time in a hint.
    private func mask(of nonce: UInt64) throws(SecurityError) -> UInt64 {
        UInt64(bigEndianBytes: try authenticate("time", nonce.bigEndianBytes)[0..<8])
    }

    /// Returns the authentication code of a hint.
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

/// The hints that a server has accepted, so that none counts twice.
///
/// A hint crosses the network in clear, and the first client to show it is the device that made it, unless somebody
/// held that device's connection back. If there are too many hints, those that expire first are forgotten. This does no
/// harm: only members can make hints, and a member learns nothing by showing a hint twice.
package final class UsedHints: Sendable {
    /// The most hints that are remembered.
    package static let limit = 8192

    /// The time at which each hint expires, by its random part.
    private let expirations = Mutex<[UInt64: Int64]>([:])

    package init() {}

    /// Marks a hint as used; returns false if it was already used.
    package func use(_ hint: HintKey.Reading, at time: Int64) -> Bool {
        expirations.withLock { expirations in
            guard expirations[hint.nonce] == nil else { return false }
            if expirations.count >= Self.limit { Self.makeRoom(&expirations, at: time) }
            expirations[hint.nonce] = hint.expires
            return true
        }
    }

    /// Forgets the hints that have expired, and the half that expires first if there are too many others.
    private static func makeRoom(_ expirations: inout [UInt64: Int64], at time: Int64) {
        expirations = expirations.filter { $0.value >= time }
        guard expirations.count >= limit else { return }
        let later = expirations.sorted { $0.value > $1.value }.prefix(limit / 2)
        expirations = Dictionary(uniqueKeysWithValues: later.map { ($0.key, $0.value) })
    }
}

extension UInt64 {
    /// The bytes of the number, highest first.
    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    /// Reads eight bytes, highest first.
    fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
