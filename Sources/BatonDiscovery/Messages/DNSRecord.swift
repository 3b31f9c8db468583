import BatonNetwork

/// The number of a kind of DNS record.
package struct DNSKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An IPv4 address.
    static let a = DNSKind(rawValue: 1)
    /// Another name.
    static let ptr = DNSKind(rawValue: 12)
    /// Short texts.
    static let txt = DNSKind(rawValue: 16)
    /// An IPv6 address.
    static let aaaa = DNSKind(rawValue: 28)
    /// The host and port of a service.
    static let srv = DNSKind(rawValue: 33)
    /// The kinds of records that a name has, which denies all other kinds.
    static let nsec = DNSKind(rawValue: 47)
    /// Every kind; only in questions.
    static let any = DNSKind(rawValue: 255)
}

/// A resource record of class IN.
package struct DNSRecord: Hashable, Sendable {
    /// The data of a record.
    package enum Data: Hashable, Sendable {
        /// An A record: the four bytes of an IPv4 address, most significant first.
        case address4(UInt32)
        /// An AAAA record: the sixteen bytes of an IPv6 address as two numbers, most significant first.
        case address6(high: UInt64, low: UInt64)
        /// A PTR record.
        case pointer(DNSName)
        /// An SRV record.
        case service(priority: UInt16, weight: UInt16, port: UInt16, host: DNSName)
        /// A TXT record: its strings, of at most 255 bytes each.
        case text([[UInt8]])
        /// An NSEC record: the name itself, and the kinds below 256 that it has, in rising order.
        case kinds(next: DNSName, [DNSKind])
        /// A record of another kind, with its data as it was received.
        case other(DNSKind, [UInt8])
    }

    package let name: DNSName
    package let data: Data
    /// For how many seconds the record may be cached; zero withdraws it.
    package var timeToLive: UInt32
    /// True if the sender has all records of this name and kind, so that others in a cache are outdated: the
    /// cache-flush bit of multicast DNS.
    package var isUnique: Bool

    package init(_ name: DNSName, _ data: Data, timeToLive: UInt32, isUnique: Bool) {
        self.name = name
        self.data = data
        self.timeToLive = timeToLive
        self.isUnique = isUnique
    }

    /// The kind of the record.
    var kind: DNSKind { data.kind }

    /// The name and data; records with the same identity are the same, whatever their time to live.
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

    /// The data in a message without compression, by which probes are compared.
    var uncompressed: [UInt8] {
        var writer = DNSWriter(limit: 1 << 16)
        writer.isCompressing = false
        writer.append(self)
        return writer.bytes
    }

    /// The address in this data, if there is one; only a link-local address gets the interface.
    func host(on interface: UInt32) -> SocketAddress.Host? {
        switch self {
        case .address4(let value): .version4(value)
        case .address6(let high, let low):
            .version6(high: high, low: low, interface: high >> 54 == 0xfe80 >> 6 ? interface : 0)
        default: nil
        }
    }

    /// The data of an address record.
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
    /// True if a unicast answer to the asker is enough: the QU bit of multicast DNS.
    package var wantsUnicast = false

    package init(_ name: DNSName, _ kind: DNSKind, wantsUnicast: Bool = false) {
        (self.name, self.kind, self.wantsUnicast) = (name, kind, wantsUnicast)
    }

    /// Returns whether a record answers the question.
    func isAnswered(by record: DNSRecord) -> Bool {
        (kind == record.kind || kind == .any) && name == record.name
    }
}
