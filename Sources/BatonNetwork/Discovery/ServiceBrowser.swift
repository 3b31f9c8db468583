/// Finds the services of other machines: the half of `MulticastDNS` that is a querier.
struct ServiceBrowser: Sendable {
    /// A service of another machine, as far as it is known.
    private struct Entry {
        /// The first label of its name, as its announcer writes it.
        let label: String
        /// The machine that announced it last.
        var source: SocketAddress.Host
        /// The PTR record that leads to it.
        var pointer: Remembered<Void>
        /// The SRV record.
        var target: Remembered<Target>?
        /// The TXT record.
        var text: Remembered<ServiceEntries>?
        /// The instance as the driver was last told of it.
        var told: MulticastDNS.Instance?
        /// When to ask for what is missing, and how often that was done.
        var question: MonotonicTime?
        var questionCount = 0
    }

    /// The host and port of a service.
    private struct Target: Hashable, Sendable {
        let host: DNSName
        let port: UInt16
    }

    /// The questions to ask.
    private struct Wanted {
        var questions: [DNSQuestion] = []

        mutating func add(_ name: DNSName, _ kind: DNSKind) {
            let question = DNSQuestion(name, kind)
            if !questions.contains(question) { questions.append(question) }
        }
    }

    private let settings: MulticastDNS.Settings
    private let names: ServiceNames
    /// The number of the interface, for link-local addresses.
    private let interface: UInt32
    private var entries: [DNSName: Entry] = [:]
    /// The addresses of the hosts of all entries.
    private var hosts: [DNSName: [SocketAddress.Host: Remembered<Void>]] = [:]
    /// The services of this machine.
    private var ignored: Set<DNSName> = []
    /// When to ask for all services next; nil before the search begins.
    private var nextQuestion: MonotonicTime?
    /// How long to wait after that.
    private var pause = Duration.seconds(1)
    /// When this machine last asked for all services.
    private var lastQuestion: MonotonicTime?
    /// When another machine last asked the same, so that its answers are heard here too.
    private var heardQuestion: MonotonicTime?
    private var queryLimit: RateLimit?
    /// When queries may be sent again; nil while they may.
    private var blockedUntil: MonotonicTime?
    private var outputs: [MulticastDNS.Output] = []

    init(_ settings: MulticastDNS.Settings, interface: UInt32) {
        (self.settings, self.interface) = (settings, interface)
        names = ServiceNames(settings.service)
    }

    // MARK: Commands

    /// Asks for all services in a moment, and then less and less often.
    mutating func search(now: MonotonicTime, using generator: inout some RandomNumberGenerator) {
        let delay = Duration.drawn(.milliseconds(20) ... .milliseconds(120), &generator)
        nextQuestion = max(now + delay, lastQuestion.map { $0 + .seconds(1) } ?? now)
        pause = .seconds(1)
    }

    /// Leaves out services of this machine.
    mutating func ignore(_ instances: [DNSName]) {
        ignored = Set(instances)
        for name in instances where entries[name] != nil { forget(name) }
    }

    // MARK: Packets

    /// Takes what a response says of services and their hosts.
    mutating func handleResponse(
        _ message: DNSMessage, from source: SocketAddress.Host, now: MonotonicTime,
        using generator: inout some RandomNumberGenerator
    ) {
        guard nextQuestion != nil else { return }
        let records = message.answers + message.additionals
        var changed: Set<DNSName> = []
        for record in records.prefix(Self.recordsMost) {
            switch record.data {
            case .pointer(let instance) where record.name == names.kind:
                if note(instance, record, source, now, &generator) { changed.insert(instance) }
            case .service, .text:
                guard entries[record.name] != nil else { continue }
                note(record, now, &generator)
                changed.insert(record.name)
            default: break
            }
        }
        let targets = Set(entries.values.compactMap(\.target?.value.host))
        hosts = hosts.filter { targets.contains($0.key) }
        var changedHosts: Set<DNSName> = []
        for record in records.prefix(Self.recordsMost) where targets.contains(record.name) {
            guard let host = record.data.host(on: interface) else { continue }
            note(host, record, now, &generator)
            changedHosts.insert(record.name)
        }
        for (name, entry) in entries {
            if changed.contains(name) || entry.target.map({ changedHosts.contains($0.value.host) }) == true {
                tell(name, now)
            }
        }
        handleTime(now: now)
    }

