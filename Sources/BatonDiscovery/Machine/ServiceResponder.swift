import BatonNetwork

/// Announces the services of this machine, and answers questions about them.
///
/// This is the responder of `MulticastDNS`.
struct ServiceResponder: Sendable {
    /// A service of this machine that is announced, or for whose names this machine still probes.
    private struct Publication {
        let announcement: ServiceAnnouncement
        let instance: DNSName
        let host: DNSName
        /// The PTR record that lists the service under its kind.
        let pointer: DNSRecord
        /// The records of the instance's name and of the host's name.
        ///
        /// Only this machine has records of these names.
        var unique: [DNSRecord]
        /// The NSEC records of these two names.
        ///
        /// They list the kinds of records that exist, and so deny that other kinds exist.
        var denials: [DNSRecord]
        var phase: Phase
        /// The time at which the next packet of this phase is due; nil if no packet is due.
        var next: MonotonicTime?
        /// The number of probes that are sent before the names are used.
        var probeCount: Int
        /// The number of ties that were lost to another machine that probes for one of the names.
        var tiesLost = 0

        /// True if the names belong to this machine, which then answers questions about them.
        var isAnswered: Bool {
            switch phase {
            case .probing: false
            case .announcing, .standing: true
            }
        }

        /// All records that are announced.
        var records: [DNSRecord] { [pointer] + unique }

        /// Returns whether `unique` or `denials` has a record with this identity.
        func holds(_ identity: DNSRecord.Identity) -> Bool {
            (unique + denials).contains { $0.identity == identity }
        }
    }

    private enum Phase: Equatable {
        /// This machine asks whether another machine has the names.
        ///
        /// `sent` is the number of probes that were sent.
        case probing(sent: Int)
        /// This machine sends all records without being asked.
        ///
        /// `sent` is the number of announcements that were sent.
        case announcing(sent: Int)
        /// This machine only answers questions.
        case standing
    }

    /// An answer that is sent to the group after a short delay.
    private struct Pending {
        let record: DNSRecord
        var due: MonotonicTime
        /// The only machine that has asked, whose next packet may say that it knows the answer.
        ///
        /// This is nil if several machines have asked, or none.
        var asker: SocketAddress?
    }

    /// A reply to one machine.
    private struct Reply {
        let due: MonotonicTime
        let packet: [UInt8]
        let asker: SocketAddress
    }

    private let settings: MulticastDNS.Settings
    private let names: ServiceNames
    private var publications: [Publication] = []
    /// The time when each record of this machine was last sent to the group.
    private var lastSent: [DNSRecord.Identity: MonotonicTime] = [:]
    private var pending: [Pending] = []
    private var replies: [Reply] = []
    private var replyLimit: RateLimit?
    /// The recent times at which a record of another machine made this machine probe for its names again.
    private var conflicts: [MonotonicTime] = []
    private var outputs: [MulticastDNS.Output] = []

    init(_ settings: MulticastDNS.Settings) {
        self.settings = settings
        names = ServiceNames(settings.service)
    }

    // MARK: Announcing

    /// Announces these services instead of the present ones; see `MulticastDNS.announce`.
    mutating func announce(
        _ services: [ServiceAnnouncement], _ addresses: [SocketAddress.Host], isDelayed: Bool,
        now: MonotonicTime, using generator: inout some RandomNumberGenerator
    ) {
        let old = publications
        publications = services.compactMap { service in
            guard let new = publication(of: service, addresses) else { return nil }
            guard var kept = old.first(where: { $0.announcement == service }) else { return new }
            guard kept.unique != new.unique else { return kept }
            // Only the addresses have changed. The names already belong to this machine, so no probes are needed.
            (kept.unique, kept.denials) = (new.unique, new.denials)
            if case .probing = kept.phase { return kept }
            (kept.phase, kept.next) = (.announcing(sent: 0), now)
            return kept
        }
        let delay = isDelayed ? Duration.drawn(.zero...settings.startDelayMost, &generator) : .zero
        for place in publications.indices where publications[place].next == nil {
            if case .probing(0) = publications[place].phase { publications[place].next = now + delay }
        }
        takeBack(old.flatMap(\.records), now)
        forgetOldRecords(now)
        handleTime(now: now)
    }

