/// Encodes bytes as text that a person can read aloud and type.
///
/// The text contains no `i`, `l`, `o` or `u`.
///
/// The alphabet is Crockford's, in lower case. When a text is decoded, `i` and `l` count as `1`, and `o` counts as `0`.
package enum Base32 {
    private static let alphabet: [UInt8] = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Returns the text of these bytes.
    ///
    /// If bits remain at the end, the last character encodes them.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((8 * bytes.underestimatedCount + 4) / 5)
        var (pending, bits) = (UInt32(0), 0)
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(pending >> bits & 31)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(pending << (5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the text of sixteen bytes, which are given as two big-endian numbers.
    static func text(ofHigh high: UInt64, low: UInt64) -> String {
        var rest = UInt128(high) << 64 | UInt128(low)
        var text: [UInt8] = []
        text.append(addingCapacity: 26) { text in
            for _ in 0..<26 {
                text.append(alphabet[Int(truncatingIfNeeded: rest >> 123)])
                rest <<= 5
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of this text; nil if a character is not in the alphabet, or if the remaining bits are not
    /// zero.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (pending, bits) = (UInt32(0), 0)
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            pending = pending << 5 | value
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        guard bits < 5, pending & (1 << bits - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character | 0x20 {
        case UInt8(ascii: "o"): return 0
        case UInt8(ascii: "i"), UInt8(ascii: "l"): return 1
        case let lowercase:
            // `| 0x20` makes a letter lower case, and does not change a digit.
            guard character >= UInt8(ascii: "0") else { return nil }
            return alphabet.firstIndex(of: lowercase).map(UInt32.init)
        }
    }
}
