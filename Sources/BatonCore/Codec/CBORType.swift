/// The major types of CBOR.
package enum CBORType: UInt8 {
    case unsigned = 0
    case negative = 1
    case bytes = 2
    case text = 3
    case array = 4
    case map = 5
    case tag = 6
    case simple = 7

    /// Creates the type of a value from the first byte of the value.
    @inline(__always)
    init(of head: UInt8) {
        switch head >> 5 {
        case 0: self = .unsigned
        case 1: self = .negative
        case 2: self = .bytes
        case 3: self = .text
        case 4: self = .array
        case 5: self = .map
        case 6: self = .tag
        default: self = .simple
        }
    }

    /// The type's bits in the first byte of a value.
    var head: UInt8 { rawValue << 5 }
}
