/// The deterministic encoding of a floating-point number, which is the shortest form that keeps its value.
///
/// All NaNs have the same encoding.
///
/// The form is computed from the bits of the number. On processors without an instruction for 16-bit numbers,
/// converting them would take function calls.
struct CBORReal: Equatable {
    /// The first byte, which determines the number of bytes that follow.
    let head: UInt8
    let bits: UInt64

    init(_ value: Double) {
        guard !value.isNaN else {
            (head, bits) = (0xf9, 0x7e00)
            return
        }
        // The mask covers the low 29 bits of the fraction. A 32-bit number can't hold them, whatever its exponent is.
        let single = Float(value)
        guard value.bitPattern & 0x1fff_ffff == 0, Double(single) == value else {
            (head, bits) = (0xfb, value.bitPattern)
            return
        }
        if let half = single.half {
            (head, bits) = (0xf9, UInt64(half))
        } else {
            (head, bits) = (0xfa, UInt64(single.bitPattern))
        }
    }
}

extension CBORReal {
    /// The length of the encoding in bytes.
    var encodedCount: Int { 1 + 1 << Int(head & 7) }
}

extension Float {
    /// The bits of the same number in 16 bits; nil if 16 bits can't hold its exact value.
    fileprivate var half: UInt32? {
        let sign = bitPattern >> 16 & 0x8000
        let fraction = bitPattern & 0x7f_ffff
        switch Int(bitPattern >> 23 & 0xff) - 127 {
        case 128: return sign | 0x7c00
        case let exponent where -14...15 ~= exponent:
            guard fraction & 0x1fff == 0 else { return nil }
            return sign | UInt32(exponent + 15) << 10 | fraction >> 13
        case let exponent where -24 ... -15 ~= exponent:
            // The result is a subnormal number, in which the bit before the binary point is written explicitly.
            let (whole, shift) = (fraction | 0x80_0000, UInt32(-1 - exponent))
            guard whole & (1 << shift - 1) == 0 else { return nil }
            return sign | whole >> shift
        default: return bitPattern << 1 == 0 ? sign : nil
        }
    }
}
