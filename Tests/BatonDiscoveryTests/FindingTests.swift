import BatonNetwork
import DiscoverySupport
import Support
import Testing

@testable import BatonDiscovery

@Suite struct `Finding services by multicast DNS` {
    private static let service = ServiceAnnouncement(
        instance: "Other", host: "other-host", port: 4817, text: ServiceEntries(["v": "1"]))
    private let records = Records(service, addresses: [LoneMachine.other.host])
    private let question = DNSQuestion(Records.kind, .ptr)

    /// A machine that searches, and has found the service of another machine.
    private func finder() throws -> LoneMachine {
        var lone = LoneMachine()
        try lone.search()
        try lone.run(for: .milliseconds(200))
        try lone.hear(.response(records.all))
        try #require(lone.found["Other"] != nil)
        lone.forget()
        return lone
    }

    // MARK: Floods

    /// A packet with 24 services that do not exist.
    private static func flood(_ number: Int) throws -> [UInt8] {
        let records = (0..<24).flatMap { place in
            Records(
                ServiceAnnouncement(
                    instance: "made-up-\(number)-\(place)", host: "made-up-\(number)", port: 4817,
                    text: ServiceEntries(["v": "1", "h": "mark"])),
                addresses: [LoneMachine.other.host]
            ).all
        }
        return try #require(DNSMessage.response(records).encoded())
    }

    @Test(arguments: [1, 5000])
    func `a flood of services costs bounded work, and real services are still found`(sources: Int)
        throws
    {
        var lone = try finder()
        let honest = SocketAddress(host: .version4(0xc000_0203), port: MulticastDNS.port)
        let late = Records(
            ServiceAnnouncement(
                instance: "Late", host: "late-host", port: 4817, text: ServiceEntries(["v": "1"])),
            addresses: [honest.host])
        let packet = try Self.flood(0)
        let (seconds, before) = (10, lone.machine.processedCount)
        for number in 0..<200 * seconds {
            let source = SocketAddress(
                host: .version4(0xc000_0300 + UInt32(number % sources)), port: MulticastDNS.port)
            // Every packet is another one at first; encoding all of them would be most of the test.
            let bytes = number < 200 ? try Self.flood(number) : packet
            try lone.hear(bytes: bytes, from: source)
            try lone.run(for: .milliseconds(5))
            if number % 1000 == 999 {
                try lone.hear(.response(records.all), from: LoneMachine.other)
                try lone.hear(.response(late.all), from: honest)
            }
        }
        let settings = MulticastDNS.Settings()
        let most = settings.recordsAtOnce + settings.recordsPerSecond * seconds + 2 * 24 * 4
        #expect(lone.machine.processedCount - before <= most)
        #expect(lone.found["Other"] != nil)
        // A single source leaves room for others; many sources use up all of it, and delay what is new.
        if sources == 1 { #expect(lone.found["Late"] != nil) }
    }

    @Test func `address records are processed only while a service uses their host`() throws {
        var lone = try finder()
        let before = lone.machine.processedCount
        try lone.hear(.response(records.addresses))
        #expect(lone.machine.processedCount == before + records.addresses.count)
        // The service moves to another host, whose addresses are not known yet.
        let moved = ServiceAnnouncement(
            instance: "Other", host: "new-host", port: 4817, text: ServiceEntries(["v": "1"]))
        let new = Records(moved, addresses: [LoneMachine.other.host])
        try lone.hear(.response([new.target]))
        var expected = before + records.addresses.count + 1
        try lone.hear(.response(records.addresses))
        #expect(lone.machine.processedCount == expected, "no service is on the old host")
        try lone.hear(.response(new.addresses))
        expected += new.addresses.count
        #expect(lone.machine.processedCount == expected && lone.found["Other"] != nil)
        // Its target ends before its pointer does.
        try lone.hear(.response([new.gone[1]]))
        try lone.run(for: .seconds(2))
        expected = lone.machine.processedCount
        try lone.hear(.response(new.addresses))
        #expect(lone.machine.processedCount == expected, "the host of the service is not known any more")
    }

    // MARK: Asking

    @Test(arguments: Seeds.first(20))
    func `a search sends queries after 20 to 120 ms, and then after 1, 2, 4 seconds, up to an hour`(
        _ seed: UInt64
    ) throws {
        var lone = LoneMachine(seed: seed)
        try lone.search()
        try lone.run(for: .seconds(4 * 3600))
        let moments = lone.queries.map(\.at)
        #expect(moments[0] >= .milliseconds(20) && moments[0] <= .milliseconds(120))
        let pauses = zip(moments.dropFirst(), moments).map { $0 - $1 }
        #expect(pauses.prefix(12).map(\.components.seconds) == (0..<12).map { 1 << $0 })
        #expect(pauses.dropFirst(12).allSatisfy { $0 == .seconds(3600) })
        #expect(
            lone.queries.allSatisfy {
                $0.message.questions == [question] && !$0.message.questions[0].wantsUnicast
            })
    }

