import BatonCore
import BatonStore
import Support
import Testing

/// Queries whose results are sorted by attributes, answered by the store.
@Suite struct `Sorting the results of a query` {
    private static let present = PresentTime(WallTime(milliseconds: 1_000_000)) { _ in 0 }

    /// Writes items with drawn numbers, some without; returns the numbers by identifier.
    private static func write(_ count: Int, to stage: SearchStage, seed: UInt64) throws -> [String: Int64] {
        var generator = SeededGenerator(seed: seed)
        var ranks: [String: Int64] = [:]
        let rank = try #require(CustomAttribute(name: "own_rank"))
        for number in 0..<count {
            var item = Item()
            item.indexed = WallTime(milliseconds: Int64(number))
            item.attributes[.title] = .plain(.string("Item \(number)"))
            if generator.chance(80) {
                let value = Int64(generator.number(0...20))
                ranks["\(number)"] = value
                item.attributes[rank.field] = .plain(.integer(value))
            }
            let name = ItemName(app: "org.example", index: "default", identifier: "\(number)")
            try stage.write([Journal.Draft(.full(item.content(name)), name.key)])
        }
        return ranks
    }

    /// The identifiers in the order that plain sorting gives.
    private static func expected(_ ranks: [String: Int64], _ count: Int, isDescending: Bool) -> [String] {
        (0..<count).sorted { left, right in
            switch (ranks["\(left)"], ranks["\(right)"]) {
            case (let one?, let other?) where one != other: isDescending ? one > other : one < other
            case (_?, nil): true
            case (nil, _?): false
            // The item that was indexed later comes first.
            default: left > right
            }
        }.map(String.init)
    }

    @Test(arguments: Seeds.first(8), [false, true])
    func `gives the first ones that plain sorting gives, however many are wanted`(
        seed: UInt64, isDescending: Bool
    ) throws {
        let stage = try SearchStage()
        let count = 300
        let ranks = try Self.write(count, to: stage, seed: seed)
        let expected = Self.expected(ranks, count, isDescending: isDescending)
        let sorting = try #require(QueryOrder([QuerySort("own_rank", isDescending: isDescending)]))
        let query = try SearchQuery("*", at: Self.present)
        let reader = try stage.opened()
        for most in [1, 10, 100] {
            let finding = try reader.find(query, most: most, sorting: sorting, at: Self.present.now)
            #expect(finding.things.compactMap { $0.thing.item?.identifier } == Array(expected.prefix(most)))
        }
    }

    @Test func `keeps the order of indexing where no attribute is named`() throws {
        let stage = try SearchStage()
        _ = try Self.write(20, to: stage, seed: 1)
        let reader = try stage.opened()
        let finding = try reader.find(try SearchQuery("*", at: Self.present), most: 3, at: Self.present.now)
        #expect(finding.things.compactMap { $0.thing.item?.identifier } == ["19", "18", "17"])
    }
}