    /// Notes a PTR record; returns whether its service is remembered.
    private mutating func note(
        _ instance: DNSName, _ record: DNSRecord, _ source: SocketAddress.Host, _ now: MonotonicTime,
        _ generator: inout some RandomNumberGenerator
    ) -> Bool {
        guard !ignored.contains(instance), let bytes = instance.label(before: names.kind),
            let label = String(validating: bytes, as: UTF8.self)
        else { return false }
        let life = timeToLive(of: record)
        guard life > .zero else {
            entries[instance]?.pointer.end(at: now + Self.goodbyeTime)
            return entries[instance] != nil
        }
        let pointer = Remembered((), since: now, timeToLive: life, using: &generator)
        if entries[instance] != nil {
            entries[instance]?.pointer = pointer
            entries[instance]?.source = source
        } else {
            // The records that belong to it usually stand in the same packet.
            let question = now + Duration.drawn(.milliseconds(20) ... .milliseconds(120), &generator)
            entries[instance] = Entry(label: label, source: source, pointer: pointer, question: question)
            makeRoom()
        }
        return entries[instance] != nil
    }

    /// Drops a service if there are too many: of the machine with the most services, the one that ends first.
    private mutating func makeRoom() {
        guard entries.count > settings.instancesMost else { return }
        var counts: [SocketAddress.Host: Int] = [:]
        for entry in entries.values { counts[entry.source, default: 0] += 1 }
        let most = counts.values.max()
        let victim = entries.filter { counts[$0.value.source] == most }
            .min { ($0.value.pointer.end, $0.value.label) < ($1.value.pointer.end, $1.value.label) }
        if let victim { forget(victim.key) }
    }

    /// Notes an SRV or TXT record of a service that is remembered.
    private mutating func note(
        _ record: DNSRecord, _ now: MonotonicTime, _ generator: inout some RandomNumberGenerator
    ) {
        let life = timeToLive(of: record)
        switch record.data {
        case .service(_, _, let port, let host):
            guard life > .zero else {
                entries[record.name]?.target?.end(at: now + Self.goodbyeTime)
                return
            }
            let target = Target(host: host, port: port)
            entries[record.name]?.target = Remembered(target, since: now, timeToLive: life, using: &generator)
        case .text(let strings):
            guard life > .zero else {
                entries[record.name]?.text?.end(at: now + Self.goodbyeTime)
                return
            }
            guard strings.reduce(0, { $0 + $1.count + 1 }) <= settings.textBytesMost else { return }
            entries[record.name]?.text = Remembered(
                ServiceEntries(strings: strings), since: now, timeToLive: life, using: &generator)
        default: break
        }
    }

    /// Notes an address of a host that is remembered.
    private mutating func note(
        _ host: SocketAddress.Host, _ record: DNSRecord, _ now: MonotonicTime,
        _ generator: inout some RandomNumberGenerator
    ) {
        var addresses = hosts[record.name] ?? [:]
        defer { hosts[record.name] = addresses }
        let life = timeToLive(of: record)
        guard life > .zero else {
            addresses[host]?.end(at: now + Self.goodbyeTime)
            return
        }
        if record.isUnique {
            // Records that came in the same moment belong together.
            for (other, remembered) in addresses
            where other.isVersion4 == host.isVersion4 && remembered.since + Self.goodbyeTime <= now {
                addresses[other]?.end(at: now + Self.goodbyeTime)
            }
        }
        guard addresses[host] != nil || addresses.count < settings.addressesMost else { return }
        addresses[host] = Remembered((), since: now, timeToLive: life, using: &generator)
    }

    /// For how long a record is remembered.
    private func timeToLive(of record: DNSRecord) -> Duration {
        min(.seconds(Int64(record.timeToLive)), settings.rememberedMost)
    }

