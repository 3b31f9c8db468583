/// A 16-byte name of one thing.
///
/// Names are ordered by their bytes.
///
/// Each kind of name is a type of its own, so that a device can't be confused with an account.
package protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first eight bytes, as a big-endian number.
    var high: UInt64 { get }
    /// The last eight bytes, as a big-endian number.
    var low: UInt64 { get }
    init(high: UInt64, low: UInt64)
}

extension Identifier {
    /// The number of bytes of an identifier, on the wire and on disk.
    package static var byteCount: Int { 16 }

    /// Returns a random identifier, which is unique if the generator is good.
    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(high: generator.next(), low: generator.next())
    }

    /// Creates an identifier from its bytes; nil if the number of bytes is not sixteen.
    ///
    /// The parameter is a slice of an array and not generic. Stores create many identifiers, and a generic function is
    /// not specialised for callers in other modules.
    package init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var (high, low) = (UInt64(0), UInt64(0))
        for place in bytes.startIndex..<bytes.startIndex + 8 {
            high = high << 8 | UInt64(bytes[place])
            low = low << 8 | UInt64(bytes[place + 8])
        }
        self.init(high: high, low: low)
    }

    /// Creates an identifier from its bytes; nil if the number of bytes is not sixteen.
    package init?(bytes: [UInt8]) { self.init(bytes: bytes[...]) }

    /// The sixteen bytes.
    package var bytes: [UInt8] {
        // An array initializer with a capacity would look up the type of the array's storage at run time.
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: Self.byteCount) { bytes in
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: high >> (56 - 8 * place))) }
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: low >> (56 - 8 * place))) }
        }
        return bytes
    }

    /// The identifier as text, which has 26 characters of `Base32`.
    package var description: String { Base32.text(ofHigh: high, low: low) }

    /// The first characters of the text.
    ///
    /// They are enough to distinguish the identifiers of one account in a log line or a table.
    package var short: String { String(description.prefix(7)) }

    /// Creates an identifier from its text, in upper or lower case; nil if the text is not an identifier.
    package init?(text: some StringProtocol) {
        guard let bytes = Base32.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The next identifier.
    ///
    /// After the last identifier comes the first one.
    package var next: Self {
        let (low, isOver) = low.addingReportingOverflow(1)
        return Self(high: isOver ? high &+ 1 : high, low: low)
    }

    /// Returns the range of identifiers whose text begins with a prefix; nil if there are none.
    package static func range(ofPrefix prefix: String) -> ClosedRange<Self>? {
        // The last character encodes the three remaining bits and two zeros.
        guard !prefix.isEmpty, prefix.utf8.count <= 26 else { return nil }
        let missing = 26 - prefix.utf8.count
        let ending = missing > 0 ? String(repeating: "z", count: missing - 1) + "w" : ""
        guard let first = Self(text: prefix + String(repeating: "0", count: missing)),
            let last = Self(text: prefix + ending), first.description.hasPrefix(prefix)
        else { return nil }
        return first...last
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// Names an account, which is a set of machines that trust each other.
///
/// It is the first sixteen bytes of the SHA-256 of the root's public key.
package struct AccountIdentifier: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// Names one machine of an account.
///
/// It is the first sixteen bytes of the SHA-256 of the machine's public key.
package struct DeviceIdentifier: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}
