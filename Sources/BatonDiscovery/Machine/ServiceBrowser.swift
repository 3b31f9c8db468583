import BatonNetwork

/// Finds the services of other machines.
///
/// This is the querier of `MulticastDNS`.
struct ServiceBrowser: Sendable {
    /// The known records of a service of another machine.
    private struct Entry {
        let name: DNSName
        /// The first label of the service's name, as its announcer writes it.
        let label: String
        /// The machine that announced the service last.
        var source: SocketAddress.Host
        /// The PTR record that refers to the service.
        var pointer: Remembered<Void>
        /// The SRV record.
        var target: Remembered<Target>?
        /// The TXT record.
        var text: Remembered<ServiceEntries>?
        /// The instance as it was last reported to the driver; nil if the driver does not know of it.
        var told: MulticastDNS.Instance?
        /// The time at which to request missing records, and the number of requests so far.
        var question: MonotonicTime?
        var questionCount = 0
    }

    /// The host and port of a service.
    private struct Target: Hashable, Sendable {
        let host: DNSName
        let port: UInt16
    }

    /// A packet with questions.
    private struct Query {
        var writer: DNSMessageWriter
        private(set) var questions: Set<DNSQuestion> = []

        init(limit: Int) { writer = DNSMessageWriter(isResponse: false, limit: limit) }

        /// Adds questions about a name.
        ///
        /// Returns false if the packet has no room for all questions. They must then be asked in the next packet.
        mutating func add(_ name: DNSName, _ kinds: DNSKind...) -> Bool {
            for question in kinds.map({ DNSQuestion(name, $0) }) where !questions.contains(question) {
                guard writer.append(question) else { return false }
                questions.insert(question)
            }
            return true
        }
    }

    private let settings: MulticastDNS.Settings
    private let names: ServiceNames
    /// The number of the interface, for link-local addresses.
    private let interface: UInt32
    private var entries: [DNSName: Entry] = [:]
    /// The known addresses of each host that an SRV record of an entry names.
    ///
    /// A host without known addresses has an empty dictionary.
    private var hosts: [DNSName: [SocketAddress.Host: Remembered<Void>]] = [:]
    /// The names of this machine's own services, which are ignored.
    private var ignored: Set<DNSName> = []
    /// The time at which to ask for all services next; nil before the search begins.
    private var nextQuestion: MonotonicTime?
    /// The pause after the next question for all services.
    private var pause = Duration.seconds(1)
    /// The time when this machine last asked for all services.
    private var lastQuestion: MonotonicTime?
    /// Limits the packets that are sent.
    private var bucket: TokenBucket?
    /// The time at which packets may be sent again; nil while sending is allowed.
    private var blockedUntil: MonotonicTime?
    private var outputs: [MulticastDNS.Output] = []

    init(_ settings: MulticastDNS.Settings, interface: UInt32) {
        (self.settings, self.interface) = (settings, interface)
        names = ServiceNames(settings.service)
    }

    // MARK: Commands

    /// Asks for all services after a short delay, and then less and less often.
    mutating func search(now: MonotonicTime, using generator: inout some RandomNumberGenerator) {
        let delay = Duration.drawn(.milliseconds(20) ... .milliseconds(120), &generator)
        let first = max(now + delay, lastQuestion.map { $0 + .seconds(1) } ?? now)
        // The earlier of the two times is used. Otherwise, repeated calls would postpone the question again and again.
        nextQuestion = min(nextQuestion ?? first, first)
        pause = .seconds(1)
    }

    /// True once a search has begun.
    var isSearching: Bool { nextQuestion != nil }

    /// Ignores these services from now on, because they belong to this machine.
    mutating func ignore(_ instances: [DNSName]) {
        ignored = Set(instances)
        for name in instances { forget(name) }
        updateHosts()
    }

    // MARK: Packets

    /// Returns the number of records in a response that are about services of the wanted kind or about their hosts.
    func concernedCount(of message: DNSMessage) -> Int {
        guard isSearching else { return 0 }
        return (message.answers + message.additionals).prefix(Self.recordsMost).count { record in
            record.name == names.kind || entries[record.name] != nil || hosts[record.name] != nil
                || record.name.label(before: names.kind) != nil
        }
    }