    /// Makes the records of a service; returns nil if they can't be written as DNS records.
    private func publication(
        of service: ServiceAnnouncement, _ addresses: [SocketAddress.Host]
    ) -> Publication? {
        guard let instance = names.kind.prefixed(by: Array(service.instance.utf8)),
            let host = ServiceNames.local.prefixed(by: Array(service.host.utf8)),
            let strings = service.text.strings
        else { return nil }
        let target = DNSRecord.Data.service(priority: 0, weight: 0, port: service.port, host: host)
        var unique = [record(instance, target), record(instance, .text(strings))]
        // An interface may have the same address twice, with different network prefixes.
        for address in addresses.map({ record(host, DNSRecord.Data($0)) }) where !unique.contains(address) {
            unique.append(address)
        }
        let denials = [instance, host].map { name in
            let kinds = Set(unique.filter { $0.name == name }.map(\.kind))
            return record(name, .kinds(next: name, kinds.sorted { $0.rawValue < $1.rawValue }))
        }
        return Publication(
            announcement: service, instance: instance, host: host,
            pointer: record(names.kind, .pointer(instance), isUnique: false), unique: unique,
            denials: denials, phase: .probing(sent: 0), probeCount: settings.probeCount)
    }

    private func record(_ name: DNSName, _ data: DNSRecord.Data, isUnique: Bool = true) -> DNSRecord {
        let seconds = UInt32(clamping: settings.timeToLive.components.seconds)
        return DNSRecord(name, data, timeToLive: seconds, isUnique: isUnique)
    }

    /// Withdraws records that were sent to the group, except those that this machine still has.
    private mutating func takeBack(_ records: [DNSRecord], _ now: MonotonicTime) {
        let present = Set(publications.flatMap(\.records).map(\.identity))
        var gone: [DNSRecord] = []
        for var record in records where lastSent[record.identity] != nil && !present.contains(record.identity)
        {
            record.timeToLive = 0
            if !gone.contains(record) { gone.append(record) }
        }
        send(gone, additionals: [], now)
    }

    /// Forgets the sending times and the delayed answers of records that this machine no longer has, and all replies.
    private mutating func forgetOldRecords(_ now: MonotonicTime) {
        let records = publications.flatMap { $0.records + $0.denials } + [kindRecord]
        let present = Set(records.map(\.identity))
        // If this machine has a record again within a second, the record must not be sent again before the interval is
        // over.
        lastSent = lastSent.filter { present.contains($0.key) || now < $0.value + Self.recordInterval }
        pending.removeAll { !present.contains($0.record.identity) }
        replies = []
    }

    // MARK: Time

    /// Sends the packets that are due.
    mutating func handleTime(now: MonotonicTime) {
        for place in publications.indices {
            if let next = publications[place].next, next <= now { advance(place, now) }
        }
        sendPending(now)
        for reply in replies where reply.due <= now {
            outputs.append(.send(reply.packet, to: .asker(reply.asker)))
        }
        replies.removeAll { $0.due <= now }
    }

    /// Sends the next probe or announcement of a service.
    private mutating func advance(_ place: Int, _ now: MonotonicTime) {
        if case .probing(let sent) = publications[place].phase {
            guard sent >= publications[place].probeCount else {
                sendProbe(for: publications[place])
                publications[place].phase = .probing(sent: sent + 1)
                publications[place].next = now + Self.probeInterval
                return
            }
            (publications[place].phase, publications[place].tiesLost) = (.announcing(sent: 0), 0)
        }
        guard case .announcing(let sent) = publications[place].phase else { return }
        let records = publications[place].records
        // The records may have just been sent in an answer, so the interval may not be over.
        if let allowed = records.compactMap({ allowed($0) }).max(), allowed > now {
            return publications[place].next = allowed
        }
        publications[place].phase = .announcing(sent: sent + 1)
        send(records, additionals: publications[place].denials.filter { isAllowed($0, now) }, now)
        if sent + 1 == settings.announcementCount {
            (publications[place].phase, publications[place].next) = (.standing, nil)
        } else {
            publications[place].next = now + Self.recordInterval
        }
    }

