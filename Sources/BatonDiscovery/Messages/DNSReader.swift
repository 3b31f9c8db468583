/// Reads the parts of a DNS message in their order.
struct DNSReader {
    private let bytes: [UInt8]
    /// The offset of the next byte.
    private var place = 0
    /// The number of bytes that all names so far have without compression.
    private var nameBytes = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    /// Reads a big-endian number.
    mutating func number<Value: FixedWidthInteger & UnsignedInteger>() throws(DNSError) -> Value {
        var value: Value = 0
        for byte in try take(Value.bitWidth / 8) { value = value << 8 | Value(truncatingIfNeeded: byte) }
        return value
    }

    /// Reads a question; returns nil if the question is about another class than IN.
    mutating func question() throws(DNSError) -> DNSQuestion? {
        let (name, kind): (DNSName, UInt16) = (try name(), try number())
        let group: UInt16 = try number()
        guard [Self.classIN, Self.classAny].contains(group & 0x7fff) else { return nil }
        return DNSQuestion(name, DNSKind(rawValue: kind), wantsUnicast: group & 0x8000 != 0)
    }

    /// Reads a record; returns nil if the record has another class than IN.
    mutating func record() throws(DNSError) -> DNSRecord? {
        let (name, kind): (DNSName, UInt16) = (try name(), try number())
        let (group, timeToLive): (UInt16, UInt32) = (try number(), try number())
        let length: UInt16 = try number()
        let end = place + Int(length)
        guard end <= bytes.count else { throw .cutOff }
        guard group & 0x7fff == Self.classIN else {
            place = end
            return nil
        }
        let data = try data(of: DNSKind(rawValue: kind), end: end)
        guard place == end else { throw .malformedData }
        return DNSRecord(name, data, timeToLive: timeToLive, isUnique: group & 0x8000 != 0)
    }

    private static let classIN: UInt16 = 1
    private static let classAny: UInt16 = 255

    /// Reads the data of a record.
    ///
    /// The data ends at the offset `end`.
    private mutating func data(of kind: DNSKind, end: Int) throws(DNSError) -> DNSRecord.Data {
        switch kind {
        case .a: return .address4(try number())
        case .aaaa: return .address6(high: try number(), low: try number())
        case .ptr: return .pointer(try name())
        case .srv:
            return .service(
                priority: try number(), weight: try number(), port: try number(), host: try name())
        case .txt:
            var strings: [[UInt8]] = []
            while place < end {
                let count: UInt8 = try number()
                guard place + Int(count) <= end else { throw .malformedData }
                strings.append(Array(try take(Int(count))))
            }
            // A TXT record without strings is read as a record with one empty string.
            return .text(strings.isEmpty ? [[]] : strings)
        case .nsec: return .kinds(next: try name(), try kinds(end: end))
        default:
            guard place <= end else { throw .malformedData }
            return .other(kind, Array(try take(end - place)))
        }
    }

    /// Reads the bitmap of an NSEC record.
    ///
    /// The bitmap consists of windows of 256 kinds each. Only the kinds in the first window are returned.
    private mutating func kinds(end: Int) throws(DNSError) -> [DNSKind] {
        var kinds: [DNSKind] = []
        var next: UInt8 = 0
        while place < end {
            let (window, count): (UInt8, UInt8) = (try number(), try number())
            guard window >= next, (1...32).contains(count), place + Int(count) <= end else {
                throw .malformedData
            }
            let bits = try take(Int(count))
            if window == 0 {
                for (place, byte) in bits.enumerated() {
                    for bit in 0..<8 where byte & 0x80 >> bit != 0 {
                        kinds.append(DNSKind(rawValue: UInt16(place * 8 + bit)))
                    }
                }
            }
            guard window < 255 else { break }
            next = window + 1
        }
        return kinds
    }

    /// Reads a name, which may continue at an earlier place in the message.
    ///
    /// A pointer must refer to a place before the part of the name in which it is, so reading always ends. A pointer of
    /// two bytes may refer to a long name or to a long chain of pointers. So there are limits for the number of
    /// pointers and for the length of all names.
    private mutating func name() throws(DNSError) -> DNSName {
        var name: [UInt8] = []
        var (start, position) = (place, place)
        /// The offset after the name; nil until the first pointer of the name was read.
        var end: Int?
        var pointerCount = 0
        while true {
            guard position < bytes.count else { throw .cutOff }
            let length = Int(bytes[position])
            switch length >> 6 {
            case 0b00:
                guard length > 0 else {
                    place = end ?? position + 1
                    nameBytes += name.count
                    guard nameBytes <= Self.nameBytesMost else { throw .tooLong }
                    return DNSName(checked: name)
                }
                guard position + length < bytes.count else { throw .cutOff }
                guard name.count + length + 2 <= DNSName.bytesMost else { throw .malformedName }
                name += bytes[position...(position + length)]
                position += length + 1
            case 0b11:
                guard position + 1 < bytes.count else { throw .cutOff }
                let target = (length & 0x3f) << 8 | Int(bytes[position + 1])
                guard target < start else { throw .pointerForward }
                pointerCount += 1
                guard pointerCount <= Self.pointersMost else { throw .malformedName }
                end = end ?? position + 2
                (start, position) = (target, target)
            default: throw .malformedName
            }
        }
    }

    /// The largest number of pointers in a name.
    ///
    /// A name that was written properly has at most one pointer for each label.
    private static let pointersMost = 128
    /// The largest number of bytes that all names of a message have without compression.
    ///
    /// This is more than the names of any useful message have.
    private static let nameBytesMost = 1 << 16

    /// Reads the next bytes.
    private mutating func take(_ count: Int) throws(DNSError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - place else { throw .cutOff }
        defer { place += count }
        return bytes[place..<place + count]
    }
}
