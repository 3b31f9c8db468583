import DiscoverySupport
import Support
import Testing

@testable import BatonDiscovery

/// Machines that find each other on a link that loses, repeats, delays and reorders their packets.
@Suite struct `Machines with multicast DNS on one link` {
    /// How long a link is bad.
    private static let badTime = Duration.seconds(60)
    /// In what time after that all machines must have found each other under names of their own.
    ///
    /// A search that began when the link was already bad asks again after as much time as has passed, at the latest. The rest
    /// is for an answer that must wait for its second, three probes and a lost tie on both sides.
    private static let bound = badTime + .seconds(10)
    /// The time to live, and a little more.
    private static let life = MulticastDNS.Settings().timeToLive + .seconds(10)

    /// Plays a network whose link is bad for a minute, in which machines come, go and change; the first ones have equal
    /// names if the seed wants it.
    private func play(_ seed: UInt64, equalNames: Bool) throws -> VirtualNetwork {
        let network = VirtualNetwork(seed: seed)
        let loss = network.generator.number(0...80)
        network.weather = VirtualNetwork.Weather(
            loss: loss, duplication: network.generator.number(0...30),
            delayMost: .milliseconds(network.generator.number(1...1000)))
        var last: VirtualNetwork.Machine?
        for _ in 0..<network.generator.number(2...6) {
            let twin = equalNames && (last == nil || network.generator.chance(60)) ? last : nil
            let delay = Duration.milliseconds(network.generator.number(0...2000))
            if network.generator.chance(50) {
                last = try network.join(as: twin)
            } else {
                network.later(delay) { try network.join(as: twin) }
            }
        }
        for _ in 0..<network.generator.number(0...8) {
            network.later(.milliseconds(network.generator.number(0...60_000))) { try happen(in: network) }
        }
        try network.run(for: Self.badTime)
        network.weather = .calm
        return network
    }

    /// Something happens to one of the machines.
    private func happen(in network: VirtualNetwork) throws {
        guard !network.present.isEmpty else { return }
        let machine = network.generator.pick(network.present)
        switch network.generator.number(0...6) {
        case 0: try network.join()
        case 1: try network.join(as: machine)
        case 2 where network.present.count > 2:
            try network.leave(machine, politely: network.generator.chance(50))
        case 3: try network.renumber(machine, keepingNames: network.generator.chance(30))
        case 4: try network.rename(machine)
        case 5: try network.searchAgain(machine)
        default: break
        }
    }

    @Test(arguments: Seeds.first(200), [false, true])
    func `find each other under different names once the link works, and forget machines that left`(
        _ seed: UInt64, _ equalNames: Bool
    ) throws {
        let network = try play(seed, equalNames: equalNames)
        try network.run(for: Self.bound)
        network.checkNames()
        network.checkAllFound(exactly: false)
        try network.run(for: Self.life)
        network.checkNames()
        network.checkAllFound(exactly: true)
        network.checkMemory()
    }

    @Test(arguments: Seeds.first(10))
    func `send at most eight packets and wake at most sixty times an hour when nothing changes`(
        _ seed: UInt64
    ) throws {
        let network = try play(seed, equalNames: true)
        try network.run(for: .seconds(3 * 3600))
        let (packets, count) = (network.packetCount, network.present.count)
        let wakes = network.present.map(\.wakeCount)
        try network.run(for: .seconds(10 * 3600))
        // Each hour every machine asks once; and all services are asked for and told again within their time to live.
        let hourly = (network.packetCount - packets) / 10
        #expect(hourly <= 8 * count, "\(hourly) packets an hour of \(count) machines")
        for (machine, before) in zip(network.present, wakes) {
            let hourly = (machine.wakeCount - before) / 10
            #expect(hourly <= 60, "machine \(machine.number) of \(count) wakes \(hourly) times an hour")
        }
        network.checkAllFound(exactly: true)
    }

    @Test(arguments: Seeds.first(10))
    func `wake at most forty times an hour while names change every twenty to forty minutes`(_ seed: UInt64)
        throws
    {
        let network = VirtualNetwork(seed: seed)
        func renameLater(_ machine: VirtualNetwork.Machine) {
            network.later(.seconds(network.generator.number(1200...2400))) {
                try network.rename(machine)
                renameLater(machine)
            }
        }
        for _ in 0..<3 { renameLater(try network.join()) }
        try network.run(for: .seconds(3600))
        let wakes = network.machines.map(\.wakeCount)
        try network.run(for: .seconds(10 * 3600))
        for (machine, before) in zip(network.machines, wakes) {
            let hourly = (machine.wakeCount - before) / 10
            #expect(hourly <= 40, "machine \(machine.number) wakes \(hourly) times an hour")
        }
        try network.run(for: .seconds(5))
        network.checkAllFound(exactly: true)
    }

    @Test(arguments: Seeds.first(50))
    func `lose a machine within two seconds of its goodbye`(_ seed: UInt64) throws {
        let network = VirtualNetwork(seed: seed)
        for _ in 0..<4 { try network.join() }
        try network.run(for: .seconds(network.generator.number(3...3000)))
        network.checkAllFound(exactly: true)
        try network.leave(network.machines[2], politely: true)
        try network.run(for: .seconds(2))
        network.checkAllFound(exactly: true)
    }

    @Test(arguments: Seeds.first(50))
    func `still find a machine after another one of the same name left with a goodbye`(_ seed: UInt64) throws
    {
        let network = VirtualNetwork(seed: seed)
        for _ in 0..<2 { try network.join() }
        try network.run(for: .seconds(100))
        // The twin joins on a link that loses everything, so that both stand with one name.
        network.weather.loss = 100
        try network.join(as: network.machines[1])
        try network.run(for: .seconds(5))
        network.weather = .calm
        try network.leave(network.machines[2], politely: true)
        try network.run(for: .seconds(3))
        network.checkAllFound(exactly: true)
    }

    @Test func `answer a flood of queries from one machine with few packets`() throws {
        let network = VirtualNetwork(seed: 1)
        for _ in 0..<20 { try network.join() }
        try network.run(for: .seconds(200))
        let before = network.packetCount
        for _ in 0..<100 {
            try network.searchAgain(network.machines[0])
            try network.run(for: .milliseconds(100))
        }
        #expect(network.packetCount - before <= 60, "\(network.packetCount - before) packets")
    }
}