    /// Stores the records of a response that are about services and their hosts.
    mutating func handleResponse(
        _ message: DNSMessage, from source: SocketAddress.Host, now: MonotonicTime,
        using generator: inout some RandomNumberGenerator
    ) {
        guard isSearching else { return }
        let records = (message.answers + message.additionals).prefix(Self.recordsMost)
        // The records of one packet are refreshed together, so they share one delay.
        let lateness = Double.random(in: 0...2, using: &generator)
        for record in records {
            guard case .pointer(let instance) = record.data, record.name == names.kind else { continue }
            recordInstance(instance, record, source, lateness, now, &generator)
        }
        makeRoom()
        var changed: Set<DNSName> = []
        for record in records where entries[record.name] != nil {
            recordAnswer(record, lateness, now)
            changed.insert(record.name)
        }
        updateHosts()
        var changedHosts: Set<DNSName> = []
        for record in records where hosts[record.name] != nil {
            guard let host = record.data.host(on: interface) else { continue }
            recordHost(host, record, lateness, now)
            changedHosts.insert(record.name)
        }
        tell(now) { entry in
            changed.contains(entry.name)
                || entry.target.map { changedHosts.contains($0.value.host) } == true
        }
        handleTime(now: now)
    }

    /// Stores a PTR record.
    private mutating func recordInstance(
        _ instance: DNSName, _ record: DNSRecord, _ source: SocketAddress.Host, _ lateness: Double,
        _ now: MonotonicTime, _ generator: inout some RandomNumberGenerator
    ) {
        guard !ignored.contains(instance), let bytes = instance.label(before: names.kind),
            let label = String(validating: bytes, as: UTF8.self)
        else { return }
        let life = timeToLive(of: record)
        guard life > .zero else {
            entries[instance]?.pointer.end(at: now + Self.goodbyeTime)
            return
        }
        let pointer = Remembered((), since: now, timeToLive: life, lateness: lateness)
        if entries[instance] != nil {
            entries[instance]?.pointer = pointer
            entries[instance]?.source = source
        } else {
            // The other records of the service are usually in the same packet, so the question waits for a moment.
            let question = now + Duration.drawn(.milliseconds(20) ... .milliseconds(120), &generator)
            entries[instance] = Entry(
                name: instance, label: label, source: source, pointer: pointer, question: question)
        }
    }

    /// Forgets services if there are too many.
    ///
    /// Each time, the machine with the most services loses the service that expires first.
    private mutating func makeRoom() {
        guard entries.count > settings.instancesMost else { return }
        var machines = Dictionary(grouping: entries.values, by: \.source).values.map { entries in
            entries.sorted { ($0.pointer.end, $0.label) > ($1.pointer.end, $1.label) }
        }
        for _ in settings.instancesMost..<entries.count {
            let most = machines.lazy.map(\.count).max()
            let candidates = machines.indices.filter { machines[$0].count == most }
            let victim = candidates.min { left, right in
                guard let left = machines[left].last, let right = machines[right].last else { return false }
                return (left.pointer.end, left.label) < (right.pointer.end, right.label)
            }
            if let victim { forget(machines[victim].removeLast().name) }
        }
    }

    /// Stores an SRV or TXT record of a known service.
    ///
    /// A withdrawal has an effect only if it withdraws the stored record.
    private mutating func recordAnswer(_ record: DNSRecord, _ lateness: Double, _ now: MonotonicTime) {
        let life = timeToLive(of: record)
        switch record.data {
        case .service(_, _, let port, let host):
            let target = Target(host: host, port: port)
            if life > .zero {
                entries[record.name]?.target = Remembered(
                    target, since: now, timeToLive: life, lateness: lateness)
            } else if entries[record.name]?.target?.value == target {
                entries[record.name]?.target?.end(at: now + Self.goodbyeTime)
            }
        case .text(let strings):
            guard strings.reduce(0, { $0 + $1.count + 1 }) <= settings.textBytesMost else { return }
            let text = ServiceEntries(strings: strings)
            if life > .zero {
                entries[record.name]?.text = Remembered(
                    text, since: now, timeToLive: life, lateness: lateness)
            } else if entries[record.name]?.text?.value == text {
                entries[record.name]?.text?.end(at: now + Self.goodbyeTime)
            }
        default: break
        }
    }

    /// Stores an address of a known host.
    private mutating func recordHost(
        _ host: SocketAddress.Host, _ record: DNSRecord, _ lateness: Double, _ now: MonotonicTime
    ) {
        var addresses = hosts[record.name] ?? [:]
        defer { hosts[record.name] = addresses }
        let life = timeToLive(of: record)
        guard life > .zero else {
            addresses[host]?.end(at: now + Self.goodbyeTime)
            return
        }
        if record.isUnique {
            // Records that arrived within a second belong together, so only older records expire.
            for (other, remembered) in addresses
            where other.isVersion4 == host.isVersion4 && remembered.since + Self.goodbyeTime <= now {
                addresses[other]?.end(at: now + Self.goodbyeTime)
            }
        }
        guard addresses[host] != nil || addresses.count < settings.addressesMost else { return }
        addresses[host] = Remembered((), since: now, timeToLive: life, lateness: lateness)
    }

    /// Returns the time for which a record is remembered.
    private func timeToLive(of record: DNSRecord) -> Duration {
        min(.seconds(Int64(record.timeToLive)), settings.rememberedMost)
    }

