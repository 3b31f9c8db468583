package import BatonDiscovery
package import BatonNetwork
package import Support

/// Holds a machine of multicast DNS to the limits on what it sends.
package struct MulticastWatch: Sendable {
    private let settings: MulticastDNS.Settings
    /// When each record last went to the group.
    private var sent: [Record: MonotonicTime] = [:]
    /// The names for which another machine probed, and when it last did.
    private var probed: [DNSName: MonotonicTime] = [:]
    private var queries = LeakyBucket(rate: 1, size: 24)
    private var replies = LeakyBucket(rate: 10, size: 21)
    /// How many packets were sent.
    package private(set) var packetCount = 0

    /// A name and what is said of it.
    private struct Record: Hashable {
        let name: DNSName
        let data: DNSRecord.Data
    }

    package init(_ settings: MulticastDNS.Settings) { self.settings = settings }

    /// Notes a packet that the machine is about to get.
    package mutating func note(received packet: [UInt8], at now: MonotonicTime) {
        guard let message = try? DNSMessage(packet), !message.isResponse, !message.authorities.isEmpty else {
            return  // Only probes matter here, and no malformed packet is one.
        }
        for question in message.questions { probed[question.name] = now }
    }

    /// Judges a packet that the machine sends, and returns it as a message.
    @discardableResult
    package mutating func note(
        sent packet: [UInt8], to destination: MulticastDNS.Destination, at now: MonotonicTime
    ) throws(FuzzViolation) -> DNSMessage {
        packetCount += 1
        let message = try DNSMessage.reading(packet)
        try FuzzTarget.require(packet.count <= settings.packetBytes, "a packet of \(packet.count) bytes")
        guard destination == .group else {
            try FuzzTarget.require(message.isResponse, "a query to a single machine")
            try FuzzTarget.require(replies.add(at: now), "too many replies to single machines")
            return message
        }
        if message.isResponse {
            for record in message.answers + message.additionals where record.timeToLive > 0 {
                try judge(record, now)
            }
        } else if message.authorities.isEmpty {
            try FuzzTarget.require(queries.add(at: now), "too many queries")
        }
        return message
    }

    /// Judges a record of a response: a second must pass until it goes to the group again, or 250 ms if others probe for it.
    private mutating func judge(_ record: DNSRecord, _ now: MonotonicTime) throws(FuzzViolation) {
        let key = Record(name: record.name, data: record.data)
        defer { sent[key] = now }
        guard let last = sent[key] else { return }
        let isDefence = probed[record.name].map { last - $0 < .milliseconds(250) && $0 <= now } ?? false
        let pause = Duration.milliseconds(isDefence ? 250 : 1000)
        try FuzzTarget.require(
            now - last >= pause, "\(record.name) was sent again after \(now - last): \(record.data)")
    }
}

/// Counts events, of which so many may come in a second, and so many at once.
private struct LeakyBucket: Sendable {
    let rate: Double
    let size: Double
    private var level = 0.0
    private var last: MonotonicTime?

    init(rate: Double, size: Double) { (self.rate, self.size) = (rate, size) }

    /// Counts an event; returns false if it is one too many.
    mutating func add(at now: MonotonicTime) -> Bool {
        if let last { level = max(0, level - rate * ((now - last) / .seconds(1))) }
        last = now
        level += 1
        return level <= size
    }
}

/// Counts what a value holds: numbers, bytes of texts and elements of collections, however deep.
package func countHeld(by value: Any) -> Int {
    if let text = value as? String { return text.utf8.count + 1 }
    if let bytes = value as? [UInt8] { return bytes.count + 1 }
    let children = Mirror(reflecting: value).children
    return 1 + children.reduce(0) { $0 + countHeld(by: $1.value) }
}
