import BatonCore
import BatonDiscovery
import BatonNetwork
import BatonNode
import BatonSecurity
import Foundation
import Support
import Testing

/// All packets that a machine with two accounts sends on two networks in a week, in virtual time.
///
/// It does what `LocalNetworks` and `LANDiscovery` do, without sockets. A stranger asks who is there now and then, the
/// machine wakes up each morning, and invites somebody each evening.
@Suite struct `A week of packets` {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private static let networks: [UInt32] = [2, 3]
    private static let hosts: [SocketAddress.Host] = [
        .version4(0xc000_0207), .version6(high: 0xfd00_0000_0000_0000, low: 7, interface: 0),
    ]
    private static let day = Duration.seconds(86_400)

    private let accounts = [AccountIdentifier(high: 1, low: 1), AccountIdentifier(high: 2, low: 2)]
    private let device = DeviceIdentifier(high: 0x0123_4567_89ab_cdef, low: 0x1122_3344_5566_7788)
    private let keys: [AnnouncementKey]
    private var heard = HeardPackets()
    /// The instances of each subject on each network, in the order in which they were announced.
    private var periods: [String: [String]] = [:]
    /// The times at which names changed although the machine did not wake up.
    private var changes: [MonotonicTime] = []
    private var codes: [PairingCode] = []

    init() throws {
        keys = [
            try AnnouncementKey(root: PrivateKey.generate().publicKey),
            try AnnouncementKey(root: PrivateKey.generate().publicKey),
        ]
        try play()
    }