    // MARK: Time

    /// Forgets expired records, and asks the questions that are due.
    mutating func handleTime(now: MonotonicTime) {
        expire(now)
        if let blockedUntil, blockedUntil <= now { self.blockedUntil = nil }
        ask(now)
    }

    /// Forgets records that have expired.
    private mutating func expire(_ now: MonotonicTime) {
        var changedHosts: Set<DNSName> = []
        for (name, addresses) in hosts where addresses.values.contains(where: { $0.end <= now }) {
            hosts[name] = addresses.filter { $0.value.end > now }
            changedHosts.insert(name)
        }
        let ended = entries.values.filter { $0.pointer.end <= now }.sorted { $0.label < $1.label }
        for entry in ended { forget(entry.name) }
        tell(now) { entry in
            let isEnded =
                entry.target.map { $0.end <= now } == true || entry.text.map { $0.end <= now } == true
            return isEnded || entry.target.map { changedHosts.contains($0.value.host) } == true
        }
        if !ended.isEmpty { updateHosts() }
    }

    /// Asks the questions that are due, as far as the limit of packets allows.
    private mutating func ask(_ now: MonotonicTime) {
        while blockedUntil == nil, let due = questionDue, due <= now {
            var query = Query(limit: settings.packetBytes)
            askForAll(&query, now)
            let ordered = entries.values.sorted { $0.label < $1.label }
            askForMissing(of: ordered, &query, now)
            askAgain(for: ordered, &query, now)
            guard !query.questions.isEmpty else { return }
            send(query, now)
        }
    }

    /// Asks for all services if this question is due.
    private mutating func askForAll(_ query: inout Query, _ now: MonotonicTime) {
        guard let next = nextQuestion, next <= now, query.add(names.kind, .ptr) else { return }
        lastQuestion = now
        nextQuestion = now + pause
        pause = min(pause * settings.searchGrowth, Self.pauseMost)
    }

    /// Asks for the missing records of services.
    private mutating func askForMissing(of ordered: [Entry], _ query: inout Query, _ now: MonotonicTime) {
        for entry in ordered {
            guard let due = entry.question, due <= now else { continue }
            guard instance(entry) == nil, entry.questionCount < Self.questionsMost else {
                entries[entry.name]?.question = nil
                continue
            }
            if entry.target == nil { guard query.add(entry.name, .srv) else { return } }
            if entry.text == nil { guard query.add(entry.name, .txt) else { return } }
            if let host = entry.target?.value.host, hosts[host]?.isEmpty != false {
                guard query.add(host, .a, .aaaa) else { return }
            }
            entries[entry.name]?.question = now + .seconds(1 << entry.questionCount)
            entries[entry.name]?.questionCount += 1
        }
    }

    /// Asks whether records that are about to expire are still valid.
    private mutating func askAgain(for ordered: [Entry], _ query: inout Query, _ now: MonotonicTime) {
        for entry in ordered where entry.told != nil {
            let name = entry.name
            if let refresh = entry.pointer.refresh, refresh <= now {
                guard query.add(names.kind, .ptr) else { return }
                entries[name]?.pointer.noteRefresh(now)
            }
            if let refresh = entry.target?.refresh, refresh <= now {
                guard query.add(name, .srv) else { return }
                entries[name]?.target?.noteRefresh(now)
            }
            if let refresh = entry.text?.refresh, refresh <= now {
                guard query.add(name, .txt) else { return }
                entries[name]?.text?.noteRefresh(now)
            }
            guard let name = entry.target?.value.host, let addresses = hosts[name] else { continue }
            for (host, remembered) in addresses {
                guard let refresh = remembered.refresh, refresh <= now else { continue }
                guard query.add(name, host.isVersion4 ? .a : .aaaa) else { return }
                hosts[name]?[host]?.noteRefresh(now)
            }
        }
    }

    /// Sends questions, in several packets if needed.
    ///
    /// A question for all services is sent with the answers that this machine already knows.
    private mutating func send(_ query: Query, _ now: MonotonicTime) {
        var (writer, packetCount) = (query.writer, 1)
        if query.questions.contains(where: { $0.kind == .ptr }) {
            // A service with missing records is left out, so that its announcer sends all records again.
            let known = entries.values.filter { $0.told != nil && $0.pointer.isFresh(now) }
            for entry in known.sorted(by: { $0.label < $1.label }) {
                let seconds = UInt32(clamping: (entry.pointer.end - now).components.seconds)
                let record = DNSRecord(names.kind, .pointer(entry.name), timeToLive: seconds, isUnique: false)
                guard !writer.append(record, to: .answers) else { continue }
                writer.isTruncated = true
                outputs.append(.send(writer.bytes, to: .group))
                writer = DNSMessageWriter(isResponse: false, limit: settings.packetBytes)
                packetCount += 1
                _ = writer.append(record, to: .answers)
            }
        }
        outputs.append(.send(writer.bytes, to: .group))
        var bucket = bucket ?? TokenBucket(rate: 1, size: Self.packetsMost, now: now)
        bucket.fill(at: now)
        bucket.spend(Double(packetCount))
        // A microsecond is added, because the bucket counts fractions that may be rounded down.
        if bucket.spare < 1 { blockedUntil = now + bucket.time(until: 1) + .microseconds(1) }
        self.bucket = bucket
    }

