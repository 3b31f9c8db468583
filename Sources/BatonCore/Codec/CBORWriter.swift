/// Writes deterministic CBOR (RFC 8949, section 4.2): shortest forms, definite lengths, sorted keys.
///
/// The order of map keys is the caller's duty where it writes a header itself; `map(_:)` asserts it.
package struct CBORWriter {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    package mutating func unsigned(_ value: UInt64) { head(.unsigned, value) }

    package mutating func integer(_ value: Int64) {
        if value >= 0 { head(.unsigned, UInt64(value)) } else { head(.negative, UInt64(bitPattern: ~value)) }
    }

    package mutating func data(_ value: some Collection<UInt8>) {
        head(.bytes, UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func identifier(_ value: some Identifier) { data(value.bytes) }

    package mutating func text(_ value: String) {
        var value = value
        value.withUTF8 { buffer in
            head(.text, UInt64(buffer.count))
            bytes.append(contentsOf: buffer)
        }
    }

    /// Writes text that is given as its UTF-8.
    package mutating func text(utf8 value: [UInt8]) {
        head(.text, UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func boolean(_ value: Bool) { bytes.append(value ? 0xf5 : 0xf4) }

    package mutating func null() { bytes.append(0xf6) }

    /// Writes a floating-point number in the shortest form that keeps its value; there is one NaN.
    package mutating func real(_ value: Double) {
        if value.isNaN {
            bytes.append(contentsOf: [0xf9, 0x7e, 0x00])
        } else if let half = Float16(exactly: value) {
            bytes.append(0xf9)
            bigEndian(UInt64(half.bitPattern), count: 2)
        } else if let single = Float(exactly: value) {
            bytes.append(0xfa)
            bigEndian(UInt64(single.bitPattern), count: 4)
        } else {
            bytes.append(0xfb)
            bigEndian(value.bitPattern, count: 8)
        }
    }

    package mutating func tag(_ number: UInt64) { head(.tag, number) }

    /// Begins an array; that many values must follow.
    package mutating func array(count: Int) { head(.array, UInt64(count)) }

    /// Begins a map; that many keys and values must follow, in the order of the encoded keys.
    package mutating func map(count: Int) { head(.map, UInt64(count)) }

    /// Writes one value that is encoded already.
    package mutating func encoded(_ value: some Collection<UInt8>) { bytes.append(contentsOf: value) }

    /// Writes a map with numbers as keys, whose fields the closure adds in ascending order.
    package mutating func map(_ add: (inout CBORFieldWriter) -> Void) {
        var fields = CBORFieldWriter()
        add(&fields)
        map(count: fields.count)
        bytes.append(contentsOf: fields.writer.bytes)
    }

    /// How many bytes the head of a value takes, for a length or a number.
    static func headCount(_ argument: UInt64) -> Int {
        switch argument {
        case 0..<24: 1
        case ...0xff: 2
        case ...0xffff: 3
        case ...0xffff_ffff: 5
        default: 9
        }
    }

    private mutating func head(_ type: CBORType, _ argument: UInt64) {
        let major = type.rawValue << 5
        switch argument {
        case 0..<24:
            bytes.append(major | UInt8(argument))
        case ...0xff:
            bytes.append(major | 24)
            bytes.append(UInt8(argument))
        case ...0xffff:
            bytes.append(major | 25)
            bigEndian(argument, count: 2)
        case ...0xffff_ffff:
            bytes.append(major | 26)
            bigEndian(argument, count: 4)
        default:
            bytes.append(major | 27)
            bigEndian(argument, count: 8)
        }
    }

    private mutating func bigEndian(_ value: UInt64, count: Int) {
        for place in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place)))
        }
    }
}

/// Collects the fields of a map with numbers as keys.
package struct CBORFieldWriter {
    fileprivate var writer = CBORWriter()
    fileprivate private(set) var count = 0
    private var last: UInt64?

    /// Adds a field whose value the closure writes.
    package mutating func field(_ number: UInt64, _ write: (inout CBORWriter) -> Void) {
        precondition(last.map { $0 < number } ?? true, "fields are written in ascending order")
        (last, count) = (number, count + 1)
        writer.unsigned(number)
        write(&writer)
    }

    /// Adds a field if there is a value for it.
    package mutating func field<Value>(
        _ number: UInt64, _ value: Value?, _ write: (inout CBORWriter, Value) -> Void
    ) {
        guard let value else { return }
        field(number) { write(&$0, value) }
    }
}

/// The major types of CBOR.
enum CBORType: UInt8 {
    case unsigned = 0
    case negative = 1
    case bytes = 2
    case text = 3
    case array = 4
    case map = 5
    case tag = 6
    case simple = 7
}
