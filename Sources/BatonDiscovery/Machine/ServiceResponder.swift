import BatonNetwork

/// Answers for the services of this machine: the half of `MulticastDNS` that is a responder.
struct ServiceResponder: Sendable {
    /// A service that is announced, or for whose names this machine still probes.
    private struct Publication {
        let announcement: ServiceAnnouncement
        let instance: DNSName
        let host: DNSName
        /// The PTR record of the kind of service.
        let pointer: DNSRecord
        /// The records of the instance's and the host's names, which are this machine's alone.
        var unique: [DNSRecord]
        /// The NSEC records of the two names: they list the kinds of records that exist, and so deny all other kinds.
        var denials: [DNSRecord]
        var phase: Phase
        /// When the next packet of this phase is due; nil if none is.
        var next: MonotonicTime?
        /// How many probes are sent before the names are used.
        var probeCount: Int
        /// How many ties were lost to another machine that probes for one of the names.
        var tiesLost = 0

        /// True if the names are this machine's, so that it answers for them.
        var isAnswered: Bool {
            switch phase {
            case .probing: false
            case .announcing, .standing: true
            }
        }

        /// All records that are announced.
        var records: [DNSRecord] { [pointer] + unique }

        /// Returns whether a record with this identity is among those whose names are this machine's alone.
        func holds(_ identity: DNSRecord.Identity) -> Bool {
            (unique + denials).contains { $0.identity == identity }
        }
    }

    private enum Phase: Equatable {
        /// Asks whether another machine has the names; `sent` counts the probes so far.
        case probing(sent: Int)
        /// Sends all records without being asked; `sent` counts the announcements so far.
        case announcing(sent: Int)
        /// Only answers questions.
        case standing
    }

    /// An answer to the group that is delayed for a moment.
    private struct Pending {
        let record: DNSRecord
        var due: MonotonicTime
        /// The only machine that asked, whose next packet may say that it knows the answer; nil if several asked, or
        /// none.
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
    /// When each record of this machine was last sent to the group.
    private var lastSent: [DNSRecord.Identity: MonotonicTime] = [:]
    private var pending: [Pending] = []
    private var replies: [Reply] = []
    private var replyLimit: RateLimit?
    /// The recent times at which records of another machine made this one probe for its names again.
    private var conflicts: [MonotonicTime] = []
    private var outputs: [MulticastDNS.Output] = []

    init(_ settings: MulticastDNS.Settings) {
        self.settings = settings
        names = ServiceNames(settings.service)
    }

    // MARK: Announcing

