/// Sixteen bytes that name one thing, ordered as their bytes are.
///
/// Each kind of name is a type of its own, so that a device is never taken for an account.
package protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first eight bytes, as a big-endian number.
    var high: UInt64 { get }
    /// The last eight bytes, as a big-endian number.
    var low: UInt64 { get }
    init(high: UInt64, low: UInt64)
}

extension Identifier {
    /// How many bytes an identifier has, on the wire and on disk.
    package static var byteCount: Int { 16 }

    /// A name that nobody has used, as far as the generator can be trusted.
    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(high: generator.next(), low: generator.next())
    }

    /// The identifier that these bytes spell, or nothing if they are not sixteen.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let (head, tail) = (bytes.prefix(8), bytes.dropFirst(8))
        self.init(
            high: head.reduce(0) { $0 << 8 | UInt64($1) },
            low: tail.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The sixteen bytes.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            for place in 0..<8 {
                buffer[place] = UInt8(truncatingIfNeeded: high >> (56 - 8 * place))
                buffer[place + 8] = UInt8(truncatingIfNeeded: low >> (56 - 8 * place))
            }
            count = Self.byteCount
        }
    }

    /// The identifier in text: 26 characters of `Base32`.
    package var description: String { Base32.encode(bytes) }

    /// Enough of the text to tell identifiers of one account apart in a log line or a table.
    package var short: String { String(description.prefix(7)) }

    /// The identifier that this text spells, or nothing; letters count in either case.
    package init?(text: some StringProtocol) {
        guard let bytes = Base32.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The identifier behind this one; the first one behind the last.
    package var next: Self {
        let (low, isOver) = low.addingReportingOverflow(1)
        return Self(high: isOver ? high &+ 1 : high, low: low)
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// The set of machines that trust each other: the first sixteen bytes of the SHA-256 of the root's public key.
package struct AccountIdentifier: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// One machine in an account: the first sixteen bytes of the SHA-256 of its public key.
package struct DeviceIdentifier: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// One opening of a device's journal.
///
/// It ends when the next begins, and is never used again. Its name says when it began, by the hybrid clock, and on
/// which device, so that a later life has the larger name, and a device knows its own; the rest is random.
package struct Life: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// A life that begins behind all times that were seen there.
    ///
    /// 48 bits of milliseconds, 32 of the device, 48 that were drawn.
    package init(after time: HybridTime, of device: DeviceIdentifier, random: UInt64) {
        let tag = UInt64(Self.tag(of: device))
        high = ((time.value >> 16) + 1) << 16 | tag >> 16
        low = tag << 48 | random & (1 << 48 - 1)
    }

    /// When it began; a life that begins after that has a larger name.
    package var birth: HybridTime {
        HybridTime(value: min((high >> 16) << 16, HybridTime.largest.value))
    }

    /// Whether a life of that name began on the device.
    package func isOf(_ device: DeviceIdentifier) -> Bool {
        deviceTag == Self.tag(of: device)
    }

    /// What all lives of a device have in common, and few others.
    package var deviceTag: UInt32 { UInt32(truncatingIfNeeded: high << 16 | low >> 48) }

    /// Whether both began on one device.
    package func isOfDevice(of other: Life) -> Bool {
        high & 0xffff == other.high & 0xffff && low >> 48 == other.low >> 48
    }

    /// What the lives of a device have in common.
    package static func tag(of device: DeviceIdentifier) -> UInt32 {
        UInt32(truncatingIfNeeded: device.high >> 32)
    }
}
