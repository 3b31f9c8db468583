/// The deterministic encoding of a floating-point number: the shortest form that keeps its value; there is one NaN.
///
/// The form is computed from the bits, because 16-bit numbers are converted by function calls on processors without an
/// instruction for it.
struct CBORReal: Equatable {
    /// The first byte, which determines how many bytes follow.
    let head: UInt8
    let bits: UInt64

    init(_ value: Double) {
        guard !value.isNaN else {
            (head, bits) = (0xf9, 0x7e00)
            return
        }
        // The bits that a 32-bit number can't hold, whatever the exponent.
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
    /// The number in 16 bits; nil if it does not fit.
    fileprivate var half: UInt32? {
        let sign = bitPattern >> 16 & 0x8000
        let fraction = bitPattern & 0x7f_ffff
        switch Int(bitPattern >> 23 & 0xff) - 127 {
        case 128: return sign | 0x7c00
        case let exponent where -14...15 ~= exponent:
            guard fraction & 0x1fff == 0 else { return nil }
            return sign | UInt32(exponent + 15) << 10 | fraction >> 13
        case let exponent where -24 ... -15 ~= exponent:
            // A subnormal number: the bit before the binary point is written explicitly.
            let (whole, shift) = (fraction | 0x80_0000, UInt32(-1 - exponent))
            guard whole & (1 << shift - 1) == 0 else { return nil }
            return sign | whole >> shift
        default: return bitPattern << 1 == 0 ? sign : nil
        }
    }
}
