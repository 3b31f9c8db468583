import BatonCore
import Testing

@Suite struct `The rank of an item` {
    private static let now = WallTime(milliseconds: 1_700_000_000_000)
    private static let day: Int64 = 86_400_000

    private static func rank(
        _ values: [Attribute: PropertyValue] = [:], indexed: Int64? = nil, use: Engagement? = nil
    ) -> ItemRank {
        var item = Item()
        item.indexed = indexed.map { WallTime(milliseconds: now.milliseconds - $0 * day) }
        for (attribute, value) in values { item.attributes[attribute] = .plain(value) }
        let name = ItemName(app: "org.example.app", index: "notes", identifier: "1")
        let facts = RankedFields(name, item.content(name).fields).facts
        return ItemRank(text: 2, use: use, facts, at: now)
    }

    private static func use(_ times: UInt64, daysAgo days: Int64, on device: UInt64 = 1) -> Engagement.Counter
    {
        Engagement.Counter(
            device: DeviceIdentifier(high: 1, low: device), times: times,
            last: WallTime(milliseconds: now.milliseconds - days * day))
    }

    @Test func `only the text counts if nothing else is known`() {
        let rank = Self.rank()
        #expect(rank.score == 2 && rank.use == 1 && rank.hint == 1 && rank.freshness == 1)
    }

    @Test func `an item counts more, the more often and the more recently it was opened`() {
        let scores = [(5, 0), (1, 0), (1, 30), (1, 300)].map { times, days in
            Self.rank(use: Engagement([Self.use(times, daysAgo: days)])).score
        }
        #expect(scores == scores.sorted(by: >) && Set(scores).count == 4 && scores[3] > 2)
    }

    @Test func `openings on all devices are added`() {
        let one = Engagement([Self.use(2, daysAgo: 1)])
        let two = Engagement([Self.use(1, daysAgo: 1), Self.use(1, daysAgo: 1, on: 2)])
        #expect(Self.rank(use: one).use == Self.rank(use: two).use)
    }

    @Test func `an opening dated in the future counts like an opening now`() {
        let ahead = Engagement([Self.use(3, daysAgo: -4000)])
        #expect(Self.rank(use: ahead).use == Self.rank(use: Engagement([Self.use(3, daysAgo: 0)])).use)
    }

    @Test func `an app's ranking hint changes the rank by at most a fifth, whatever its number`() {
        let hints = [-1, 0, 50, 100, 1_000_000].map { Self.rank([.rankingHint: .integer($0)]).hint }
        #expect(hints == hints.sorted() && hints[0] == hints[1] && hints[3] == hints[4])
        #expect(hints[2] == 1 && hints[4] < 1.2)
        for number in [Double.nan, -.infinity, .infinity, 0] {
            #expect((0.8...1.2).contains(Self.rank([.rankingHint: .real(number)]).hint), "\(number)")
        }
        #expect(Self.rank([.userCurated: .boolean(true)]).hint > 1)
    }

    @Test func `an item that was used, changed or indexed recently counts a little more`() {
        let seconds = Double(Self.now.milliseconds) / 1000
        let used = Self.rank([.lastUsedDate: .date(seconds)], indexed: 500)
        let changed = Self.rank([.contentModificationDate: .date(seconds - 86_400 * 20)], indexed: 500)
        let indexed = Self.rank(indexed: 20)
        #expect(used.freshness > changed.freshness && changed.freshness == indexed.freshness)
        #expect(Self.rank(indexed: 5000).freshness < 1.01)
        for date in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            #expect((1...1.2).contains(Self.rank([.lastUsedDate: .date(date)]).freshness), "\(date)")
        }
    }
}
