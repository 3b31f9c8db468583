/// Writes deterministic CBOR (RFC 8949, section 4.2), with shortest forms, definite lengths and sorted keys.
///
/// A caller that writes the head of a map itself must also sort the keys. `map(_:)` checks their order.
package struct CBORWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer with room for a short value.
    package init() { self.init(reserving: 96) }

    package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    package mutating func unsigned(_ value: UInt64) { head(.unsigned, value) }

    package mutating func integer(_ value: Int64) {
        if value >= 0 { head(.unsigned, UInt64(value)) } else { head(.negative, UInt64(bitPattern: ~value)) }
    }

    package mutating func data(_ value: some Collection<UInt8>) {
        head(.bytes, UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func identifier(_ value: some Identifier) {
        bytes.append(addingCapacity: 17) { output in
            output.append(CBORType.bytes.head | 16)
            output.append(value.high, last: 8)
            output.append(value.low, last: 8)
        }
    }

    package mutating func text(_ value: String) {
        let isWritten: Void? = value.utf8.withContiguousStorageIfAvailable { text(utf8: $0) }
        if isWritten == nil { text(utf8: Array(value.utf8)) }
    }

    /// Writes text that is given as UTF-8 bytes.
    package mutating func text(utf8 value: some Collection<UInt8>) {
        head(.text, UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func boolean(_ value: Bool) { bytes.append(value ? 0xf5 : 0xf4) }

    package mutating func null() { bytes.append(0xf6) }

    /// Writes a floating-point number in the shortest form that keeps its value; all NaNs have the same form.
    package mutating func real(_ value: Double) {
        let real = CBORReal(value)
        bytes.append(addingCapacity: 9) { output in
            output.append(real.head)
            output.append(real.bits, last: 1 << (real.head & 7))
        }
    }

    package mutating func tag(_ number: UInt64) { head(.tag, number) }

    /// Begins an array; exactly `count` values must follow.
    package mutating func array(count: Int) { head(.array, UInt64(count)) }

    /// Begins a map; exactly `count` keys and values must follow, in the order of the encoded keys.
    package mutating func map(count: Int) { head(.map, UInt64(count)) }

    /// Writes a value that is already encoded.
    package mutating func encoded(_ value: some Collection<UInt8>) { bytes.append(contentsOf: value) }

    /// Writes a map whose keys are numbers; the closure adds the fields in ascending order.
    package mutating func map(_ add: (inout CBORFieldWriter) -> Void) {
        let start = bytes.count
        // The number of fields is known only after they are written. A head for up to 23 fields takes one byte, so a
        // head with the number 0 is written first and corrected later.
        map(count: 0)
        var fields = CBORFieldWriter(CBORWriter(reserving: 0))
        swap(&fields.writer, &self)
        add(&fields)
        swap(&fields.writer, &self)
        guard fields.count < 24 else {
            var head = CBORWriter()
            head.map(count: fields.count)
            bytes.replaceSubrange(start...start, with: head.bytes)
            return
        }
        bytes[start] |= UInt8(fields.count)
    }

    /// Returns the number of bytes in the head of a value; `argument` is its length, its count or the number itself.
    static func headCount(_ argument: UInt64) -> Int {
        switch argument {
        case 0..<24: 1
        case ...0xff: 2
        case ...0xffff: 3
        case ...0xffff_ffff: 5
        default: 9
        }
    }

    /// Returns the number of bytes that encode text or data of `count` bytes.
    static func count(ofBytes count: Int) -> Int { headCount(UInt64(count)) + count }

    private mutating func head(_ type: CBORType, _ argument: UInt64) {
        guard argument >= 24 else {
            bytes.append(type.head | UInt8(truncatingIfNeeded: argument))
            return
        }
        longHead(type, argument)
    }

    private mutating func longHead(_ type: CBORType, _ argument: UInt64) {
        let (length, count): (UInt8, Int) =
            switch argument {
            case ...0xff: (24, 1)
            case ...0xffff: (25, 2)
            case ...0xffff_ffff: (26, 4)
            default: (27, 8)
            }
        bytes.append(addingCapacity: 9) { output in
            output.append(type.head | length)
            output.append(argument, last: count)
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends the low `count` bytes of a number, most significant byte first.
    @inline(__always)
    package mutating func append(_ number: UInt64, last count: Int) {
        for place in 1...count {
            append(UInt8(truncatingIfNeeded: number &>> UInt64(truncatingIfNeeded: 8 &* (count &- place))))
        }
    }
}