    @Test func `a restarted search sends a query immediately, but no more than one a second`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.run(for: .seconds(1000))
        lone.forget()
        try lone.search()
        try lone.run(for: .milliseconds(120))
        #expect(lone.queries.count == 1)
        try lone.search()
        try lone.run(for: .milliseconds(500))
        #expect(lone.queries.count == 1)
    }

    @Test func `repeated restarts of a search do not delay its query`() throws {
        var lone = LoneMachine()
        for _ in 0..<200 {
            try lone.search()
            try lone.run(for: .milliseconds(10))
        }
        #expect((2...3).contains(lone.queries.count), "\(lone.queries.map(\.at))")
    }

    @Test func `another machine's query is not mistaken for this machine's own query`() throws {
        var lone = LoneMachine()
        try lone.search()
        for _ in 0..<100 {
            try lone.hear(.query(question))
            try lone.run(for: .milliseconds(100))
        }
        #expect(lone.queries.count == 4)
    }

    @Test func `responses before a search has begun are ignored`() throws {
        var lone = LoneMachine()
        try lone.hear(.response(records.all))
        #expect(lone.found.isEmpty && lone.machine.deadline == nil)
    }

    // MARK: Finding

    @Test func `a service is found with its text, its port and its addresses`() throws {
        var lone = LoneMachine()
        try lone.search()
        var answer = DNSMessage.response([records.pointer], additionals: records.unique)
        let address = SocketAddress.Host.version6(high: 0xfe80 << 48, low: 7, interface: 0)
        answer.additionals += Records(Self.service, addresses: [address]).addresses
        try lone.hear(answer)
        let found = try #require(lone.found["Other"])
        #expect(found.port == 4817 && found.text["v"] == Array("1".utf8))
        #expect(
            found.addresses == [LoneMachine.other.host, .version6(high: 0xfe80 << 48, low: 7, interface: 2)])
    }

    @Test func `missing records of a service are queried at most four times`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.run(for: .seconds(200))
        lone.forget()
        try lone.hear(.response([records.pointer]))
        try lone.run(for: .seconds(40))
        #expect(
            lone.queries.map { $0.message.questions.map(\.kind) } == Array(repeating: [.srv, .txt], count: 4))
        lone.forget()
        try lone.hear(.response([records.target]))
        try lone.hear(.response([records.text]))
        #expect(lone.found.isEmpty)
        try lone.hear(.response(records.addresses))
        #expect(lone.found.keys.sorted() == ["Other"])
    }

    @Test func `missing addresses are queried by the host's name`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.run(for: .seconds(200))
        lone.forget()
        try lone.hear(.response([records.pointer, records.target, records.text]))
        try lone.run(for: .milliseconds(200))
        #expect(
            lone.queries.first?.message.questions == [
                DNSQuestion(records.addresses[0].name, .a), DNSQuestion(records.addresses[0].name, .aaaa),
            ])
    }

    @Test func `found services are known answers in queries until half of their lifetime is over`() throws {
        var lone = try finder()
        try lone.run(for: .seconds(20))
        let known = try #require(lone.queries.last).message.answers
        #expect(known.map(\.data) == [records.pointer.data])
        #expect(known.allSatisfy { $0.timeToLive < 1200 && $0.timeToLive > 1150 })
        try lone.run(for: .seconds(580))
        lone.forget()
        try lone.search()
        try lone.run(for: .seconds(1))
        #expect(lone.queries.first?.message.answers == [])
    }

    @Test
    func `an incomplete service is not listed as a known answer, so its machine sends the whole service`()
        throws
    {
        var lone = LoneMachine()
        try lone.search()
        try lone.hear(.response([records.pointer]))
        try lone.run(for: .seconds(120))
        #expect(lone.queries.allSatisfy { $0.message.answers.isEmpty })
    }

    @Test func `many known answers are sent in several packets, with the truncation bit on all but the last`()
        throws
    {
        var lone = LoneMachine()
        try lone.search()
        for number in 0..<100 {
            let service = ServiceAnnouncement(
                instance: "service-\(number)", host: "host-\(number)", port: 1, text: ServiceEntries([]))
            try lone.hear(
                .response(Records(service, addresses: [.version4(0xc000_0300 + UInt32(number))]).all))
        }
        #expect(lone.found.count == 100)
        try lone.run(for: .milliseconds(120))
        #expect(lone.queries.count > 1)
        #expect(
            lone.queries.map(\.message.isTruncated)
                == lone.queries.indices.map { $0 < lone.queries.count - 1 })
        #expect(lone.queries.map(\.message.questions.count).reduce(0, +) == 1)
        #expect(Set(lone.queries.flatMap(\.message.answers)).count == 100)
    }

    @Test func `a machine's own services are not found`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.announce()
        try lone.run(for: .seconds(10))
        try lone.hear(.response(Records().all))
        #expect(lone.found.isEmpty)
    }

    // MARK: Changes

    @Test func `a service whose goodbye arrives is lost a second later`() throws {
        var lone = try finder()
        try lone.hear(.response(records.gone))
        try lone.run(for: .milliseconds(999))
        #expect(lone.lost.isEmpty)
        try lone.run(for: .milliseconds(1))
        #expect(lone.lost == ["Other"] && lone.found.isEmpty)
        #expect(lone.probes.isEmpty && lone.queries.count <= 1)
    }

    @Test func `a goodbye for records that a service does not have is ignored`() throws {
        var lone = try finder()
        let service = ServiceAnnouncement(
            instance: "Other", host: "else", port: 1, text: ServiceEntries(["v": "9"]))
        try lone.hear(.response(Array(Records(service, addresses: [.version4(5)]).gone.dropFirst())))
        try lone.run(for: .seconds(60))
        #expect(lone.lost.isEmpty && lone.found.count == 1)
    }

    @Test func `a service that is announced again within a second of its goodbye stays`() throws {
        var lone = try finder()
        try lone.hear(.response(records.gone))
        try lone.run(for: .milliseconds(500))
        try lone.hear(.response(records.all))
        try lone.run(for: .seconds(60))
        #expect(lone.lost.isEmpty)
    }

    @Test func `a new address replaces, after a second, addresses received more than a second before it`()
        throws
    {
        var lone = try finder()
        let hosts = (1...2).map { SocketAddress.Host.version4(0xc000_0300 + $0) }
        let new = Records(Self.service, addresses: hosts).addresses
        try lone.run(for: .seconds(2))
        try lone.hear(.response([new[0]]))
        try lone.run(for: .milliseconds(500))
        try lone.hear(.response([new[1]]))
        #expect(lone.found["Other"]?.addresses.count == 3)
        try lone.run(for: .seconds(1))
        #expect(lone.found["Other"]?.addresses == hosts && lone.lost.isEmpty)
    }

    @Test func `an address of the other IP version, or a shared address, replaces no other address`() throws {
        var lone = try finder()
        let address = SocketAddress.Host.version6(high: 0xfd00 << 48, low: 1, interface: 0)
        var shared = Records(Self.service, addresses: [.version4(7)]).addresses[0]
        shared.isUnique = false
        try lone.run(for: .seconds(2))
        try lone.hear(.response([shared] + Records(Self.service, addresses: [address]).addresses))
        try lone.run(for: .seconds(10))
        #expect(lone.found["Other"]?.addresses == [.version4(7), LoneMachine.other.host, address])
    }

    @Test func `another port, text or host of a service is reported as a change`() throws {
        var lone = try finder()
        let service = ServiceAnnouncement(
            instance: "Other", host: "new-host", port: 9, text: ServiceEntries(["v": "2"]))
        try lone.hear(.response(Records(service, addresses: [.version4(5)]).all))
        let found = try #require(lone.found["Other"])
        #expect(found.port == 9 && found.text["v"] == Array("2".utf8) && found.addresses == [.version4(5)])
    }

    // MARK: Time

    @Test(arguments: Seeds.first(20))
    func
        `expiring records are refreshed in one query at 80, 85, 90 and 95 percent of their lifetime`(
            _ seed: UInt64
        ) throws
    {
        var lone = LoneMachine(seed: seed)
        try lone.search()
        try lone.hear(.response(records.all))
        try lone.run(for: .seconds(2000))
        let asked = lone.queries.filter { $0.message.questions.count == 4 }
        #expect(asked.count == 4)
        for (query, hundredth) in zip(asked, [80, 85, 90, 95]) {
            #expect(query.at >= .seconds(12 * hundredth) && query.at <= .seconds(12 * (hundredth + 2)))
            #expect(Set(query.message.questions.map(\.kind)) == [.ptr, .srv, .txt, .a])
            #expect(query.message.answers.isEmpty)
        }
        #expect(lone.lost == ["Other"])
    }

    @Test func `a service whose records are refreshed stays found`() throws {
        var lone = try finder()
        for _ in 0..<20 {
            try lone.run(for: .seconds(1100))
            try lone.hear(.response(records.all))
        }
        #expect(lone.lost.isEmpty && lone.found.count == 1)
    }

    @Test func `a machine that was asleep when a refresh was due sends one query`() throws {
        var lone = try finder()
        try lone.run(for: .seconds(900))
        lone.forget()
        // `handleTime` comes late, as it does after a sleep.
        lone.sleep(for: .seconds(280))
        try lone.run(for: .seconds(1))
        #expect(lone.queries.count(where: { $0.message.questions.count == 4 }) == 1)
    }

    @Test func `records with a lifetime of less than a minute are not refreshed`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.run(for: .seconds(200))
        lone.forget()
        try lone.hear(.response(Records(Self.service, addresses: [LoneMachine.other.host], seconds: 59).all))
        try lone.run(for: .seconds(61))
        #expect(lone.queries.allSatisfy { $0.message.questions == [question] })
        #expect(lone.lost == ["Other"])
    }

    @Test func `no announcement is remembered longer than the configured limit`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.hear(
            .response(Records(Self.service, addresses: [LoneMachine.other.host], seconds: .max).all))
        try lone.run(for: .seconds(75 * 60))
        #expect(lone.lost == ["Other"])
    }

    // MARK: Hostile input

    @Test func `beyond the limit, services of the machine with the most announcements are dropped`() throws {
        var lone = try finder()
        for number in 0..<1000 {
            let service = ServiceAnnouncement(
                instance: "made-up-\(number)", host: "h", port: 1, text: ServiceEntries([]))
            try lone.hear(
                .response(Records(service, addresses: [.version4(9)], seconds: 4500).all),
                from: SocketAddress(host: .version4(0xc000_0299), port: MulticastDNS.port))
        }
        #expect(lone.found.count == 128 && lone.found["Other"] != nil)
        #expect(countHeld(by: lone.machine) < 20_000)
    }

    @Test func `a machine that announces many services in each packet gets only its share of memory`() throws
    {
        var lone = try finder()
        for round in 0..<20 {
            let pointers = (0..<200).map { number in
                Records(
                    ServiceAnnouncement(
                        instance: "\(round)-\(number)", host: "h", port: 1, text: ServiceEntries([])),
                    seconds: 4500
                ).pointer
            }
            try lone.hear(
                .response(pointers),
                from: SocketAddress(host: .version4(0xc000_0299), port: MulticastDNS.port))
        }
        #expect(lone.found["Other"] != nil)
        #expect(countHeld(by: lone.machine) < 20_000)
    }

    @Test func `incomplete services cause at most one packet of queries a second after the first eight`()
        throws
    {
        var lone = LoneMachine()
        try lone.search()
        for round in 0..<60 {
            let pointers = (0..<100).map { number in
                let label = "\(round)-\(number)-" + String(repeating: "x", count: 50)
                return Records(
                    ServiceAnnouncement(instance: label, host: "h", port: 1, text: ServiceEntries([]))
                ).pointer
            }
            for part in 0..<5 { try lone.hear(.response(Array(pointers[part * 20..<part * 20 + 20]))) }
            try lone.run(for: .seconds(1))
        }
        #expect((60...69).contains(lone.queries.count), "\(lone.queries.count)")
    }

    @Test func `addresses and texts beyond the limits are ignored`() throws {
        var lone = try finder()
        let many = (0..<100).map { SocketAddress.Host.version4(0xc000_0300 + $0) }
        try lone.hear(.response(Records(Self.service, addresses: many).addresses))
        #expect(lone.found["Other"]?.addresses.count == 16)
        let long = (0..<10).map { [UInt8](repeating: $0 + 0x61, count: 200) }
        try lone.hear(.response([DNSRecord(records.text.name, .text(long), timeToLive: 9, isUnique: true)]))
        #expect(lone.found["Other"]?.text["v"] == Array("1".utf8))
    }

    @Test func `services with an invalid name, port or type are not found`()
        throws
    {
        var lone = LoneMachine()
        try lone.search()
        let invalid = try #require(Records.kind.prefixed(by: [0xff, 0xfe]))
        try lone.hear(.response([DNSRecord(Records.kind, .pointer(invalid), timeToLive: 9, isUnique: false)]))
        let nested = Records.name("a.b._baton._tcp.local")
        try lone.hear(.response([DNSRecord(Records.kind, .pointer(nested), timeToLive: 9, isUnique: false)]))
        var service = Self.service
        service = ServiceAnnouncement(instance: "zero", host: service.host, port: 0, text: service.text)
        try lone.hear(.response(Records(service).all))
        #expect(lone.found.isEmpty)
    }

    @Test func `a response from a port other than 5353 is ignored`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.hear(.response(records.all), from: SocketAddress(host: LoneMachine.other.host, port: 5354))
        #expect(lone.found.isEmpty)
    }

    @Test func `after a storm of damaged packets a machine still finds services`() throws {
        var generator = SeededGenerator(seed: 3)
        var lone = try LoneMachine.standing()
        try lone.search()
        let packets = [DNSMessage.response(records.all), .probe(records.unique), .query(question)]
        for _ in 0..<5000 {
            var bytes = try #require(generator.pick(packets).encoded())
            for _ in 0..<generator.number(1...8) {
                bytes[generator.number(0...bytes.count - 1)] = UInt8(truncatingIfNeeded: generator.next())
            }
            try lone.hear(bytes: bytes)
            try lone.run(for: .milliseconds(generator.number(0...20)))
        }
        #expect(countHeld(by: lone.machine) < 50_000)
        try lone.run(for: .seconds(3600))
        try lone.search()
        try lone.hear(.response(records.all))
        #expect(lone.found["Other"]?.port == 4817)
        lone.forget()
        try lone.hear(.query(question))
        try lone.run(for: .milliseconds(120))
        #expect(lone.responses.contains { $0.message.answers == [Records().pointer] })
    }
}