    /// Sends a probe, which asks for the names of a service and lists the records that the names will have.
    private mutating func sendProbe(for publication: Publication) {
        var writer = DNSMessageWriter(isResponse: false, limit: settings.packetBytes)
        for name in [publication.instance, publication.host] {
            guard writer.append(DNSQuestion(name, .any)) else { return }
        }
        // Records that do not fit into the packet are left out, because they are needed only to decide ties.
        for record in publication.unique {
            var record = record
            record.isUnique = false
            guard writer.append(record, to: .authorities) else { break }
        }
        outputs.append(.send(writer.bytes, to: .group))
    }

    // MARK: Answering

    /// Answers a query, immediately or after a short delay.
    mutating func handleQuery(
        _ message: DNSMessage, from source: SocketAddress, now: MonotonicTime,
        using generator: inout some RandomNumberGenerator
    ) {
        compare(message.authorities, now)
        guard publications.contains(where: \.isAnswered) else { return }
        let seconds = UInt32(clamping: settings.timeToLive.components.seconds)
        let known = Set(message.answers.filter { $0.timeToLive >= seconds / 2 }.map(\.identity))
        // A question with many known answers continues in further packets from the same source.
        pending.removeAll { $0.asker == source && known.contains($0.record.identity) }
        let isOrdinaryClient = source.port != MulticastDNS.port
        let isProbe = !message.authorities.isEmpty
        var (single, group): ([DNSRecord], [DNSRecord]) = ([], [])
        for question in message.questions.prefix(Self.questionsMost) {
            for record in answers(to: question) where !known.contains(record.identity) {
                let isRecent = lastSent[record.identity].map { now - $0 < settings.timeToLive / 4 } ?? false
                if isOrdinaryClient || question.wantsUnicast && isRecent {
                    if !single.contains(record) { single.append(record) }
                } else if !group.contains(record) {
                    group.append(record)
                }
            }
        }
        let isShared = (single + group).contains { !$0.isUnique }
        let delay: Duration =
            if message.isTruncated {
                .drawn(.milliseconds(400) ... .milliseconds(500), &generator)
            } else if isShared {
                .drawn(.milliseconds(20) ... .milliseconds(120), &generator)
            } else { .zero }
        if !single.isEmpty {
            reply(single, to: message, from: source, isOrdinaryClient, due: now + delay, now)
        }
        for record in group {
            let earliest = allowed(record, isDefence: isProbe && record.isUnique)
            putOff(record, until: max(now + delay, earliest ?? now), asker: source)
        }
        handleTime(now: now)
    }

    /// Delays an answer to the group until this time.
    ///
    /// If the answer is already delayed, the earlier time is used.
    private mutating func putOff(_ record: DNSRecord, until due: MonotonicTime, asker: SocketAddress?) {
        guard let place = pending.firstIndex(where: { $0.record.identity == record.identity }) else {
            return pending.append(Pending(record: record, due: due, asker: asker))
        }
        pending[place].due = min(pending[place].due, due)
        if pending[place].asker != asker { pending[place].asker = nil }
    }

    /// Returns the records of this machine that answer a question, or that deny that there is an answer.
    private func answers(to question: DNSQuestion) -> [DNSRecord] {
        let answering = publications.filter(\.isAnswered)
        var answers: [DNSRecord] = []
        if question.isAnswered(by: kindRecord), !answering.isEmpty { answers.append(kindRecord) }
        for publication in answering {
            let found = publication.records.filter { question.isAnswered(by: $0) }
            answers += found
            if found.isEmpty { answers += publication.denials.filter { $0.name == question.name } }
        }
        return answers
    }

