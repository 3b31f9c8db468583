package import BatonCore

/// The key with which the members of an account mark their announcements on local networks, and recognise each other's.
///
/// A mark tells a member which device announces itself, and seals tell at which addresses. A stranger sees random bytes:
/// the name of an announcement never returns, so no mask is used twice. A copied mark leads members to the sealed
/// addresses only, so a stranger can't make them connect elsewhere. That the device is really there, the handshake proves.
///
/// Like the key of the hints it is derived from the root's public key, which only members know.
package struct AnnouncementKey: Sendable {
    private let key: SecretBytes

    package init(root: PublicKey) throws(SecurityError) {
        key = try Cryptography.derive(
            from: try SecretBytes(copying: root.der), salt: "baton/1", purpose: "announcement")
    }

    /// Returns the mark of a device in the announcement of this name: thirteen characters in base 32.
    package func mark(of device: DeviceIdentifier, in name: String) throws(SecurityError) -> String {
        Self.text(try mask(of: name) ^ tag(of: device))
    }

    /// Returns the number that stands for a device in the marks of the account.
    package func tag(of device: DeviceIdentifier) throws(SecurityError) -> UInt64 {
        try number("device", device.bytes)
    }

    /// Returns the tag of the device that made a mark, if it is of this account; otherwise a random number.
    package func tag(in mark: UInt64, named name: String) throws(SecurityError) -> UInt64 {
        try mark ^ mask(of: name)
    }

    /// Reads a mark; nil if it has another length or alphabet.
    package static func number(_ mark: String) -> UInt64? {
        guard mark.utf8.count == 13, let bytes = Base32.decode(mark), bytes.count == 8 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the seal of an address in the announcement of a name: the address as sixteen bytes, IPv4-mapped if it is one
    /// of IPv4, and the port in two.
    package func seal(
        of address: [UInt8], port: UInt16, in name: String
    ) throws(SecurityError) -> UInt32 {
        let place = address + [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
        return UInt32(try number("address", place + Array(name.utf8)) >> 32)
    }

    /// Returns seals as text: four bytes each, in ascending order, in base 32.
    package static func text(ofSeals seals: some Sequence<UInt32>) -> String {
        Base32.encode(
            seals.sorted().flatMap { seal in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: seal >> $0) } })
    }

    /// Reads seals; nil if they are malformed.
    package static func seals(_ text: String) -> Set<UInt32>? {
        guard text.utf8.count <= 256, let bytes = Base32.decode(text), bytes.count % 4 == 0 else {
            return nil
        }
        let starts = stride(from: 0, to: bytes.count, by: 4)
        return Set(starts.map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } })
    }

    /// Returns the number that hides the tag in the announcement of a name.
    private func mask(of name: String) throws(SecurityError) -> UInt64 {
        try number("name", Array(name.utf8))
    }

    /// Returns the first eight bytes of the authentication code of a value, with its purpose, as a number.
    private func number(_ purpose: String, _ value: [UInt8]) throws(SecurityError) -> UInt64 {
        let message = try SecretBytes(copying: Array(purpose.utf8) + [0] + value)
        return try Cryptography.authenticate(message, with: key).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns a mark as text.
    private static func text(_ number: UInt64) -> String {
        Base32.encode(stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) })
    }
}