    /// Notes that another machine asks for all services, unless it leaves out answers that this one needs.
    mutating func handleQuery(_ message: DNSMessage, from source: SocketAddress, now: MonotonicTime) {
        guard source.port == MulticastDNS.port, !message.isTruncated,
            message.questions.contains(where: { $0 == DNSQuestion(names.kind, .ptr) })
        else { return }
        let isCovered = message.answers.allSatisfy { record in
            guard case .pointer(let instance) = record.data, record.name == names.kind else { return true }
            return ignored.contains(instance) || entries[instance]?.pointer.isFresh(now) == true
        }
        if isCovered { heardQuestion = now }
    }

    // MARK: Time

    /// Forgets what has ended, and asks what is due.
    mutating func handleTime(now: MonotonicTime) {
        expire(now)
        if let blockedUntil, blockedUntil <= now { self.blockedUntil = nil }
        guard blockedUntil == nil else { return }
        ask(now)
    }

    /// Forgets what has ended.
    private mutating func expire(_ now: MonotonicTime) {
        for (name, addresses) in hosts where addresses.values.contains(where: { $0.end <= now }) {
            hosts[name] = addresses.filter { $0.value.end > now }
            for (instance, entry) in entries where entry.target?.value.host == name { tell(instance, now) }
        }
        for (name, entry) in entries {
            if entry.pointer.end <= now {
                forget(name)
            } else if entry.target.map({ $0.end <= now }) == true || entry.text.map({ $0.end <= now }) == true
            {
                if let target = entry.target, target.end <= now { entries[name]?.target = nil }
                if let text = entry.text, text.end <= now { entries[name]?.text = nil }
                tell(name, now)
            }
        }
    }

    /// Asks what is due.
    private mutating func ask(_ now: MonotonicTime) {
        var wanted = Wanted()
        askForAll(&wanted, now)
        askForMissing(&wanted, now)
        askAgain(&wanted, now)
        guard !wanted.questions.isEmpty else { return }
        send(wanted.questions, now)
        var limit = queryLimit ?? RateLimit(perSecond: 1, burst: Self.queriesMost, now: now)
        if !limit.take(at: now) { blockedUntil = now + limit.pause }
        queryLimit = limit
    }

    /// Asks for all services, if it is time and no other machine has just done so.
    private mutating func askForAll(_ wanted: inout Wanted, _ now: MonotonicTime) {
        guard let next = nextQuestion, next <= now else { return }
        nextQuestion = now + pause
        pause = min(pause * settings.searchGrowth, Self.pauseMost)
        if let heardQuestion, now - heardQuestion < .seconds(1) { return }
        lastQuestion = now
        wanted.add(names.kind, .ptr)
    }

    /// Asks for the records that lack to a service.
    private mutating func askForMissing(_ wanted: inout Wanted, _ now: MonotonicTime) {
        for (name, entry) in entries {
            guard let due = entry.question, due <= now else { continue }
            guard !isComplete(entry), entry.questionCount < Self.questionsMost else {
                entries[name]?.question = nil
                continue
            }
            if entry.target == nil { wanted.add(name, .srv) }
            if entry.text == nil { wanted.add(name, .txt) }
            if let host = entry.target?.value.host, hosts[host]?.isEmpty != false {
                wanted.add(host, .a)
                wanted.add(host, .aaaa)
            }
            entries[name]?.question = now + .seconds(1 << entry.questionCount)
            entries[name]?.questionCount += 1
        }
    }

    /// Asks whether what is about to end still holds.
    private mutating func askAgain(_ wanted: inout Wanted, _ now: MonotonicTime) {
        for (name, entry) in entries where entry.told != nil {
            if let refresh = entry.pointer.refresh, refresh <= now {
                entries[name]?.pointer.noteRefresh()
                wanted.add(names.kind, .ptr)
            }
            if let refresh = entry.target?.refresh, refresh <= now {
                entries[name]?.target?.noteRefresh()
                wanted.add(name, .srv)
            }
            if let refresh = entry.text?.refresh, refresh <= now {
                entries[name]?.text?.noteRefresh()
                wanted.add(name, .txt)
            }
        }
        for (name, addresses) in hosts {
            for (host, remembered) in addresses {
                guard let refresh = remembered.refresh, refresh <= now else { continue }
                hosts[name]?[host]?.noteRefresh()
                wanted.add(name, host.isVersion4 ? .a : .aaaa)
            }
        }
    }