    /// The record that lists this kind of service.
    ///
    /// All machines have the same record.
    private var kindRecord: DNSRecord { record(names.kinds, .pointer(names.kind), isUnique: false) }

    /// Queues a reply to one machine, unless there are too many replies.
    private mutating func reply(
        _ answers: [DNSRecord], to message: DNSMessage, from source: SocketAddress, _ isOrdinaryClient: Bool,
        due: MonotonicTime, _ now: MonotonicTime
    ) {
        var limit =
            replyLimit ?? RateLimit(perSecond: Self.repliesPerSecond, burst: Self.repliesMost, now: now)
        defer { replyLimit = limit }
        guard replies.count < Self.repliesMost, limit.take(at: now) else { return }
        var writer = DNSMessageWriter(
            isResponse: true, identifier: isOrdinaryClient ? message.identifier : 0,
            limit: settings.packetBytes)
        writer.isCompressingHosts = !isOrdinaryClient
        if isOrdinaryClient {
            for question in message.questions.prefix(Self.questionsMost) {
                var question = question
                question.wantsUnicast = false
                guard writer.append(question) else { return }
            }
        }
        for (section, records) in [
            (DNSMessageWriter.Section.answers, answers), (.additionals, additionals(to: answers)),
        ] {
            for var record in records {
                // An ordinary DNS client does not see withdrawals and does not know the cache-flush bit. So it may
                // cache a record only for a short time.
                if isOrdinaryClient {
                    record.timeToLive = min(record.timeToLive, Self.ordinaryTimeToLive)
                    record.isUnique = false
                }
                guard writer.append(record, to: section) else { break }
            }
        }
        guard !writer.isEmpty else { return }
        replies.append(Reply(due: due, packet: writer.bytes, asker: source))
    }

    /// Returns the additional records that the asker will probably need next.
    private func additionals(to answers: [DNSRecord]) -> [DNSRecord] {
        var additionals: [DNSRecord] = []
        for publication in publications where publication.isAnswered {
            let records = publication.unique + publication.denials
            if answers.contains(publication.pointer) {
                additionals += records
            } else if answers.contains(where: { $0.name == publication.instance && $0.kind == .srv }) {
                additionals += records.filter { $0.name == publication.host }
            }
        }
        var seen = Set(answers.map(\.identity))
        return additionals.filter { seen.insert($0.identity).inserted }
    }

    /// Sends the answers to the group that are due now, together with the answers that are due soon.
    private mutating func sendPending(_ now: MonotonicTime) {
        guard pending.contains(where: { $0.due <= now }) else { return }
        let due = pending.filter { answer in
            answer.due <= now || answer.due <= now + Self.gathering && isAllowed(answer.record, now)
        }
        let answers = due.map(\.record)
        let identities = Set(answers.map(\.identity))
        pending.removeAll { identities.contains($0.record.identity) }
        // Shared records come first, because the other records describe the services that they list.
        let ordered = answers.filter { !$0.isUnique } + answers.filter(\.isUnique)
        send(ordered, additionals: additionals(to: answers).filter { isAllowed($0, now) }, now)
    }

    /// Returns the time from which a record may be sent to the group again; nil if the record was not sent
    /// recently.
    private func allowed(_ record: DNSRecord, isDefence: Bool = false) -> MonotonicTime? {
        lastSent[record.identity].map { $0 + (isDefence ? Self.probeInterval : Self.recordInterval) }
    }

    /// Returns whether a record may be sent to the group now.
    private func isAllowed(_ record: DNSRecord, _ now: MonotonicTime) -> Bool {
        allowed(record).map { $0 <= now } ?? true
    }

    /// Notes that a record was sent to the group.
    ///
    /// This has answered all machines that had asked for the record.
    private mutating func recordAnswer(_ record: DNSRecord, _ now: MonotonicTime) {
        guard record.timeToLive > 0 else { return }
        lastSent[record.identity] = now
        pending.removeAll { $0.record.identity == record.identity }
    }

