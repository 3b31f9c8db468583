import BatonNetwork
import DiscoverySupport
import Support
import Testing

@testable import BatonDiscovery

@Suite struct `Announcing by multicast DNS` {
    private let records = Records()
    /// The question for all services.
    private let question = DNSQuestion(Records.kind, .ptr)

    // MARK: Probing and announcing

    @Test func `after its probes a service is announced twice, a second apart, with all its records`()
        throws
    {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .seconds(60))
        #expect(lone.sent.map(\.at) == [.zero, .milliseconds(250), .milliseconds(1250)])
        #expect(lone.machine.deadline == nil, "nothing more is due")
        let probe = try #require(lone.probes.first).message
        #expect(Set(probe.questions.map(\.kind)) == [.any])
        #expect(Set(probe.questions.map(\.name)) == Set(records.unique.map(\.name)))
        #expect(probe.questions.allSatisfy { !$0.wantsUnicast })
        #expect(probe.authorities.map(\.identity) == records.unique.map(\.identity))
        #expect(probe.authorities.allSatisfy { !$0.isUnique }, "a probe flushes no cache")
        for response in lone.responses {
            #expect(response.message.answers == records.all)
            #expect(Set(response.message.additionals.map(\.kind)) == [.nsec])
        }
    }

    @Test(arguments: Seeds.first(20))
    func `the first probe is sent within 250 ms`(_ seed: UInt64) throws {
        var lone = LoneMachine(seed: seed)
        try lone.announce(delay: true)
        #expect(lone.sent.isEmpty)
        try lone.run(for: .milliseconds(250))
        #expect(!lone.probes.isEmpty)
    }

    @Test func `no query is answered before probing has ended`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.hear(.query(question))
        try lone.run(for: .milliseconds(249))
        #expect(lone.responses.isEmpty)
    }

    @Test func `a service whose names do not fit DNS is not announced`() throws {
        var lone = LoneMachine()
        let long = String(repeating: "x", count: 64)
        try lone.announce([
            ServiceAnnouncement(instance: long, host: "host", port: 1, text: ServiceEntries([])),
            ServiceAnnouncement(instance: "a", host: "", port: 1, text: ServiceEntries([])),
            ServiceAnnouncement(instance: "a", host: "b", port: 1, text: ServiceEntries(["": "x"])),
        ])
        try lone.run(for: .seconds(60))
        #expect(lone.sent.isEmpty && lone.machine.announced.isEmpty)
    }

    // MARK: Answering

    @Test(arguments: Seeds.first(20))
    func `an answer to a query for all services is sent after 20 to 120 ms, with all records of the services`(
        _ seed: UInt64
    ) throws {
        var lone = LoneMachine(seed: seed)
        try lone.announce()
        try lone.run(for: .seconds(10))
        lone.forget()
        try lone.hear(.query(question))
        try lone.run(for: .milliseconds(19))
        #expect(lone.sent.isEmpty)
        try lone.run(for: .milliseconds(101))
        let response = try #require(lone.responses.first).message
        #expect(lone.sent.count == 1)
        #expect(response.answers == [records.pointer])
        #expect(Set(records.unique).isSubset(of: response.additionals))
    }

    @Test
    func `a query for the machine's own name is answered immediately, and denied if no such record exists`()
        throws
    {
        var lone = try LoneMachine.standing()
        try lone.hear(.query(DNSQuestion(records.target.name, .srv)))
        #expect(lone.responses.map(\.message.answers) == [[records.target]])
        #expect(lone.responses[0].message.additionals.contains(records.addresses[0]))
        try lone.run(for: .seconds(5))
        lone.forget()
        try lone.hear(.query(DNSQuestion(records.addresses[0].name, .aaaa)))
        let answers = try #require(lone.responses.first).message.answers
        #expect(answers.map(\.data) == [.kinds(next: records.addresses[0].name, [.a])])
        try lone.run(for: .seconds(5))
        lone.forget()
        try lone.hear(.query(DNSQuestion(records.target.name, .a)))
        #expect(
            lone.responses.first?.message.answers.map(\.data)
                == [.kinds(next: records.target.name, [.txt, .srv])])
    }

    @Test func `the types of services can be listed, and queries for other types are not answered`() throws {
        var lone = try LoneMachine.standing()
        let list = Records.name("_services._dns-sd._udp.local")
        try lone.hear(.query(DNSQuestion(list, .ptr)))
        try lone.run(for: .seconds(1))
        #expect(lone.responses.first?.message.answers.map(\.data) == [.pointer(Records.kind)])
        lone.forget()
        try lone.hear(.query(DNSQuestion(Records.name("_ipp._tcp.local"), .ptr)))
        try lone.hear(.query(DNSQuestion(Records.name("local"), .any)))
        try lone.run(for: .seconds(5))
        #expect(lone.sent.isEmpty)
    }

    @Test func `a known answer in a query is omitted from the response while half of its lifetime remains`()
        throws
    {
        var lone = try LoneMachine.standing()
        var known = records.pointer
        known.timeToLive = 600
        try lone.hear(.query(question, knowing: [known]))
        try lone.run(for: .seconds(5))
        #expect(lone.sent.isEmpty)
        known.timeToLive = 599
        try lone.hear(.query(question, knowing: [known]))
        try lone.run(for: .seconds(5))
        #expect(lone.responses.count == 1)
    }

    @Test func `known answers in the packets after a truncated query count too`() throws {
        var lone = try LoneMachine.standing()
        var query = DNSMessage.query(question)
        query.isTruncated = true
        let more = DNSMessage.query(knowing: [records.pointer])
        try lone.hear(query)
        try lone.run(for: .milliseconds(390))
        #expect(lone.sent.isEmpty, "the answer waits for more known answers")
        try lone.hear(more)
        try lone.run(for: .seconds(5))
        #expect(lone.sent.isEmpty)
        // Those of another machine do not.
        try lone.hear(query)
        try lone.hear(more, from: SocketAddress(host: .version4(0xc000_0209), port: MulticastDNS.port))
        try lone.run(for: .milliseconds(500))
        #expect(lone.responses.count == 1)
    }

    @Test func `an answer that another machine has just given is not repeated`() throws {
        var lone = try LoneMachine.standing()
        try lone.hear(.query(question))
        try lone.hear(.response([records.pointer]))
        try lone.run(for: .seconds(5))
        #expect(lone.sent.isEmpty)
    }

    // MARK: Limits

    @Test func `a record is multicast at most once a second, however many queries arrive`() throws {
        var lone = try LoneMachine.standing()
        for _ in 0..<1000 {
            try lone.hear(.query(question, DNSQuestion(records.text.name, .any)))
            try lone.run(for: .milliseconds(10))
        }
        try lone.run(for: .seconds(2))
        for record in records.all {
            #expect((10...11).contains(lone.moments(of: record).count), "\(record)")
        }
    }

    @Test func `an answer delayed by the rate limit is not sent if an announcement has the record`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .milliseconds(300))
        // The records went out at 250 ms, and go out again at 1250 ms.
        try lone.hear(.query(question, DNSQuestion(records.text.name, .any)))
        try lone.run(for: .seconds(10))
        #expect(lone.moments(of: records.pointer) == [.milliseconds(250), .milliseconds(1250)])
    }

    @Test func `a denial sent with an announcement is not sent again within a second`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .milliseconds(300))
        try lone.hear(.query(DNSQuestion(records.target.name, .a)))
        try lone.run(for: .seconds(10))
        let denial = try #require(
            lone.responses.first?.message.additionals.first { $0.name == records.target.name })
        #expect(lone.moments(of: denial) == [.milliseconds(250), .milliseconds(1250)])
    }

    @Test func `a record removed and soon added again is announced a second after it was last sent`()
        throws
    {
        var lone = try LoneMachine.standing()
        let address = SocketAddress.Host.version4(0xc000_0211)
        try lone.announce(addresses: [LoneMachine.own.host, address])
        try lone.run(for: .milliseconds(100))
        try lone.announce(addresses: [LoneMachine.own.host])
        try lone.run(for: .milliseconds(100))
        try lone.announce(addresses: [LoneMachine.own.host, address])
        try lone.run(for: .seconds(10))
        let moments = lone.moments(of: Records(addresses: [address]).addresses[0])
        #expect(moments.count == 3 && moments[1] - moments[0] >= .seconds(1))
    }

    @Test func `a name is defended against probes at most every 250 ms`() throws {
        var lone = try LoneMachine.standing()
        let other = Records(addresses: [LoneMachine.other.host])
        for _ in 0..<20 {
            try lone.hear(.probe(other.unique))
            try lone.run(for: .milliseconds(100))
        }
        let moments = lone.moments(of: records.addresses[0])
        #expect((8...9).contains(moments.count), "\(moments)")
        #expect(lone.moments(of: records.pointer).isEmpty, "only the names are defended")
    }

    @Test func `a legacy unicast query gets a separate reply that repeats its question and identifier`()
        throws
    {
        var lone = try LoneMachine.standing()
        let client = SocketAddress(host: LoneMachine.other.host, port: 40_000)
        var query = DNSMessage.query(DNSQuestion(Records.kind, .ptr, wantsUnicast: true))
        query.identifier = 0x1234
        try lone.hear(query, from: client)
        try lone.run(for: .seconds(1))
        let reply = try #require(lone.sent.first)
        #expect(lone.sent.count == 1 && reply.destination == .asker(client))
        #expect(reply.message.identifier == 0x1234 && reply.message.questions == [question])
        #expect(reply.message.answers.map(\.data) == [records.pointer.data])
        #expect(reply.message.records.allSatisfy { $0.timeToLive <= 10 && !$0.isUnique })
        #expect(Set(records.unique.map(\.data)).isSubset(of: reply.message.additionals.map(\.data)))
    }

    @Test
    func `a query that asks for unicast gets a unicast reply only if the record was multicast recently`()
        throws
    {
        var lone = try LoneMachine.standing()
        let query = DNSMessage.query(DNSQuestion(Records.kind, .ptr, wantsUnicast: true))
        try lone.hear(query)
        try lone.run(for: .seconds(1))
        #expect(lone.sent.map(\.destination) == [.asker(LoneMachine.other)])
        #expect(lone.sent.first?.message.questions == [])
        lone.forget()
        try lone.run(for: .seconds(301))
        try lone.hear(query)
        try lone.run(for: .seconds(1))
        #expect(lone.sent.map(\.destination) == [.group])
    }

    @Test func `one machine gets at most ten unicast replies a second`() throws {
        var lone = try LoneMachine.standing()
        for number in 0..<2000 {
            let client = SocketAddress(host: .version4(0xc000_0300 + UInt32(number)), port: 40_000)
            try lone.hear(.query(question), from: client)
            try lone.run(for: .milliseconds(5))
        }
        try lone.run(for: .seconds(1))
        #expect((100...130).contains(lone.replies.count), "\(lone.replies.count)")
    }

    @Test func `an announcement too large for one packet is sent in several packets`()
        throws
    {
        let addresses = (0..<100).map {
            SocketAddress.Host.version6(high: 0xfd00 << 48, low: $0, interface: 0)
        }
        var lone = LoneMachine()
        try lone.announce(addresses: addresses)
        try lone.run(for: .milliseconds(300))
        #expect(lone.responses.count > 1)
        let told = lone.responses.flatMap(\.message.answers).map(\.identity)
        #expect(told == Records(addresses: addresses).all.map(\.identity))
    }

    @Test func `an address that an interface has twice is announced once`() throws {
        var lone = LoneMachine()
        try lone.announce(addresses: [LoneMachine.own.host, LoneMachine.own.host])
        try lone.run(for: .seconds(1))
        #expect(lone.responses.map(\.message.answers) == [records.all])
    }

    // MARK: Changes

    @Test func `a withdrawn service is announced as gone once, and no longer answered`()
        throws
    {
        var lone = try LoneMachine.standing()
        try lone.announce([])
        #expect(lone.responses.map(\.message.answers) == [records.gone])
        lone.forget()
        try lone.hear(.query(question))
        try lone.run(for: .seconds(60))
        #expect(lone.sent.isEmpty && lone.machine.deadline == nil)
    }

    @Test func `a service that was never announced is not announced as gone`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .milliseconds(100))
        lone.forget()
        try lone.announce([])
        try lone.run(for: .seconds(60))
        #expect(lone.sent.isEmpty)
    }

    @Test func `new addresses are announced immediately, and removed addresses are announced as gone`() throws
    {
        var lone = try LoneMachine.standing()
        let address = SocketAddress.Host.version4(0xc000_0211)
        try lone.announce(addresses: [address])
        try lone.run(for: .zero)
        let new = Records(addresses: [address])
        #expect(lone.responses.map(\.message.answers) == [[records.gone[3]], new.all])
        #expect(lone.probes.isEmpty, "the names are this machine's already")
    }

    @Test func `a service that is replaced just after its addresses changed is announced as gone`() throws {
        var lone = try LoneMachine.standing()
        let address = SocketAddress.Host.version4(0xc000_0211)
        try lone.hear(.query(question))
        try lone.run(for: .milliseconds(200))
        // The records went out just now, so that telling them again must wait.
        try lone.announce(addresses: [address])
        lone.forget()
        try lone.announce([], addresses: [address])
        let gone = Set(
            lone.responses.flatMap(\.message.answers).filter { $0.timeToLive == 0 }.map(\.identity))
        #expect(gone.isSuperset(of: records.all.dropLast().map(\.identity)))
    }

    @Test func `a record that another machine announces as gone or short-lived is announced again`()
        throws
    {
        var lone = try LoneMachine.standing()
        try lone.hear(.response(records.gone))
        try lone.run(for: .milliseconds(900))
        for record in records.all { #expect(lone.moments(of: record).count == 1, "\(record)") }
        lone.forget()
        try lone.run(for: .seconds(5))
        try lone.hear(.response(Records(seconds: 599).all))
        try lone.run(for: .seconds(1))
        #expect(lone.moments(of: records.pointer).count == 1)
        lone.forget()
        try lone.run(for: .seconds(5))
        try lone.hear(.response(Records(seconds: 600).all))
        try lone.run(for: .seconds(5))
        #expect(lone.sent.isEmpty)
    }

    @Test func `thousands of false goodbyes cause only one answer a second`() throws {
        var lone = try LoneMachine.standing()
        for _ in 0..<1000 {
            try lone.hear(.response(records.gone))
            try lone.run(for: .milliseconds(10))
        }
        #expect((10...11).contains(lone.responses.count))
    }
}
