import BatonNetwork

/// The number of a kind of DNS record.
package struct DNSKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An IPv4 address.
    static let a = DNSKind(rawValue: 1)
    /// A reference to another name.
    static let ptr = DNSKind(rawValue: 12)
    /// A list of short strings.
    static let txt = DNSKind(rawValue: 16)
    /// An IPv6 address.
    static let aaaa = DNSKind(rawValue: 28)
    /// The host and the port of a service.
    static let srv = DNSKind(rawValue: 33)
    /// The list of all kinds of records that a name has, which denies that other kinds exist.
    static let nsec = DNSKind(rawValue: 47)
    /// All kinds, which is used only in questions.
    static let any = DNSKind(rawValue: 255)
}

/// A resource record of class IN.
package struct DNSRecord: Hashable, Sendable {
    /// The data of a record.
    package enum Data: Hashable, Sendable {
        /// An A record, which has an IPv4 address as one number.
        case address4(UInt32)
        /// An AAAA record, which has an IPv6 address as two numbers.
        case address6(high: UInt64, low: UInt64)
        /// A PTR record.
        case pointer(DNSName)
        /// An SRV record.
        case service(priority: UInt16, weight: UInt16, port: UInt16, host: DNSName)
        /// A TXT record, which has strings of at most 255 bytes each.
        case text([[UInt8]])
        /// An NSEC record, which has the name itself, and the kinds of records that the name has.
        ///
        /// Only kinds below 256 are listed, in ascending order.
        case kinds(next: DNSName, [DNSKind])
        /// A record of another kind, which has the bytes of its data.
        case other(DNSKind, [UInt8])
    }

    package let name: DNSName
    package let data: Data
    /// The number of seconds for which the record may be cached.
    ///
    /// Zero withdraws the record.
    package var timeToLive: UInt32
    /// The cache-flush bit of multicast DNS.
    ///
    /// It says that the sender has all records of this name and kind, so other such records in a cache are outdated.
    package var isUnique: Bool

    package init(_ name: DNSName, _ data: Data, timeToLive: UInt32, isUnique: Bool) {
        self.name = name
        self.data = data
        self.timeToLive = timeToLive
        self.isUnique = isUnique
    }

    /// The kind of the record.
    var kind: DNSKind { data.kind }

    /// The name and the data, by which a record is recognized whatever its time to live is.
    var identity: Identity { Identity(name: name, data: data) }

    /// The name and data of a record.
    struct Identity: Hashable, Sendable {
        let name: DNSName
        let data: Data
    }
}

extension DNSRecord.Data {
    /// The kind of a record with this data.
    var kind: DNSKind {
        switch self {
        case .address4: .a
        case .address6: .aaaa
        case .pointer: .ptr
        case .service: .srv
        case .text: .txt
        case .kinds: .nsec
        case .other(let kind, _): kind
        }
    }

    /// The bytes of the data without compression, by which the records of probes are compared.
    var uncompressed: [UInt8] {
        var writer = DNSWriter(limit: 1 << 16)
        writer.isCompressing = false
        writer.append(self)
        return writer.bytes
    }

    /// Returns the address in this data; nil if there is none.
    ///
    /// Only a link-local IPv6 address gets the number of the interface.
    func host(on interface: UInt32) -> SocketAddress.Host? {
        switch self {
        case .address4(let value): .version4(value)
        case .address6(let high, let low):
            .version6(high: high, low: low, interface: high >> 54 == 0xfe80 >> 6 ? interface : 0)
        default: nil
        }
    }

    /// Creates the data of the A or AAAA record of an address.
    init(_ host: SocketAddress.Host) {
        switch host {
        case .version4(let value): self = .address4(value)
        case .version6(let high, let low, _): self = .address6(high: high, low: low)
        }
    }
}

/// A question of class IN, or of any class.
package struct DNSQuestion: Hashable, Sendable {
    package let name: DNSName
    package let kind: DNSKind
    /// The QU bit of multicast DNS, which says that the asker accepts a unicast answer.
    package var wantsUnicast = false

    package init(_ name: DNSName, _ kind: DNSKind, wantsUnicast: Bool = false) {
        (self.name, self.kind, self.wantsUnicast) = (name, kind, wantsUnicast)
    }

    /// Returns whether a record answers the question.
    func isAnswered(by record: DNSRecord) -> Bool {
        (kind == record.kind || kind == .any) && name == record.name
    }
}
