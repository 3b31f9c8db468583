/// The one way in which a floating-point number is encoded: the shortest that keeps its value; there is one NaN.
///
/// Found by looking at the bits, because numbers of 16 bits are converted by calls where the processor has no
/// instruction for it.
struct CBORReal: Equatable {
    /// The first byte, which says how many follow.
    let head: UInt8
    let bits: UInt64

    init(_ value: Double) {
        guard !value.isNaN else {
            (head, bits) = (0xf9, 0x7e00)
            return
        }
        // Bits that 32-bit numbers have no room for, whatever the exponent.
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

extension Float {
    /// The same number in 16 bits, if they have room for it.
    fileprivate var half: UInt32? {
        let sign = bitPattern >> 16 & 0x8000
        let fraction = bitPattern & 0x7f_ffff
        switch Int(bitPattern >> 23 & 0xff) - 127 {
        case 128: return sign | 0x7c00
        case let exponent where -14...15 ~= exponent:
            guard fraction & 0x1fff == 0 else { return nil }
            return sign | UInt32(exponent + 15) << 10 | fraction >> 13
        case let exponent where -24 ... -15 ~= exponent:
            // Too small for an exponent: the bit before the point is written out.
            let (whole, shift) = (fraction | 0x80_0000, UInt32(-1 - exponent))
            guard whole & (1 << shift - 1) == 0 else { return nil }
            return sign | whole >> shift
        default: return bitPattern << 1 == 0 ? sign : nil
        }
    }
}
