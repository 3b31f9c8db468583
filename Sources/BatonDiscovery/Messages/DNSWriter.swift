/// Writes the parts of a DNS message, up to a largest length.
///
/// Names are compressed: if the message already has the last labels of a name, a pointer to these labels is written
/// instead of them.
struct DNSWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether names are compressed.
    var isCompressing = true
    /// Whether the names of hosts in SRV records are compressed.
    ///
    /// Ordinary DNS clients can't read them with compression.
    var isCompressingHosts = true
    /// The largest number of bytes of the message.
    private let limit: Int
    /// The offsets at which ends of names were written.
    ///
    /// The key is the bytes of the labels from there on, in lower case.
    private var places: [[UInt8]: Int] = [:]

    init(limit: Int) { self.limit = limit }

    /// Appends what the closure writes if the message does not become too long; returns whether it was appended.
    mutating func appendIfFits(_ write: (inout DNSWriter) -> Void) -> Bool {
        let (bytesBefore, placesBefore) = (bytes.count, places)
        write(&self)
        guard bytes.count > limit else { return true }
        bytes.removeSubrange(bytesBefore...)
        places = placesBefore
        return false
    }

    /// Overwrites two bytes with a big-endian number.
    mutating func overwrite(at place: Int, with value: UInt16) {
        bytes[place] = UInt8(truncatingIfNeeded: value >> 8)
        bytes[place + 1] = UInt8(truncatingIfNeeded: value)
    }

    mutating func append<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func append(_ name: DNSName) {
        var rest = name.bytes[...]
        while let count = rest.first {
            let folded = rest.map(DNSName.fold)
            if isCompressing, let place = places[folded] {
                return append(0xc000 | UInt16(place))
            }
            // A pointer has 14 bits, so it can't refer to a larger offset.
            if bytes.count < 0x4000 { places[folded] = bytes.count }
            bytes += rest.prefix(Int(count) + 1)
            rest = rest.dropFirst(Int(count) + 1)
        }
        bytes.append(0)
    }

    mutating func append(_ question: DNSQuestion) {
        append(question.name)
        append(question.kind.rawValue)
        append(1 | (question.wantsUnicast ? UInt16(0x8000) : 0))
    }

    mutating func append(_ record: DNSRecord) {
        append(record.name)
        append(record.kind.rawValue)
        append(1 | (record.isUnique ? UInt16(0x8000) : 0))
        append(record.timeToLive)
        let start = bytes.count
        append(UInt16(0))
        append(record.data)
        overwrite(at: start, with: UInt16(clamping: bytes.count - start - 2))
    }

    mutating func append(_ data: DNSRecord.Data) {
        switch data {
        case .address4(let value): append(value)
        case .address6(let high, let low):
            append(high)
            append(low)
        case .pointer(let name): append(name)
        case .service(let priority, let weight, let port, let host):
            append(priority)
            append(weight)
            append(port)
            let isCompressingElse = isCompressing
            isCompressing = isCompressing && isCompressingHosts
            append(host)
            isCompressing = isCompressingElse
        case .text(let strings):
            for string in strings {
                bytes.append(UInt8(clamping: string.count))
                bytes += string.prefix(255)
            }
        case .kinds(let next, let kinds):
            append(next)
            append(kinds)
        case .other(_, let data): bytes += data
        }
    }

    /// Appends the bitmap of an NSEC record.
    private mutating func append(_ kinds: [DNSKind]) {
        guard let last = kinds.map(\.rawValue).max(), last < 256 else { return }
        var bitmap = [UInt8](repeating: 0, count: Int(last / 8) + 1)
        for kind in kinds { bitmap[Int(kind.rawValue / 8)] |= 0x80 >> (kind.rawValue % 8) }
        bytes += [0, UInt8(bitmap.count)]
        bytes += bitmap
    }
}
