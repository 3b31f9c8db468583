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

    // MARK: Reading in the order of the results

    /// Draws an item whose values have ties, accents, long common beginnings, several elements, or are missing.
    private static func drawn(
        _ number: Int, _ generator: inout SeededGenerator
    ) throws -> (name: ItemName, item: Item) {
        var item = Item(domain: generator.pick(["a", "b", "a.c"]))
        item.indexed = WallTime(milliseconds: Int64(generator.number(0...3000)) * 1000)
        item.attributes[.title] = .plain(.string(generator.pick(["Tea", "Green tea", "Coffee"])))
        let long = String(repeating: "long ", count: 8)
        let texts = ["a", "A", "é", "e", "E\u{301}", "", "漢", long + "b", long + "a", "\0"]
        let values: [(name: String, value: PropertyValue)] = [
            ("own_number", .integer(Int64(generator.number(-20...20)))),
            ("own_real", .real(generator.pick([-1.5, 0, 1e300, .infinity, -.infinity, .nan, 0.1]))),
            (
                "own_date",
                .date(Double(generator.number(-3...5)) + Double(generator.number(0...3)) / 4)
            ),
            ("own_text", .string(generator.pick(texts))),
            (
                "own_list",
                .array((0..<generator.number(0...3)).map { _ in .integer(Int64(generator.number(0...9))) })
            ),
            ("own_flag", .boolean(generator.chance(50))),
            ("own_mixed", generator.chance(50) ? .string("x") : .integer(1)),
        ]
        for (name, value) in values where generator.chance(85) {
            item.attributes[try #require(CustomAttribute(name: name)).field] = .plain(value)
        }
        if generator.chance(3) {
            // An item with so many values has none of them in the table of facts.
            let many = (0..<40).map { PropertyValue.integer(Int64($0)) }
            item.attributes[try #require(CustomAttribute(name: "own_many")).field] = .plain(.array(many))
        }
        let app = generator.pick(["org.example", "org.example", "org.other"])
        return (ItemName(app: app, index: "default", identifier: "\(number)"), item)
    }

    /// Writes drawn items, and returns the stage.
    private static func stage(_ count: Int, _ generator: inout SeededGenerator) throws -> SearchStage {
        let stage = try SearchStage()
        var drafts: [Journal.Draft] = []
        for number in 0..<count {
            let (name, item) = try drawn(number, &generator)
            drafts.append(Journal.Draft(.full(item.content(name)), name.key))
        }
        for start in stride(from: 0, to: count, by: 100) {
            try stage.write(Array(drafts[start..<min(start + 100, count)]))
        }
        return stage
    }

    private static let queries = [
        "*", #"domainIdentifier == "a""#, #"title == "tea"wcd"#,
        #"title == "tea"wcd && own_number > 0"#,
        "own_number >= -5", #"domainIdentifier == "b" && own_flag == 1"#, #"own_text == "long*""#,
        #"own_number == 3 || title == "coffee"c"#, "own_many == 7",
    ]

    private static let attributes = [
        "own_number", "own_real", "own_date", "own_text", "own_list", "own_flag", "own_mixed",
        "own_many", "title",
    ]

    @Test(.timeLimit(.minutes(5)), arguments: Seeds.first(6))
    func `gives the same first results as comparing all items`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let count = 700
        let stage = try Self.stage(count, &generator)
        var (early, late) = (SearchLimits(), SearchLimits())
        (early.walkedItems, early.stepItems) = (1, generator.pick([3, 50, 200]))
        late.walkedItems = .max
        let reader = try SearchReader(folder: stage.folder.path, stop: SearchStop(), limits: early)
        let plain = try SearchReader(folder: stage.folder.path, stop: SearchStop(), limits: late)
        for text in Self.queries {
            let query = try SearchQuery(text, at: Self.present)
            for attribute in Self.attributes {
                let sorts = [
                    QuerySort(attribute, isDescending: generator.chance(50)),
                    QuerySort(generator.pick(Self.attributes), isDescending: generator.chance(50)),
                ]
                let sorting = try #require(QueryOrder(Array(sorts.prefix(generator.number(1...2)))))
                var scope = SearchScope()
                if generator.chance(50) { scope.filter = SearchFilter(app: "org.example", kind: .item) }
                let all = try plain.find(
                    query, most: count, sorting: sorting, at: Self.present.now, in: scope)
                for most in [1, 10, 60] {
                    let first = try reader.find(
                        query, most: most, sorting: sorting, at: Self.present.now, in: scope)
                    let names = all.things.prefix(most).compactMap { $0.thing.item?.name }
                    #expect(first.things.compactMap { $0.thing.item?.name } == names, "\(text) by \(sorts)")
                }
            }
        }
    }

    @Test(arguments: Seeds.first(12))
    func `gives the first results of the changed index if values change meanwhile`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (stage, count) = (try SearchStage(), 300)
        func write(_ number: Int) throws {
            let (name, drawn) = try Self.drawn(number, &generator)
            var item = drawn
            let field = try #require(CustomAttribute(name: "own_number")).field
            item.attributes[field] = .plain(.integer(Int64(generator.number(-20...20))))
            let same = ItemName(app: "org.example", index: name.index, identifier: name.identifier)
            try stage.write([Journal.Draft(.full(item.content(same)), same.key)])
        }
        for number in 0..<count { try write(number) }
        var limits = SearchLimits()
        (limits.walkedItems, limits.stepItems) = (1, 5)
        let reader = try SearchReader(folder: stage.folder.path, stop: SearchStop(), limits: limits)
        let query = try SearchQuery("own_number > -100", at: Self.present)
        let order = QuerySort("own_number", isDescending: generator.chance(50))
        let sorting = try #require(QueryOrder([order]))
        var steps = 0
        let finding = try reader.find(query, most: 10, sorting: sorting, at: Self.present.now) {
            () throws(StoreFailure) in
            steps += 1
            guard steps == 2 else { return }
            do {
                for _ in 0..<generator.number(1...20) { try write(generator.number(0...count - 1)) }
            } catch {
                throw StoreFailure(.failed, "\(error)")
            }
        }
        #expect(steps > 2)
        let all = try reader.find(query, most: count, sorting: sorting, at: Self.present.now)
        let expected = all.things.prefix(10).compactMap { $0.thing.item?.name }
        #expect(finding.things.compactMap { $0.thing.item?.name } == expected)
    }

    @Test func `compares only few of many items if the first ones are certain`() throws {
        var generator = SeededGenerator(seed: 3)
        let stage = try Self.stage(3000, &generator)
        let sorting = try #require(QueryOrder([QuerySort("own_number", isDescending: true)]))
        /// Returns whether the search covers all items, although it may do only a part of the work for that.
        func isWhole(sortedBy sorting: QueryOrder) throws -> Bool {
            let stop = SearchStop(questionsMost: 2)
            let reader = try SearchReader(folder: stage.folder.path, stop: stop)
            let query = try SearchQuery("*", at: Self.present)
            return try reader.find(query, most: 10, sorting: sorting, at: Self.present.now).isWhole
        }
        #expect(try isWhole(sortedBy: sorting))
        // Values of this attribute are not kept in order.
        let titles = try #require(QueryOrder([QuerySort("title")]))
        #expect(try !isWhole(sortedBy: titles))
    }

    @Test func `compares only few of many items with close dates, in one step`() throws {
        let (stage, count) = (try SearchStage(), 3000)
        let summary = String(repeating: "word ", count: 200)
        for start in stride(from: 0, to: count, by: 500) {
            try stage.write(
                (start..<start + 500).map { number in
                    var item = Item(domain: "a")
                    item.attributes[.contentCreationDate] = .plain(.date(Double(number * 7 % count) * 10))
                    item.attributes[.creator] = .plain(.string(number % 3 == 0 ? "name1" : "name10"))
                    item.attributes[.contentDescription] = .plain(.string(summary))
                    item.attributes[.keywords] = .plain(.array([.string("even")]))
                    let name = ItemName(app: "org.example", index: "x", identifier: "\(number * 7 % count)")
                    return Journal.Draft(.full(item.content(name)), name.key)
                })
        }
        let sorting = try #require(QueryOrder([QuerySort("contentCreationDate", isDescending: true)]))
        let all = (0..<count).reversed()
        for (text, expected) in [
            (#"domainIdentifier == "a""#, Array(all.prefix(10))),
            (#"domainIdentifier == "a" && creator == "name1""#, Array(all.filter { $0 % 3 == 0 }.prefix(10))),
            (#"domainIdentifier == "a" && keywords == "even""#, Array(all.prefix(10))),
        ] {
            let reader = try SearchReader(folder: stage.folder.path, stop: SearchStop(questionsMost: 4))
            var steps = 0
            let found = try reader.find(
                SearchQuery(text, at: Self.present), most: 10, sorting: sorting, at: Self.present.now
            ) { steps += 1 }
            #expect(found.isWhole && steps == 1, "\(text): \(steps)")
            let identifiers = found.things.compactMap { $0.thing.item?.identifier }
            #expect(identifiers == expected.map(String.init), "\(text)")
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
