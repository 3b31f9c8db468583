import BatonCore
import Support
import Testing

@Suite struct `Lineages of a device's lives` {
    @Test(arguments: Seeds.first(20))
    func `cover the same transactions after reduction to fewer origins`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = History(&generator)
        for _ in 0..<30 {
            let (one, other) = (history.claims(&generator), history.claims(&generator))
            let (least, otherLeast) = (history.lineage.reduced(one), history.lineage.reduced(other))
            #expect(history.lineage.expanded(least) == one)
            #expect(history.lineage.reduced(least) == least, "it can't be said in fewer")
            #expect(least.isWithin(one) && least.count <= one.count)
            #expect(least.isWithin(other) == one.isWithin(other), "for who claims what others follow")
            #expect(
                history.lineage.reduced(least.joined(otherLeast))
                    == history.lineage.reduced(one.joined(other)))
            for dot in one.sorted.map({ Dot(origin: $0.origin, sequence: $0.sequence) }) {
                #expect(history.lineage.covers(dot, by: least))
                let next = Dot(origin: dot.origin, sequence: dot.sequence + 1)
                #expect(!history.lineage.covers(next, by: least))
            }
        }
    }

    @Test(arguments: Seeds.first(20))
    func `are claimed from their first life on, in whatever order claims arrive`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = History(&generator)
        var (lineage, complete) = (Lineage(), VersionVector())
        var told = VersionVector()
        for _ in 0..<40 {
            // Any part of a peer's lineage may be held back, for example by quarantined writes.
            let news = VersionVector(
                history.claims(&generator).sorted.lazy.filter { _ in generator.chance(60) }
                    .map { ($0.origin, $0.sequence) })
            told.join(news)
            let before = complete
            lineage.claim(news, in: &complete) { history.follows[$0] ?? [] }
            #expect(before.isWithin(complete) && complete.isWithin(told))
            #expect(
                history.lineage.expanded(complete) == complete, "nothing is claimed without what it follows")
        }
        lineage.claim(told, in: &complete) { history.follows[$0] ?? [] }
        #expect(lineage.expanded(lineage.reduced(complete)) == complete)
    }

    /// A thousand starts of one machine, each with ten transactions.
    @Test func `reduce a thousand lives to one origin`() {
        let device = DeviceIdentifier(high: 5 << 32, low: 1)
        var (lineage, complete) = (Lineage(), VersionVector())
        for number in UInt64(1)...1000 {
            let life = Life(after: HybridTime(value: number << 16), of: device, random: number)
            let origin = Origin(life: life, lane: .index)
            let follows = Succession(beginning: origin, after: complete, lineage)?.follows ?? []
            #expect(follows.count == (number == 1 ? 0 : 1))
            lineage.claim(VersionVector([(origin, 10 as UInt64)]), in: &complete) { _ in follows }
        }
        #expect(complete.count == 1000 && lineage.reduced(complete).count == 1)
    }

    /// A machine that lost its claims forty times, and then no more.
    @Test func `reduce to one life again after repeated losses of claims and a few more lives`() {
        let device = DeviceIdentifier(high: 5 << 32, low: 1)
        var (lineage, complete) = (Lineage(), VersionVector())
        for number in UInt64(1)...46 {
            let life = Life(after: HybridTime(value: number << 16), of: device, random: number)
            let origin = Origin(life: life, lane: .index)
            let known = number <= 40 ? VersionVector() : complete
            let follows = Succession(beginning: origin, after: known, lineage)?.follows ?? []
            #expect(follows.count <= Limits.followedOrigins)
            lineage.claim(VersionVector([(origin, 10 as UInt64)]), in: &complete) { _ in follows }
        }
        #expect(complete.count == 46 && lineage.reduced(complete).count == 1)
        #expect(lineage.expanded(lineage.reduced(complete)) == complete)
    }

    /// The lives that lives of a few devices followed, as they began with more or fewer of the existing ones.
    private struct History {
        private(set) var follows: [Origin: [Dot]] = [:]
        private(set) var lineage = Lineage()
        private var ends: [(origin: Origin, sequence: UInt64)] = []

        init(_ generator: inout SeededGenerator) {
            for number in UInt64(1)...30 {
                let device = DeviceIdentifier(high: UInt64(generator.number(1...3)) << 32, low: 0)
                let life = Life(after: HybridTime(value: number << 16), of: device, random: number)
                let origin = Origin(life: life, lane: generator.pick(Lane.allCases))
                let had = claims(&generator)
                follows[origin] = Succession(beginning: origin, after: had, lineage)?.follows
                lineage.recordOrigin(origin, following: follows[origin] ?? [])
                ends.append((origin, UInt64(generator.number(1...9))))
            }
        }

        /// Returns claims that a device may have: some lives up to some sequence, and all that these follow.
        func claims(_ generator: inout SeededGenerator) -> VersionVector {
            var claims = VersionVector()
            for (origin, end) in ends where generator.chance(30) {
                claims.extend(origin, to: UInt64(generator.number(1...Int(end))))
            }
            return lineage.expanded(claims)
        }
    }
}