    /// Plays the week.
    private mutating func play() throws {
        var plan = AnnouncementPlan(Limits().announcementPeriod, drawingFrom: SeededGenerator(seed: 3))
        var machines: [UInt32: MulticastDNS] = [:]
        for network in Self.networks {
            machines[network] = MulticastDNS(on: network, drawingFrom: SeededGenerator(seed: UInt64(network)))
            machines[network]?.search(now: Self.start)
            plan.use(network, with: Set(Self.hosts), now: Self.start)
        }
        let devices = Set(accounts.map { AnnouncementPlan.Subject.device($0) })
        var question = DNSMessage(isResponse: false)
        question.questions = [
            DNSQuestion(try #require(DNSName("_baton._tcp.local")), DNSKind(rawValue: 12))
        ]
        let asking = try #require(question.encoded())
        let stranger = try SocketAddress(text: "192.0.2.99:5353")
        // The events besides those of the plan and the machines: asked, woken up, invited, not invited any more.
        var events: [(time: MonotonicTime, event: Int)] = []
        for day in 0..<7 {
            let morning = Self.start + Self.day * day
            for hour in 0..<24 { events.append((morning + .seconds(3600 * hour + 1777), 0)) }
            events += [(morning + .seconds(8 * 3600), 1), (morning + .seconds(19 * 3600), 2)]
            events.append((morning + .seconds(19 * 3600 + 600), 3))
        }
        events.sort { $0.time < $1.time }
        plan.set(devices, now: Self.start)
        try publish(plan, &machines, at: Self.start)
        while let event = events.first {
            let due = [event.time, plan.deadline].compactMap(\.self) + machines.values.compactMap(\.deadline)
            let now = try #require(due.min())
            for network in Self.networks {
                machines[network]?.handleTime(now: now)
                try drain(network, &machines, at: now)
            }
            if event.time <= now {
                events.removeFirst()
                switch event.event {
                case 0:
                    for network in Self.networks {
                        machines[network]?.handlePacket(asking, from: stranger, isFromHere: false, now: now)
                    }
                case 1: plan.renewAll(now: now)
                case 2:
                    codes.append(try PairingCode.random())
                    plan.set(devices.union([.invitation(accounts[0])]), now: now)
                default: plan.set(devices, now: now)
                }
                try publish(plan, &machines, at: now)
            } else if let deadline = plan.deadline, deadline <= now {
                changes.append(now)
                plan.handleTime(now)
                try publish(plan, &machines, at: now)
            }
        }
    }

    /// Announces what the plan has, as the node does.
    private mutating func publish(
        _ plan: AnnouncementPlan, _ machines: inout [UInt32: MulticastDNS], at now: MonotonicTime
    ) throws {
        for network in Self.networks {
            var services: [ServiceAnnouncement] = []
            for (subject, names) in plan.names(on: network) {
                let text: ServiceEntries
                let key = "\(subject) on \(network)"
                switch subject {
                case .device(let account):
                    let place = try #require(accounts.firstIndex(of: account))
                    text = try DeviceAnnouncement.text(
                        for: device, named: names.instance, in: 500_000, on: [[1, 2, 3]],
                        at: Self.hosts, port: 4817, by: keys[place])
                case .invitation:
                    text = DeviceAnnouncement.text(
                        forInvitation: try #require(codes.last).announcedBits())
                }
                services.append(
                    ServiceAnnouncement(
                        instance: names.instance, host: names.host, port: 4817, text: text))
                if periods[key]?.last != names.instance { periods[key, default: []].append(names.instance) }
            }
            machines[network]?.announce(services, addresses: Self.hosts, delay: false, now: now)
            try drain(network, &machines, at: now)
        }
    }

    private mutating func drain(
        _ network: UInt32, _ machines: inout [UInt32: MulticastDNS], at now: MonotonicTime
    ) throws {
        while let output = machines[network]?.nextOutput() {
            guard case .send(let packet, let destination) = output else { continue }
            #expect(destination == .group)
            try heard.take(packet, on: network, at: now)
        }
    }

    private var devicePeriods: [[String]] {
        periods.filter { $0.key.hasPrefix("device") }.map(\.value)
    }

    /// It is one test, because the week takes seconds.
    @Test func `contains nothing that links two periods, networks or accounts, or names a device`() throws {
        checkValues()
        try checkGroups()
        checkForms()
        checkTimes()
        checkSecrets()
    }

    /// Every period of every account on every network has names and values of its own.
    private func checkValues() {
        #expect(devicePeriods.count == 4)
        for names in devicePeriods {
            #expect(names.count > 300 && Set(names).count == names.count)
        }
        var owners: [String: String] = [:]
        for (instance, heard) in heard.instances {
            // The names of the instance and the host; and the hour, the mark and the seals of a device, or the bits of an invitation.
            let isInvitation = heard.values.contains { $0.hasPrefix("i=") }
            #expect(heard.values.count == (isInvitation ? 3 : 5), "\(heard)")
            // The bits are the same as long as the invitation is open, and there are only 1,024.
            for value in heard.values where !value.hasPrefix("i=") {
                #expect(owners.updateValue(instance, forKey: value) == nil, "\(value) of \(instance)")
            }
        }
    }

    /// No packet tells of two periods of the same account.
    private func checkGroups() throws {
        var subjects: [String: String] = [:]
        for (subject, names) in periods {
            for name in names { subjects[name] = subject }
        }
        #expect(heard.groups.count > 5000)
        for group in heard.groups {
            let told = try group.map { try #require(subjects[$0]) }
            #expect(Set(told).count == told.count, "\(group)")
        }
    }

    /// Packets have the same few forms in all periods: records, their order, their times to live.
    ///
    /// A device and an invitation have a probe, an announcement and a farewell each; and a question that comes in the second
    /// after an announcement is answered without the records that have just been sent.
    private func checkForms() {
        #expect((6...10).contains(heard.forms.count), "\(heard.forms.sorted())")
        for form in heard.forms { #expect(!form.contains("OTHER"), "\(form)") }
    }

    /// The names of two accounts, or on two networks, do not change at the same time.
    private func checkTimes() {
        let seconds = changes.map { ($0 - Self.start).nanoseconds / 1_000_000_000 }
        #expect(seconds.count > 1200)
        // By chance a few pairs of some 1,300 fall into one second of the 604,800.
        #expect(Set(seconds).count > seconds.count - 20, "\(seconds.count - Set(seconds).count)")
    }

    /// No packet contains a name, a device, an account or a code.
    private func checkSecrets() {
        let secrets: [[UInt8]] =
            [device.bytes, Array(device.description.utf8), Array(device.short.utf8)]
            + accounts.flatMap { [$0.bytes, Array($0.description.utf8)] } + codes.map { Array($0.text.utf8) }
        let all = Data(heard.bytes.joined())
        for secret in secrets { #expect(all.range(of: Data(secret)) == nil, "\(secret)") }
    }
}
