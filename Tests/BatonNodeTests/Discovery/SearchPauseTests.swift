import BatonDiscovery
import BatonNetwork
import Support
import Testing

/// How often a node that goes on searching asks who is there.
@Suite struct `A search for services` {
    @Test(arguments: [(growth: 2, seconds: [0, 1, 3, 7, 15, 31, 63]), (4, [0, 1, 5, 21, 85, 341, 1365])])
    func `sends queries at pauses that grow by the factor of the settings`(growth: Int, seconds: [Int64])
        throws
    {
        var settings = MulticastDNS.Settings()
        settings.searchGrowth = growth
        var machine = MulticastDNS(on: 2, settings: settings, drawingFrom: SeededGenerator(seed: 1))
        let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
        machine.search(now: start)
        var times: [Int64] = []
        while times.count < seconds.count {
            let now = try #require(machine.deadline)
            machine.handleTime(now: now)
            while let output = machine.nextOutput() {
                guard case .send = output else { continue }
                times.append((now - start).nanoseconds / 1_000_000_000)
            }
        }
        #expect(times == seconds)
    }
}
