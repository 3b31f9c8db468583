package import BatonCore

/// The key that members of an account use to mark their announcements on local networks.
///
/// A mark tells other members which device announces itself. Seals let members check the addresses of the device. A
/// stranger sees random bytes: no name of an announcement is used twice, so no mask is used twice either. A mark is
/// valid only on the link and around the hour for which it was made. A seal is valid only together with a mark. So if
/// somebody copies an announcement, members try only the sealed addresses. On another link or another day, members
/// ignore the copy. The handshake proves that the device is really there.
///
/// Like the key of the hints, this key is derived from the root's public key, which only members know.
package struct AnnouncementKey: Sendable {
    /// The largest difference, in hours, between the hour of a valid mark and the present hour.
    ///
    /// An announcement can be 40 minutes old, so this allows the clocks of two machines to differ by an hour.
    package static let toleratedHours: Int64 = 2

    private let key: SecretBytes

    package init(root: PublicKey) throws(SecurityError) {
        key = try Cryptography.derive(
            from: try SecretBytes(copying: root.der), salt: "baton/1", purpose: "announcement")
    }

    /// Returns the number of the hour that contains a time; `time` is in seconds since 1970.
    package static func hour(of time: Int64) -> UInt32 { UInt32(clamping: time / 3600) }

    /// Returns whether an announcement that was made in the hour `hour` is valid in the hour `present`.
    package static func tolerates(_ hour: UInt32, in present: UInt32) -> Bool {
        abs(Int64(hour) - Int64(present)) <= toleratedHours
    }

    /// Returns the hour as text for the announcement with this name: seven characters in base 32.
    package func text(ofHour hour: UInt32, in name: String) throws(SecurityError) -> String {
        Self.text(ofSeals: [try masked(hour, in: name)])
    }

    /// Masks an hour, or removes the mask from the hour in an announcement.
    ///
    /// For an announcement of another account, the result is a random number.
    package func masked(_ hour: UInt32, in name: String) throws(SecurityError) -> UInt32 {
        hour ^ UInt32(try number("hour", Array(name.utf8)) >> 32)
    }

    /// Returns the marks of a device for an announcement with this name in this hour, one mark for each link.
    ///
    /// `links` are the fingerprints of the link on which the device announces itself. Each mark has thirteen characters
    /// in base 32.
    package func marks(
        of device: DeviceIdentifier, in name: String, hour: UInt32, links: [[UInt8]]
    ) throws(SecurityError) -> String {
        var text = ""
        for link in links { text += Self.text(try mask(of: name, hour, link) ^ tag(of: device)) }
        return text
    }

    /// Returns the number that identifies a device in the marks of this account.
    package func tag(of device: DeviceIdentifier) throws(SecurityError) -> UInt64 {
        try number("device", device.bytes)
    }

    /// Returns the tag of the device that made a mark; if the mark belongs to another account, returns a random number.
    package func tag(
        in mark: UInt64, named name: String, hour: UInt32, link: [UInt8]
    ) throws(SecurityError) -> UInt64 {
        try mark ^ mask(of: name, hour, link)
    }

    /// Reads one to four marks; nil if their length or their alphabet is not valid.
    package static func numbers(_ marks: String) -> [UInt64]? {
        let characters = Array(marks.utf8)
        guard (1...4).contains(characters.count / 13), characters.count % 13 == 0 else { return nil }
        var numbers: [UInt64] = []
        for start in stride(from: 0, to: characters.count, by: 13) {
            let mark = String(decoding: characters[start..<start + 13], as: UTF8.self)
            guard let bytes = Base32.decode(mark), bytes.count == 8 else { return nil }
            numbers.append(bytes.reduce(0) { $0 << 8 | UInt64($1) })
        }
        return numbers
    }

    /// Returns the seal of an address in the announcement with this name.
    ///
    /// The address has sixteen bytes, and an IPv4 address is IPv4-mapped.
    package func seal(
        of address: [UInt8], port: UInt16, in name: String
    ) throws(SecurityError) -> UInt32 {
        let place = address + [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
        return UInt32(try number("address", place + Array(name.utf8)) >> 32)
    }

    /// Returns seals as text: the seals in ascending order, four bytes each, in base 32.
    package static func text(ofSeals seals: some Sequence<UInt32>) -> String {
        Base32.encode(
            seals.sorted().flatMap { seal in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: seal >> $0) } })
    }

    /// Reads the text of seals; nil if it is malformed.
    package static func seals(_ text: String) -> Set<UInt32>? {
        guard text.utf8.count <= 256, let bytes = Base32.decode(text), bytes.count % 4 == 0 else {
            return nil
        }
        let starts = stride(from: 0, to: bytes.count, by: 4)
        return Set(starts.map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } })
    }

    /// Returns the number that masks the tag of a device, for an announcement with this name, in an hour and on a link.
    private func mask(of name: String, _ hour: UInt32, _ link: [UInt8]) throws(SecurityError) -> UInt64 {
        let hour = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: hour >> $0) }
        return try number(
            "name", hour + [UInt8(truncatingIfNeeded: name.utf8.count)] + Array(name.utf8) + link)
    }

    /// Returns the first eight bytes of an authentication code, as a number; the code covers the purpose and the value.
    private func number(_ purpose: String, _ value: [UInt8]) throws(SecurityError) -> UInt64 {
        let message = try SecretBytes(copying: Array(purpose.utf8) + [0] + value)
        return try Cryptography.authenticate(message, with: key).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the text of a mark.
    private static func text(_ number: UInt64) -> String {
        Base32.encode(stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) })
    }
}
