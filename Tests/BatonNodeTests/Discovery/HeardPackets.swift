import BatonDiscovery
import BatonNetwork

/// Collects what a stranger learns from the packets of one machine on its networks.
///
/// Packets are reduced to what is said of each instance of a service, and to their form: everything but the values that
/// are drawn at random.
struct HeardPackets {
    /// Everything that was said of one instance.
    struct Heard {
        let network: UInt32
        /// The names and the values of the text, but for what all machines have.
        var values: Set<String>
        /// When the first and the last packet about it came.
        var first: MonotonicTime, last: MonotonicTime
    }

    /// Everything that was said of each instance, by its name.
    private(set) var instances: [String: Heard] = [:]
    /// The instances that stood in one packet, for each packet with an instance.
    private(set) var groups: [Set<String>] = []
    /// The forms of all packets about a single instance.
    private(set) var forms: Set<String> = []
    /// The bytes of all packets.
    private(set) var bytes: [[UInt8]] = []
    /// The instance that each host belongs to.
    private var hosts: [DNSName: String] = [:]

    /// The names that every machine has.
    private static let common: Set<String> = [
        "_baton._tcp.local", "_services._dns-sd._udp.local",
    ]

    /// Takes a packet that came on a network.
    mutating func take(_ packet: [UInt8], on network: UInt32, at time: MonotonicTime) throws {
        let message = try DNSMessage(packet)
        bytes.append(packet)
        var found: Set<String> = []
        for record in message.records {
            if case .service(_, _, _, let host) = record.data {
                hosts[host] = Self.instance(record.name)
            }
        }
        var form = ["\(message.isResponse) \(message.isTruncated) \(message.identifier)"]
        for question in message.questions {
            form.append("? \(part(of: question.name)) \(question.kind.rawValue) \(question.wantsUnicast)")
            if let instance = instance(of: question.name) { found.insert(instance) }
        }
        for (section, records) in [message.answers, message.authorities, message.additionals].enumerated() {
            for record in records {
                let (data, values) = describe(record.data)
                form.append(
                    "\(section) \(part(of: record.name)) \(data) \(record.timeToLive) \(record.isUnique)")
                let instance =
                    if case .pointer(let name) = record.data {
                        self.instance(of: name)
                    } else { self.instance(of: record.name) }
                guard let instance else { continue }
                found.insert(instance)
                // The name itself and the address of its packets are known of every instance.
                let all = values.union([record.name.description].filter { !Self.common.contains($0) })
                instances[instance, default: Heard(network: network, values: [], first: time, last: time)]
                    .values.formUnion(all)
                instances[instance]?.last = time
            }
        }
        guard !found.isEmpty else { return }
        groups.append(found)
        if found.count == 1 { forms.insert(form.joined(separator: "; ")) }
    }

    /// The first label of an instance's name; nil for other names.
    private static func instance(_ name: DNSName) -> String? {
        let labels = name.description.split(separator: ".")
        return labels.count == 4 && labels.dropFirst() == ["_baton", "_tcp", "local"]
            ? String(labels[0]) : nil
    }

    private func instance(of name: DNSName) -> String? { Self.instance(name) ?? hosts[name] }

    /// The name without what is drawn at random.
    private func part(of name: DNSName) -> String {
        if Self.common.contains(name.description) { return name.description }
        if Self.instance(name) != nil { return "INSTANCE(\(name.description.utf8.count))" }
        return hosts[name] == nil ? "OTHER(\(name))" : "HOST(\(name.description.utf8.count))"
    }

    /// The form of a record's data, and its values.
    private func describe(_ data: DNSRecord.Data) -> (form: String, values: Set<String>) {
        switch data {
        case .address4, .address6: ("ADDRESS", [])
        case .pointer(let name):
            (
                "PTR \(part(of: name))",
                Self.common.contains(name.description) ? [] : [name.description]
            )
        case .service(let priority, let weight, let port, let host):
            ("SRV \(priority) \(weight) \(port) \(part(of: host))", [host.description])
        case .text(let strings):
            (
                "TXT "
                    + strings.map { "\(String(decoding: $0.prefix(2), as: UTF8.self))\($0.count)" }
                    .joined(separator: " "),
                Set(strings.map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "v=1" })
            )
        case .kinds(let name, let kinds): ("NSEC \(part(of: name)) \(kinds.map(\.rawValue))", [])
        case .other(let kind, let bytes): ("OTHER \(kind.rawValue) \(bytes.count)", ["\(bytes)"])
        }
    }
}