    /// Sends answers to the group, in several packets if needed.
    ///
    /// Additional records are sent only if they fit into the last packet.
    private mutating func send(_ answers: [DNSRecord], additionals: [DNSRecord], _ now: MonotonicTime) {
        var writer = DNSMessageWriter(isResponse: true, limit: settings.packetBytes)
        for record in answers {
            if !writer.append(record, to: .answers) {
                if !writer.isEmpty { outputs.append(.send(writer.bytes, to: .group)) }
                writer = DNSMessageWriter(isResponse: true, limit: settings.packetBytes)
                // If a record is longer than a packet, it can't be sent at all.
                guard writer.append(record, to: .answers) else { continue }
            }
            recordAnswer(record, now)
        }
        for record in additionals {
            guard writer.append(record, to: .additionals) else { break }
            recordAnswer(record, now)
        }
        if !writer.isEmpty { outputs.append(.send(writer.bytes, to: .group)) }
    }

    // MARK: Conflicts

    /// Handles a response of another machine, which may conflict with this machine's names or withdraw its records.
    mutating func handleResponse(_ message: DNSMessage, now: MonotonicTime) {
        let records = message.records
        for record in records {
            // Another machine has just sent this record, so this machine need not send it.
            pending.removeAll {
                $0.record.identity == record.identity && record.timeToLive >= $0.record.timeToLive
            }
            rescue(record, now)
        }
        for place in publications.indices.reversed() {
            let publication = publications[place]
            if records.contains(where: { isInConflict(publication, $0) }) { resolve(place, now) }
        }
        handleTime(now: now)
    }

    /// Sends a record of this machine again if another machine withdraws it or shortens its time to live.
    private mutating func rescue(_ record: DNSRecord, _ now: MonotonicTime) {
        for publication in publications where publication.isAnswered {
            let own = publication.records.first { $0.identity == record.identity }
            guard let own, record.timeToLive < own.timeToLive / 2 else { continue }
            // The delay ensures that every machine receives this record after the packet that withdraws it.
            let moment = now + Self.gathering
            putOff(own, until: max(moment, allowed(own) ?? moment), asker: nil)
        }
    }

    /// Returns whether a record of another machine contradicts the records of a service.
    private func isInConflict(_ publication: Publication, _ record: DNSRecord) -> Bool {
        guard record.timeToLive > 0, record.name == publication.instance || record.name == publication.host
        else { return false }
        if publication.isAnswered {
            let kinds: [DNSKind] = record.name == publication.instance ? [.srv, .txt] : [.a, .aaaa]
            guard kinds.contains(record.kind) else { return false }
        }
        // If another service of this machine has the record, there is no conflict.
        let identity = record.identity
        return !publications.contains { $0.holds(identity) }
    }

    /// Resolves a conflict.
    ///
    /// If the names already belonged to this machine, it probes for them again. Otherwise, the service is dropped.
    private mutating func resolve(_ place: Int, _ now: MonotonicTime) {
        guard publications[place].isAnswered else { return giveUp(place, now) }
        conflicts.removeAll { $0 + Self.conflictPeriod <= now }
        let isUsual = conflicts.count < Self.conflictsMost
        if isUsual { conflicts.append(now) }
        probeAgain(place, at: isUsual ? now : now + Self.conflictPause)
    }

    /// Probes for the names of a service again, because another machine seems to have one of these names.
    ///
    /// Several probes are then needed, because a machine that has just sent its records may not answer for 250 ms.
    private mutating func probeAgain(_ place: Int, at moment: MonotonicTime) {
        publications[place].phase = .probing(sent: 0)
        publications[place].next = moment
        publications[place].probeCount = max(settings.probeCount, Self.probesAgain)
    }

    /// Drops a service and reports this to the driver.
    ///
    /// The records of the names that were sent to the group are withdrawn, so that no cache mixes them with the records
    /// of the other machine. The PTR record is not withdrawn, because the other machine has the same PTR record.
    private mutating func giveUp(_ place: Int, _ now: MonotonicTime) {
        let publication = publications.remove(at: place)
        outputs.append(.conflicted(publication.announcement))
        takeBack(publication.unique, now)
        forgetOldRecords(now)
    }

