extension Collection<UInt8> {
    /// Two characters for each byte.
    package var hex: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

extension [UInt8] {
    /// Creates the bytes that hexadecimal text spells; spaces are ignored.
    package init(hex: String) {
        let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
        precondition(digits.count % 2 == 0, "two digits spell a byte")
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