    /// Sends questions, with the answers that are known already, in as many packets as they need.
    private mutating func send(_ questions: [DNSQuestion], _ now: MonotonicTime) {
        var writer = DNSMessageWriter(isResponse: false, limit: settings.packetBytes)
        for question in questions where !writer.append(question) {
            outputs.append(.send(writer.bytes, to: .group))
            writer = DNSMessageWriter(isResponse: false, limit: settings.packetBytes)
            // A question is never longer than a packet.
            _ = writer.append(question)
        }
        if questions.contains(where: { $0.kind == .ptr }) {
            let known = entries.filter { $0.value.pointer.isFresh(now) }
                .sorted { $0.value.label < $1.value.label }
            for (name, entry) in known {
                let seconds = UInt32(clamping: (entry.pointer.end - now).components.seconds)
                let record = DNSRecord(names.kind, .pointer(name), timeToLive: seconds, isUnique: false)
                guard !writer.append(record, to: .answers) else { continue }
                writer.isTruncated = true
                outputs.append(.send(writer.bytes, to: .group))
                writer = DNSMessageWriter(isResponse: false, limit: settings.packetBytes)
                _ = writer.append(record, to: .answers)
            }
        }
        outputs.append(.send(writer.bytes, to: .group))
    }

    // MARK: Outputs

    /// Tells the driver what has changed of a service.
    private mutating func tell(_ name: DNSName, _ now: MonotonicTime) {
        guard let entry = entries[name] else { return }
        let found = instance(entry)
        guard found != entry.told else { return }
        entries[name]?.told = found
        if let found {
            entries[name]?.question = nil
            entries[name]?.questionCount = 0
            outputs.append(.found(found))
        } else {
            // The rest may come again.
            entries[name]?.question = now + .seconds(1)
            outputs.append(.lost(entry.label))
        }
    }

    /// Forgets a service, and tells the driver if it knew of it.
    private mutating func forget(_ name: DNSName) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        if entry.told != nil { outputs.append(.lost(entry.label)) }
        let targets = Set(entries.values.compactMap(\.target?.value.host))
        hosts = hosts.filter { targets.contains($0.key) }
    }

    /// Returns a service if all of it is known.
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

    private func isComplete(_ entry: Entry) -> Bool { instance(entry) != nil }

    /// Takes all outputs.
    mutating func takeOutputs() -> [MulticastDNS.Output] {
        defer { outputs = [] }
        return outputs
    }

    /// The services that the driver knows of.
    var found: [MulticastDNS.Instance] { entries.values.compactMap(\.told) }

    /// When something is due next.
    var deadline: MonotonicTime? {
        var ends: [MonotonicTime] = []
        var questions: [MonotonicTime] = nextQuestion.map { [$0] } ?? []
        for entry in entries.values {
            ends.append(entry.pointer.end)
            if let end = entry.target?.end { ends.append(end) }
            if let end = entry.text?.end { ends.append(end) }
            if let question = entry.question { questions.append(question) }
            guard entry.told != nil else { continue }
            questions += [entry.pointer.refresh, entry.target?.refresh, entry.text?.refresh].compactMap(
                \.self)
        }
        for remembered in hosts.values.flatMap(\.values) {
            ends.append(remembered.end)
            if let refresh = remembered.refresh { questions.append(refresh) }
        }
        let question = questions.min().map { max($0, blockedUntil ?? $0) }
        return [ends.min(), question].compactMap(\.self).min()
    }

    // MARK: Limits

    /// How many records of a packet are looked at.
    private static let recordsMost = 256
    /// For how long a record that was taken back stays, because another machine may still have it.
    private static let goodbyeTime = Duration.seconds(1)
    /// How often the missing records of a service are asked for.
    private static let questionsMost = 4
    /// The longest time between two searches.
    private static let pauseMost = Duration.seconds(3600)
    /// How many queries are sent in a row, after which there is one a second.
    private static let queriesMost = 8
}