    /// Compares the records in another machine's probe with those in this machine's probes for the same names.
    ///
    /// The machine with the greater records wins the tie.
    private mutating func compare(_ authorities: [DNSRecord], _ now: MonotonicTime) {
        guard !authorities.isEmpty else { return }
        for place in publications.indices.reversed() {
            guard case .probing(let sent) = publications[place].phase, sent > 0,
                isTieLost(publications[place], authorities)
            else { continue }
            publications[place].tiesLost += 1
            if publications[place].tiesLost < Self.tiesMost {
                probeAgain(place, at: now + Self.tiePause)
            } else {
                giveUp(place, now)
            }
        }
    }

    /// Returns whether another machine's records are greater than those of a service.
    ///
    /// The first name decides for which both machines probe with different records. So exactly one of the two machines
    /// wins.
    private func isTieLost(_ publication: Publication, _ authorities: [DNSRecord]) -> Bool {
        for name in [publication.instance, publication.host] {
            let others = authorities.filter { $0.name == name }.map(Rank.init).sorted()
            let own = publication.unique.filter { $0.name == name }.map(Rank.init).sorted()
            guard !others.isEmpty, own != others else { continue }
            return own.lexicographicallyPrecedes(others)
        }
        return false
    }

    /// The parts of a record that are compared when two machines probe for the same name.
    private struct Rank: Comparable {
        let kind: UInt16
        let data: [UInt8]

        init(_ record: DNSRecord) { (kind, data) = (record.kind.rawValue, record.data.uncompressed) }

        static func < (left: Self, right: Self) -> Bool {
            left.kind == right.kind ? left.data.lexicographicallyPrecedes(right.data) : left.kind < right.kind
        }
    }

    // MARK: Outputs

    /// Takes all outputs.
    mutating func takeOutputs() -> [MulticastDNS.Output] {
        defer { outputs = [] }
        return outputs
    }

    /// The time at which the next packet is due.
    var deadline: MonotonicTime? {
        (publications.compactMap(\.next) + pending.map(\.due) + replies.map(\.due)).min()
    }

    /// The names of the services for which this machine answers.
    var announced: [String] { publications.filter(\.isAnswered).map(\.announcement.instance) }

    /// The names of all instances of this machine, including those for which it still probes.
    var instanceNames: [DNSName] { publications.map(\.instance) }

    // MARK: Limits

    /// The time between two probes, and the shortest time between two defences of a name.
    private static let probeInterval = Duration.milliseconds(250)
    /// The shortest interval between sending a record to the group and sending it again.
    private static let recordInterval = Duration.seconds(1)
    /// The time within which an answer must be due to be sent together with an answer that is due now.
    private static let gathering = Duration.milliseconds(120)
    /// The largest number of questions of a packet that are answered.
    private static let questionsMost = 32
    /// The number of replies to single machines that are sent each second, and the largest number at once.
    private static let repliesPerSecond = 10
    private static let repliesMost = 20
    /// The number of seconds for which an ordinary DNS client may cache an answer.
    private static let ordinaryTimeToLive: UInt32 = 10
    /// After this number of conflicts within the period, this machine waits before it probes again.
    private static let conflictsMost = 15
    private static let conflictPeriod = Duration.seconds(10)
    private static let conflictPause = Duration.seconds(5)
    /// The number of probes that are sent for a name that another machine seems to have.
    private static let probesAgain = 3
    /// The number of lost ties after which the names are treated as another machine's.
    private static let tiesMost = 5
    /// The pause after a lost tie.
    private static let tiePause = Duration.seconds(1)
}

extension Duration {
    /// Returns a random duration in a range, in whole microseconds.
    static func drawn(_ range: ClosedRange<Duration>, _ generator: inout some RandomNumberGenerator)
        -> Duration
    {
        let width = (range.upperBound - range.lowerBound).nanoseconds / 1000
        return range.lowerBound + .microseconds(Int64.random(in: 0...max(width, 0), using: &generator))
    }
}
