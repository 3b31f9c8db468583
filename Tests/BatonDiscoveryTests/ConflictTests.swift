import BatonNetwork
import DiscoverySupport
import Support
import Testing

@testable import BatonDiscovery

@Suite struct `Conflicts of names in multicast DNS` {
    private let own = Records()
    /// Records of the same names whose address is greater than that of the machine, and of one whose address is smaller.
    private let greater = Records(addresses: [.version4(0xc000_02ff)])
    private let smaller = Records(addresses: [.version4(0xc000_0200)])

    @Test func `a name that another machine uses is given up during probing`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .milliseconds(100))
        try lone.hear(.response(greater.unique))
        #expect(lone.conflicted == [LoneMachine.service])
        lone.forget()
        try lone.run(for: .seconds(60))
        #expect(lone.sent.isEmpty && lone.machine.announced.isEmpty)
    }

    @Test func `a name that another machine announces before the first probe is given up`() throws {
        var lone = LoneMachine()
        try lone.announce(delay: true)
        try lone.hear(.response(smaller.unique))
        #expect(lone.conflicted == [LoneMachine.service] && lone.sent.isEmpty)
    }

    @Test func `equal records of another machine cause no conflict`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .milliseconds(100))
        try lone.hear(.response(own.all))
        try lone.run(for: .seconds(1))
        try lone.hear(.response(own.all))
        try lone.run(for: .seconds(5))
        #expect(lone.conflicted.isEmpty && lone.probes.count == 1)
        #expect(lone.machine.announced == ["own"])
    }

    @Test func `the machine with the lexically greater records wins a simultaneous probe`() throws {
        for other in [greater, smaller] {
            let isLost = other.addresses == greater.addresses
            var lone = LoneMachine()
            try lone.announce()
            try lone.run(for: .milliseconds(100))
            try lone.hear(.probe(other.unique))
            try lone.run(for: .milliseconds(500))
            #expect(lone.machine.announced.isEmpty == isLost)
            #expect(lone.conflicted.isEmpty)
        }
    }

    @Test func `after a lost tie a machine waits for a second, and then sends three probes`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .milliseconds(100))
        try lone.hear(.probe(greater.unique))
        try lone.run(for: .seconds(60))
        #expect(lone.probes.map(\.at) == [0, 1100, 1350, 1600].map { .milliseconds($0) })
        #expect(lone.machine.announced == ["own"], "the other machine never took the name")
    }

    @Test func `after a lost tie a machine gives up the name when the other machine announces it`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .milliseconds(100))
        try lone.hear(.probe(greater.unique))
        try lone.run(for: .milliseconds(200))
        try lone.hear(.response(greater.all))
        #expect(lone.conflicted == [LoneMachine.service])
    }

    @Test func `a name is given up after five lost ties`() throws {
        var lone = LoneMachine()
        try lone.announce()
        for _ in 0..<5 {
            #expect(lone.conflicted.isEmpty)
            try lone.run(for: .milliseconds(100))
            try lone.hear(.probe(greater.unique))
            try lone.run(for: .seconds(1))
        }
        #expect(lone.conflicted == [LoneMachine.service])
    }

    @Test func `a tie is decided by the first name whose records differ, so exactly one machine wins`() throws
    {
        // One machine has the greater port, and the other one the greater address.
        let services = [4817, 4818].map { port in
            ServiceAnnouncement(instance: "own", host: "own-host", port: port, text: ServiceEntries([]))
        }
        let addresses = [[SocketAddress.Host.version4(9)], [.version4(8)]]
        for place in 0...1 {
            var lone = LoneMachine()
            try lone.announce([services[place]], addresses: addresses[place])
            try lone.hear(.probe(Records(services[1 - place], addresses: addresses[1 - place]).unique))
            try lone.run(for: .milliseconds(300))
            #expect(lone.machine.announced.isEmpty == (place == 0))
        }
    }

    @Test func `a machine's own probe, received late, is not taken for a tie`() throws {
        var lone = LoneMachine()
        try lone.announce()
        try lone.run(for: .milliseconds(100))
        try lone.hear(.probe(own.unique))
        try lone.run(for: .milliseconds(200))
        #expect(lone.machine.announced == ["own"])
    }

    @Test func `three probes are sent when another machine contradicts an announced service`() throws {
        var lone = try LoneMachine.standing()
        try lone.hear(.response(greater.addresses))
        #expect(lone.machine.announced.isEmpty)
        try lone.run(for: .seconds(10))
        #expect(lone.probes.count == 3 && lone.conflicted.isEmpty)
        #expect(lone.machine.announced == ["own"], "no machine answered")
        lone.forget()
        // This time the other machine answers the second probe, after the pause that it must make.
        try lone.hear(.response(smaller.unique))
        try lone.run(for: .milliseconds(251))
        try lone.hear(.response(smaller.unique))
        #expect(lone.conflicted == [LoneMachine.service])
        let gone = lone.responses.flatMap(\.message.answers).filter { $0.timeToLive == 0 }
        #expect(gone == Array(own.gone.dropFirst()), "the pointer is the other machine's, too")
    }

    @Test func `denials and records of other types do not contradict a service`() throws {
        var lone = try LoneMachine.standing()
        let host = own.addresses[0].name
        try lone.hear(
            .response(
                [
                    DNSRecord(host, .kinds(next: host, [.aaaa]), timeToLive: 120, isUnique: true),
                    DNSRecord(own.target.name, .address4(7), timeToLive: 120, isUnique: true),
                    DNSRecord(Records.name("else.local"), .address4(7), timeToLive: 120, isUnique: true),
                ] + greater.gone)
        )
        try lone.run(for: .milliseconds(10))
        #expect(lone.probes.isEmpty && lone.machine.announced == ["own"])
    }

    @Test func `endless conflicts cost at most fifteen rounds of probes in ten seconds`() throws {
        var lone = try LoneMachine.standing()
        for _ in 0..<600 {
            try lone.run(for: .milliseconds(100))
            // Each time the service stands, it is contradicted.
            if lone.machine.announced == ["own"] { try lone.hear(.response(greater.addresses)) }
        }
        #expect(lone.conflicted.isEmpty)
        #expect(lone.probes.count <= 6 * 15 * 3)
        try lone.run(for: .seconds(10))
        #expect(lone.machine.announced == ["own"])
    }

    @Test func `after a thousand contradictions the name is given up, and the next name is announced`() throws
    {
        var lone = try LoneMachine.standing()
        for _ in 0..<1000 { try lone.hear(.response(greater.unique)) }
        #expect(lone.conflicted == [LoneMachine.service])
        #expect(lone.probes.count <= 3)
        let next = ServiceAnnouncement(instance: "next", host: "next-host", port: 1, text: ServiceEntries([]))
        try lone.announce([next])
        try lone.run(for: .seconds(1))
        #expect(lone.machine.announced == ["next"])
    }

    @Test func `after a machine loses a name, it finds the service that won the name`() throws {
        var lone = LoneMachine()
        try lone.search()
        try lone.announce()
        try lone.run(for: .seconds(300))
        try lone.hear(.response(greater.all))
        #expect(lone.found.isEmpty, "the name is this machine's")
        try lone.run(for: .milliseconds(100))
        lone.forget()
        try lone.hear(.response(greater.all))
        #expect(lone.conflicted == [LoneMachine.service])
        try lone.run(for: .milliseconds(200))
        #expect(lone.queries.count == 1)
        try lone.hear(.response(greater.all))
        #expect(lone.found["own"]?.addresses == [.version4(0xc000_02ff)])
    }
}
