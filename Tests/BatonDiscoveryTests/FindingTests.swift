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
    func `a flood of services costs bounded work, and what is found stays and is added to`(sources: Int)
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

    @Test func `records are processed only while a service is on their host`() throws {
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
    func `a search asks after 20 to 120 ms, and then after 1, 2, 4 seconds and so on, up to an hour`(
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

    @Test func `a search that begins anew asks at once, but not twice in a second`() throws {
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

    @Test func `searches in quick succession do not put the question off`() throws {
        var lone = LoneMachine()
        for _ in 0..<200 {
            try lone.search()
            try lone.run(for: .milliseconds(10))
        }
        #expect((2...3).contains(lone.queries.count), "\(lone.queries.map(\.at))")
    }

    @Test func `a question of another machine is never taken for an own one`() throws {
        var lone = LoneMachine()
        try lone.search()
        for _ in 0..<100 {
            try lone.hear(.query(question))
            try lone.run(for: .milliseconds(100))
        }
        #expect(lone.queries.count == 4)
    }

    @Test func `nothing is noted before the search begins`() throws {
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

    @Test func `records that lack are asked for, four times at most`() throws {
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

    @Test func `addresses are asked for by the name of the host`() throws {
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

    @Test func `services that are found are named in questions, until half of their time is over`() throws {
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

    @Test func `a service that is known in part is not named, so that its machine tells all of it`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.hear(.response([records.pointer]))
        try lone.run(for: .seconds(120))
        #expect(lone.queries.allSatisfy { $0.message.answers.isEmpty })
    }

    @Test func `many known answers take several packets, of which all but the last say that more follow`()
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

    @Test func `own services are not found`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.announce()
        try lone.run(for: .seconds(10))
        try lone.hear(.response(Records().all))
        #expect(lone.found.isEmpty)
    }

    // MARK: Changes

    @Test func `a service that is taken back is lost after a second`() throws {
        var lone = try finder()
        try lone.hear(.response(records.gone))
        try lone.run(for: .milliseconds(999))
        #expect(lone.lost.isEmpty)
        try lone.run(for: .milliseconds(1))
        #expect(lone.lost == ["Other"] && lone.found.isEmpty)
        #expect(lone.probes.isEmpty && lone.queries.count <= 1)
    }

    @Test func `records that were never a service's can't be taken back from it`() throws {
        var lone = try finder()
        let service = ServiceAnnouncement(
            instance: "Other", host: "else", port: 1, text: ServiceEntries(["v": "9"]))
        try lone.hear(.response(Array(Records(service, addresses: [.version4(5)]).gone.dropFirst())))
        try lone.run(for: .seconds(60))
        #expect(lone.lost.isEmpty && lone.found.count == 1)
    }

    @Test func `a service that is taken back and told again within a second stays`() throws {
        var lone = try finder()
        try lone.hear(.response(records.gone))
        try lone.run(for: .milliseconds(500))
        try lone.hear(.response(records.all))
        try lone.run(for: .seconds(60))
        #expect(lone.lost.isEmpty)
    }

    @Test func `a new address flushes the old ones after a second, but not those of the same moment`() throws
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

    @Test func `an address of the other IP version, or one that is shared, flushes nothing`() throws {
        var lone = try finder()
        let address = SocketAddress.Host.version6(high: 0xfd00 << 48, low: 1, interface: 0)
        var shared = Records(Self.service, addresses: [.version4(7)]).addresses[0]
        shared.isUnique = false
        try lone.run(for: .seconds(2))
        try lone.hear(.response([shared] + Records(Self.service, addresses: [address]).addresses))
        try lone.run(for: .seconds(10))
        #expect(lone.found["Other"]?.addresses == [.version4(7), LoneMachine.other.host, address])
    }

    @Test func `another port, text or host is told as a change`() throws {
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
        `records that are about to end are asked for at 80, 85, 90 and 95 hundredths of their time, together`(
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

    @Test func `a service whose records are answered stays, and is asked for once`() throws {
        var lone = try finder()
        for _ in 0..<20 {
            try lone.run(for: .seconds(1100))
            try lone.hear(.response(records.all))
        }
        #expect(lone.lost.isEmpty && lone.found.count == 1)
    }

    @Test func `a machine that slept through the time of asking asks once`() throws {
        var lone = try finder()
        try lone.run(for: .seconds(900))
        lone.forget()
        // `handleTime` comes late, as it does after a sleep.
        lone.sleep(for: .seconds(280))
        try lone.run(for: .seconds(1))
        #expect(lone.queries.count(where: { $0.message.questions.count == 4 }) == 1)
    }

    @Test func `records that live for less than a minute are not asked for again`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.run(for: .seconds(200))
        lone.forget()
        try lone.hear(.response(Records(Self.service, addresses: [LoneMachine.other.host], seconds: 59).all))
        try lone.run(for: .seconds(61))
        #expect(lone.queries.allSatisfy { $0.message.questions == [question] })
        #expect(lone.lost == ["Other"])
    }

    @Test func `no announcement is remembered for longer than the settings say`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.hear(
            .response(Records(Self.service, addresses: [LoneMachine.other.host], seconds: .max).all))
        try lone.run(for: .seconds(75 * 60))
        #expect(lone.lost == ["Other"])
    }

    // MARK: Hostile input

    @Test func `services of the machine with the most are dropped when there are too many`() throws {
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

    @Test func `a packet full of services costs no more than its share`() throws {
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

    @Test func `services without records lead to one packet of questions a second after the first eight`()
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

    @Test func `addresses and texts beyond the limits are left out`() throws {
        var lone = try finder()
        let many = (0..<100).map { SocketAddress.Host.version4(0xc000_0300 + $0) }
        try lone.hear(.response(Records(Self.service, addresses: many).addresses))
        #expect(lone.found["Other"]?.addresses.count == 16)
        let long = (0..<10).map { [UInt8](repeating: $0 + 0x61, count: 200) }
        try lone.hear(.response([DNSRecord(records.text.name, .text(long), timeToLive: 9, isUnique: true)]))
        #expect(lone.found["Other"]?.text["v"] == Array("1".utf8))
    }

    @Test func `names that are no text, ports that are none and other kinds of services are not found`()
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

    @Test func `a response from another port than that of multicast DNS counts for nothing`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.hear(.response(records.all), from: SocketAddress(host: LoneMachine.other.host, port: 5354))
        #expect(lone.found.isEmpty)
    }

    @Test func `a machine that got a storm of damaged packets works as before`() throws {
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