    /// Announces these services in place of the present ones.
    mutating func announce(
        _ services: [ServiceAnnouncement], _ addresses: [SocketAddress.Host], isDelayed: Bool,
        now: MonotonicTime, using generator: inout some RandomNumberGenerator
    ) {
        let old = publications
        publications = services.compactMap { service in
            guard let new = publication(of: service, addresses) else { return nil }
            guard var kept = old.first(where: { $0.announcement == service }) else { return new }
            guard kept.unique != new.unique else { return kept }
            // The names are already this machine's, so they need no probe; only the addresses have changed.
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

    /// Makes the records of a service; nil if DNS can't express them.
    private func publication(
        of service: ServiceAnnouncement, _ addresses: [SocketAddress.Host]
    ) -> Publication? {
        guard let instance = names.kind.prefixed(by: Array(service.instance.utf8)),
            let host = ServiceNames.local.prefixed(by: Array(service.host.utf8)),
            let strings = service.text.strings
        else { return nil }
        let target = DNSRecord.Data.service(priority: 0, weight: 0, port: service.port, host: host)
        var unique = [record(instance, target), record(instance, .text(strings))]
        // An interface may have an address twice, in networks of different sizes.
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

    /// Withdraws records that the group has received, except those that this machine still has.
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

    /// Forgets everything about records that this machine no longer has.
    private mutating func forgetOldRecords(_ now: MonotonicTime) {
        let records = publications.flatMap { $0.records + $0.denials } + [kindRecord]
        let present = Set(records.map(\.identity))
        // A record that comes back within a moment must still keep the interval to its last sending.
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

    /// Sends a probe: asks for the names of a service, and lists the records that they will have.
    private mutating func sendProbe(for publication: Publication) {
        var writer = DNSMessageWriter(isResponse: false, limit: settings.packetBytes)
        for name in [publication.instance, publication.host] {
            guard writer.append(DNSQuestion(name, .any)) else { return }
        }
        // Records that do not fit into the packet are left out, because they would only decide ties.
        for record in publication.unique {
            var record = record
            record.isUnique = false
            guard writer.append(record, to: .authorities) else { break }
        }
        outputs.append(.send(writer.bytes, to: .group))
    }

    // MARK: Answering

    /// Answers a query, now or in a moment.
    mutating func handleQuery(
        _ message: DNSMessage, from source: SocketAddress, now: MonotonicTime,
        using generator: inout some RandomNumberGenerator
    ) {
        compare(message.authorities, now)
        guard publications.contains(where: \.isAnswered) else { return }
        let seconds = UInt32(clamping: settings.timeToLive.components.seconds)
        let known = Set(message.answers.filter { $0.timeToLive >= seconds / 2 }.map(\.identity))
        // A question with many known answers continues in a second packet from the same source.
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

    /// Delays an answer to the group until a moment; if it is already delayed, the earlier moment counts.
    private mutating func putOff(_ record: DNSRecord, until due: MonotonicTime, asker: SocketAddress?) {
        guard let place = pending.firstIndex(where: { $0.record.identity == record.identity }) else {
            return pending.append(Pending(record: record, due: due, asker: asker))
        }
        pending[place].due = min(pending[place].due, due)
        if pending[place].asker != asker { pending[place].asker = nil }
    }

    /// The records of this machine that answer a question, or deny that there is an answer.
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

    /// The record that lists this kind of service; all machines have the same one.
    private var kindRecord: DNSRecord { record(names.kinds, .pointer(names.kind), isUnique: false) }

    /// Queues a reply to one machine, unless there are too many.
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
                // An ordinary client does not see withdrawals and has no cache-flush bit, so it may cache a record only
                // briefly.
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

    /// Returns the additional records that an asker will want next.
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

    /// Sends the answers to the group that are due, together with the answers that are due soon.
    private mutating func sendPending(_ now: MonotonicTime) {
        guard pending.contains(where: { $0.due <= now }) else { return }
        let due = pending.filter { answer in
            answer.due <= now || answer.due <= now + Self.gathering && isAllowed(answer.record, now)
        }
        let answers = due.map(\.record)
        let identities = Set(answers.map(\.identity))
        pending.removeAll { identities.contains($0.record.identity) }
        // Shared records come first, because the others belong to them.
        let ordered = answers.filter { !$0.isUnique } + answers.filter(\.isUnique)
        send(ordered, additionals: additionals(to: answers).filter { isAllowed($0, now) }, now)
    }

    /// When a record may be sent to the group again; nil if it was not sent recently.
    private func allowed(_ record: DNSRecord, isDefence: Bool = false) -> MonotonicTime? {
        lastSent[record.identity].map { $0 + (isDefence ? Self.probeInterval : Self.recordInterval) }
    }

    /// Returns whether a record may be sent to the group.
    private func isAllowed(_ record: DNSRecord, _ now: MonotonicTime) -> Bool {
        allowed(record).map { $0 <= now } ?? true
    }

    /// Notes that a record was sent to the group, which answers all machines that have asked for it.
    private mutating func recordAnswer(_ record: DNSRecord, _ now: MonotonicTime) {
        guard record.timeToLive > 0 else { return }
        lastSent[record.identity] = now
        pending.removeAll { $0.record.identity == record.identity }
    }

    /// Sends answers to the group, in several packets if they need it, and the additional records that fit.
    private mutating func send(_ answers: [DNSRecord], additionals: [DNSRecord], _ now: MonotonicTime) {
        var writer = DNSMessageWriter(isResponse: true, limit: settings.packetBytes)
        for record in answers {
            if !writer.append(record, to: .answers) {
                if !writer.isEmpty { outputs.append(.send(writer.bytes, to: .group)) }
                writer = DNSMessageWriter(isResponse: true, limit: settings.packetBytes)
                // A record that is longer than a packet can't be sent at all.
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

    /// Looks in a response for conflicts with names of this machine, and for withdrawals of its records.
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
            // By this moment every machine has received the packet that must be overruled, in whatever order packets
            // arrive.
            let moment = now + Self.gathering
            putOff(own, until: max(moment, allowed(own) ?? moment), asker: nil)
        }
    }

    /// Returns whether a record of another machine contradicts those of a service.
    private func isInConflict(_ publication: Publication, _ record: DNSRecord) -> Bool {
        guard record.timeToLive > 0, record.name == publication.instance || record.name == publication.host
        else { return false }
        if publication.isAnswered {
            let kinds: [DNSKind] = record.name == publication.instance ? [.srv, .txt] : [.a, .aaaa]
            guard kinds.contains(record.kind) else { return false }
        }
        // Another service of this machine may have the record, which is no conflict.
        let identity = record.identity
        return !publications.contains { $0.holds(identity) }
    }

    /// Resolves a conflict: probes again if the names were already this machine's, and otherwise drops the service.
    private mutating func resolve(_ place: Int, _ now: MonotonicTime) {
        guard publications[place].isAnswered else { return giveUp(place, now) }
        conflicts.removeAll { $0 + Self.conflictPeriod <= now }
        let isUsual = conflicts.count < Self.conflictsMost
        if isUsual { conflicts.append(now) }
        probeAgain(place, at: isUsual ? now : now + Self.conflictPause)
    }

    /// Restarts probing for the names of a service, with more probes, because another machine seems to have one of
    /// them.
    ///
    /// More than one probe is needed then: a machine that has just sent its records may not answer for 250 ms.
    private mutating func probeAgain(_ place: Int, at moment: MonotonicTime) {
        publications[place].phase = .probing(sent: 0)
        publications[place].next = moment
        publications[place].probeCount = max(settings.probeCount, Self.probesAgain)
    }

    /// Drops a service and reports this to the driver.
    ///
    /// Records of the names that the group has received are withdrawn, so that no cache mixes them with the other
    /// machine's. The PTR record is not withdrawn, because the other machine has it, too.
    private mutating func giveUp(_ place: Int, _ now: MonotonicTime) {
        let publication = publications.remove(at: place)
        outputs.append(.conflicted(publication.announcement))
        takeBack(publication.unique, now)
        forgetOldRecords(now)
    }

    /// Compares the records in another machine's probe with the records in this machine's: the greater ones win.
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

    /// Returns whether another machine's records are greater; the first name for which both probe with different
    /// records decides, so that one of the two machines wins.
    private func isTieLost(_ publication: Publication, _ authorities: [DNSRecord]) -> Bool {
        for name in [publication.instance, publication.host] {
            let others = authorities.filter { $0.name == name }.map(Rank.init).sorted()
            let own = publication.unique.filter { $0.name == name }.map(Rank.init).sorted()
            guard !others.isEmpty, own != others else { continue }
            return own.lexicographicallyPrecedes(others)
        }
        return false
    }

    /// A record as it is compared between probes.
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

    /// When something is due next.
    var deadline: MonotonicTime? {
        (publications.compactMap(\.next) + pending.map(\.due) + replies.map(\.due)).min()
    }

    /// The names of the services for which this machine answers.
    var announced: [String] { publications.filter(\.isAnswered).map(\.announcement.instance) }

    /// The names of all instances of this machine.
    var instanceNames: [DNSName] { publications.map(\.instance) }

    // MARK: Limits

    /// The time between two probes, and the shortest one between two defences of a name.
    private static let probeInterval = Duration.milliseconds(250)
    /// The shortest time between two sendings of a record to the group.
    private static let recordInterval = Duration.seconds(1)
    /// An answer that is due within this time is sent together with one that is due now.
    private static let gathering = Duration.milliseconds(120)
    /// How many questions of a packet are answered.
    private static let questionsMost = 32
    /// How many replies to single machines are sent in a second, and how many at once.
    private static let repliesPerSecond = 10
    private static let repliesMost = 20
    /// For how many seconds an ordinary client may cache an answer.
    private static let ordinaryTimeToLive: UInt32 = 10
    /// After this number of conflicts in this time, probing begins only after a pause.
    private static let conflictsMost = 15
    private static let conflictPeriod = Duration.seconds(10)
    private static let conflictPause = Duration.seconds(5)
    /// How many probes are sent for a name that another machine seems to have.
    private static let probesAgain = 3
    /// How many lost ties make the names count as another machine's.
    private static let tiesMost = 5
    /// How long to wait after a lost tie.
    private static let tiePause = Duration.seconds(1)
}

extension Duration {
    /// Draws a duration of a range, to the microsecond.
    static func drawn(_ range: ClosedRange<Duration>, _ generator: inout some RandomNumberGenerator)
        -> Duration
    {
        let width = (range.upperBound - range.lowerBound).nanoseconds / 1000
        return range.lowerBound + .microseconds(Int64.random(in: 0...max(width, 0), using: &generator))
    }
}