    // MARK: Outputs

    /// Forgets the expired records of some services, and reports changes of these services to the driver.
    private mutating func tell(_ now: MonotonicTime, _ isConcerned: (Entry) -> Bool) {
        let concerned = entries.values.filter(isConcerned).sorted { $0.label < $1.label }
        for entry in concerned { tell(entry.name, now) }
        if concerned.contains(where: { $0.target.map { $0.end <= now } == true }) { updateHosts() }
    }

    /// Forgets the expired records of a service, and reports a change of the service to the driver.
    private mutating func tell(_ name: DNSName, _ now: MonotonicTime) {
        guard var entry = entries[name] else { return }
        defer { entries[name] = entry }
        if let target = entry.target, target.end <= now { entry.target = nil }
        if let text = entry.text, text.end <= now { entry.text = nil }
        let found = instance(entry)
        guard found != entry.told else { return }
        entry.told = found
        if let found {
            entry.question = nil
            entry.questionCount = 0
            outputs.append(.found(found))
        } else {
            // Another machine may still have the missing records, so this machine asks for them.
            entry.question = now + .seconds(1)
            outputs.append(.lost(entry.label))
        }
    }

    /// Forgets a service, and reports the loss if the driver knew of the service.
    private mutating func forget(_ name: DNSName) {
        guard let entry = entries.removeValue(forKey: name), entry.told != nil else { return }
        outputs.append(.lost(entry.label))
    }

    /// Forgets hosts that no service names anymore, and adds the hosts that services name now.
    private mutating func updateHosts() {
        let targets = Set(entries.values.compactMap(\.target?.value.host))
        hosts = hosts.filter { targets.contains($0.key) }
        for host in targets where hosts[host] == nil { hosts[host] = [:] }
    }

    /// Returns a service if all its records are known; returns nil otherwise.
    private func instance(_ entry: Entry) -> MulticastDNS.Instance? {
        guard let target = entry.target?.value, let text = entry.text?.value,
            let addresses = hosts[target.host]?.keys, !addresses.isEmpty, target.port != 0
        else { return nil }
        return MulticastDNS.Instance(
            name: entry.label, port: target.port, text: text,
            addresses: addresses.sorted {
                ($0.isVersion4 ? 0 : 1, $0.description) < ($1.isVersion4 ? 0 : 1, $1.description)
            })
    }

    /// Takes all outputs.
    mutating func takeOutputs() -> [MulticastDNS.Output] {
        defer { outputs = [] }
        return outputs
    }

    /// The services that the driver knows of.
    var found: [MulticastDNS.Instance] { entries.values.compactMap(\.told) }

    /// The time at which the next question is due or the next record expires.
    var deadline: MonotonicTime? {
        var ends = entries.values.flatMap {
            [$0.pointer.end, $0.target?.end, $0.text?.end].compactMap(\.self)
        }
        ends += hosts.values.flatMap(\.values).map(\.end)
        let question = questionDue.map { max($0, blockedUntil ?? $0) }
        return [ends.min(), question].compactMap(\.self).min()
    }

    /// The time at which the next question is due; nil if there is no next question.
    private var questionDue: MonotonicTime? {
        var due = nextQuestion
        func note(_ moment: MonotonicTime?) {
            guard let moment else { return }
            due = min(due ?? moment, moment)
        }
        for entry in entries.values {
            note(entry.question)
            guard entry.told != nil else { continue }
            note(entry.pointer.refresh)
            note(entry.target?.refresh)
            note(entry.text?.refresh)
            guard let host = entry.target?.value.host, let addresses = hosts[host] else { continue }
            for remembered in addresses.values { note(remembered.refresh) }
        }
        return due
    }

    // MARK: Limits

    /// The largest number of records of a packet that are read.
    private static let recordsMost = 256
    /// The time for which a withdrawn record is kept, because another machine may still announce it.
    private static let goodbyeTime = Duration.seconds(1)
    /// The largest number of requests for the missing records of a service.
    private static let questionsMost = 4
    /// The longest pause between two questions of a search.
    private static let pauseMost = Duration.seconds(3600)
    /// The number of packets that may be sent in a row.
    ///
    /// After these, one packet may be sent each second.
    private static let packetsMost = 8.0
}
